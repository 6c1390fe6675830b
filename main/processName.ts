// Which process this is among those of all computers, and whether the one that left its name in a file is there no more.

import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** Null where there is no such text, or none that may be read. */
function textOf(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/**
 * When a process began, in ticks since the system did: on Linux, of processes that may be looked at. Field 22 of proc(5); the
 * second may hold anything, in brackets.
 */
function ticksOf(processId: number | 'self'): string | null {
  const fields = textOf(() => readFileSync(`/proc/${processId}/stat`, 'latin1'));
  return fields?.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

const computer = digest(os.hostname());
/** Linux names each of its starts, and tells apart containers, which number their processes for themselves. */
const startId = textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'));
const numbering = /\d+/.exec(textOf(() => readlinkSync('/proc/self/ns/pid')) ?? '')?.[0];
const ticks = ticksOf('self');
const isExact = startId !== null && numbering !== undefined && ticks !== null;
const unknownStart = '0-0';
/** The system since it began, and where in it processes have numbers of their own. */
const system = isExact ? `${digest(startId)}-${numbering}` : unknownStart;

/** Seconds since 1970. Asked once: a process's age may leave out the time that the computer slept. */
const ownBeginning = Math.floor(Date.now() / 1000 - process.uptime());

/**
 * This process among those of all computers: the computer, its system, the process's number, and when it began (in ticks
 * where the system is known, else in seconds by that computer's clock): its number alone may belong to another process by now.
 * No file's time is asked, which another clock may have given.
 */
export const thisProcess = `${computer}-${system}-${process.pid}-${isExact ? ticks : ownBeginning}`;
/** Groups: computer, system, number, beginning. */
export const processPattern = '([0-9a-f]{8})-([0-9a-f]{1,8}-\\d{1,10})-(\\d{1,10})-(\\d{1,20})';
const processName = new RegExp(`^${processPattern}$`);

/** Whether a process of that number is there. */
function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Where starts are told by the clock: how far it may be set while a process runs, and how exact starts are, in seconds. */
const clockDoubt = 120;

/**
 * Whether the process of this name (`thisProcess` of its own) is there no more. Of another computer's nobody here can tell, nor
 * of another container's: they count as there. A computer that was named anew is still the same until its system starts again.
 */
export function isProcessGone(name: string): boolean {
  const [, where, itsSystem = '', number, began = ''] = processName.exec(name) ?? [];
  const processId = Number(number);
  if (isExact && itsSystem === system) {
    const itsTicks = ticksOf(processId);
    return itsTicks === null ? !isRunning(processId) : itsTicks !== began;
  }
  if (where !== computer) return false;
  if (isExact !== (itsSystem !== unknownStart)) return false;
  // Another start of the system, or another container.
  if (isExact) return startOf(itsSystem) !== startOf(system);
  // Another process has its number by now: this one, or one since the system's last start.
  const since = processId === process.pid ? ownBeginning : Date.now() / 1000 - os.uptime();
  return Number(began) < since - clockDoubt || !isRunning(processId);
}

const startOf = (systemName: string) => systemName.split('-')[0];

/** Whether it is the name of this process, or of one before it that had its number. */
export function hasOwnNumber(name: string): boolean {
  const [, where, itsSystem, number] = processName.exec(name) ?? [];
  return itsSystem === system && (isExact || where === computer) && Number(number) === process.pid;
}
