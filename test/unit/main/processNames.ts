// Names as other processes would have them (main/processName.ts).

import { readFileSync } from 'node:fs';
import { thisProcess } from '../../../main/processName';

export interface ProcessParts {
  readonly computer?: string;
  /** Of the system since it began. */
  readonly start?: string;
  /** Of the container. */
  readonly numbering?: string;
  readonly number?: number | string;
  readonly began?: number | string;
}

const [computer = '', start = '', numbering = '', number = '', began = ''] = thisProcess.split('-');
export const ownParts = { computer, start, numbering, number, began };
/** Where starts of systems and processes are told exactly. */
export const tellsStarts = process.platform === 'linux';

/** What is not said is this process's. */
export function processNamed(parts: ProcessParts): string {
  const all = { ...ownParts, ...parts };
  return [all.computer, all.start, all.numbering, all.number, all.began].join('-');
}

/** More than any system gives. */
export const goneParts: ProcessParts = { number: 2 ** 22 + 1 };
/** The process that started this one, which is at work. */
export const runningParts = {
  number: process.ppid,
  began: tellsStarts
    ? (readFileSync(`/proc/${process.ppid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19] ?? '')
    : began,
};
/** Another computer's. */
export const elsewhereParts: ProcessParts = { computer: '00000000', start: tellsStarts ? '00000000' : start };
