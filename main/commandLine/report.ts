// What the commands print: lines for people on standard output, notes and errors on standard error, or one JSON object.

import { type Failure, failureOf } from '../../core/errors';
import { errorText, oneLine } from '../../core/errorText';
import { catalogue } from '../../core/filters';
import { keptText, predictedText } from '../../core/planText';
import type { ApplyReport } from './apply';
import { rangeText } from './filterArguments';
import { commandLanguage } from './language';
import type { InputPicture } from './pictures';

/** 1 234 567 bytes as 1.2 MB. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1e6 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const timeText = (milliseconds: number) =>
  milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`;

/** Seconds as `42 s`, `3 min 20 s` or `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

const depths = { u8: '8-bit', u16: '16-bit', f32: '32-bit float', f64: '64-bit float' } as const;

const costLines: Readonly<Record<ApplyReport['costs'], string>> = {
  shipped: 'costs: measured on another computer; `convolve calibrate` measures this one',
  quick: 'costs: a few measured here; `convolve calibrate` measures all',
  measured: 'costs: measured here',
};

/** One line of what was done, and with `explain` the plan. */
export function applyLines(report: ApplyReport, explain: boolean): readonly string[] {
  const { output, width, height, sampleType, fileBytes, backend, milliseconds, filterMilliseconds } = report;
  const done = `${oneLine(output)}: ${width} × ${height}, ${depths[sampleType]}, ${bytesText(fileBytes)}, ${timeText(milliseconds)} (filters ${timeText(filterMilliseconds)} on ${backend})`;
  if (!explain) return [done];
  const passes = report.passes.map(
    ({ filter, path, reason, multiplyAddsPerPixel, milliseconds: predicted, keptBytes }, index) =>
      `${index + 1}. ${filter}: ${path}, ${multiplyAddsPerPixel} multiply-adds a pixel, predicted ${predicted === null ? 'time unknown' : predictedText(predicted)} (${reason})${keptBytes > 0 ? `; ${keptText(keptBytes)}` : ''}`,
  );
  const plan = passes.length > 0 ? passes : ['no filter: the picture is copied'];
  return [`engine: ${backend}, ${report.backendDescription}`, costLines[report.costs], ...plan, done];
}

/** What `convolve info` says of a picture, for machines. */
export function infoRecord(file: string, picture: InputPicture) {
  const { width, height, channels, sampleType, format, profile, fileBytes, warnings } = picture;
  return { file, width, height, channels, alpha: channels % 2 === 0, sampleType, format, profile, fileBytes, warnings };
}
export type InfoRecord = ReturnType<typeof infoRecord>;

const channelWords = ['', 'grey', 'grey with alpha', 'RGB', 'RGB with alpha'];

export function infoLine({
  file,
  width,
  height,
  channels,
  sampleType,
  format,
  profile,
  fileBytes,
}: InfoRecord): string {
  const parts = [
    `${width} × ${height}`,
    channelWords[channels] ?? '',
    depths[sampleType],
    format,
    profile,
    bytesText(fileBytes),
  ];
  return `${oneLine(file)}: ${parts.filter((part) => part !== '').join(', ')}`;
}

/** The catalogue for machines: the filters that --filter takes. */
export function filterRecords() {
  return catalogue
    .filter(({ kind }) => kind !== 'custom')
    .map(({ kind, group, flat, source, parameters }) => ({ name: kind, group, flat, source, parameters }));
}

/** The catalogue for people, a line a filter. */
export function filterLines(): readonly string[] {
  return filterRecords().map(({ name, group, parameters }) => {
    const words = parameters.map((spec) => `${spec.key}=${spec.default} (${rangeText(spec)})`);
    return `${name.padEnd(20)} ${group.padEnd(8)} ${words.join(', ')}`.trimEnd();
  });
}

/** A failure for machines. */
export function failureRecord(failure: Failure, exitCode: number) {
  return { ok: false, exitCode, error: { ...failure, message: errorText(failure, commandLanguage) } };
}

/** The one line about what went wrong. */
export function failureLine(thrown: unknown): string {
  return errorText(failureOf(thrown), commandLanguage);
}
