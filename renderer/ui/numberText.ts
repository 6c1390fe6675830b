// Numbers as the page writes them, held in ranges and moved to steps. What people type is read by core/numbers.ts. Pure.

/** A value held in a range and, for whole numbers, rounded. */
export function limitNumber(value: number, minimum: number, maximum: number, whole: boolean): number {
  const rounded = whole ? Math.round(value) : value;
  return Math.min(maximum, Math.max(minimum, rounded));
}

/** A value moved to the nearest multiple of `step` from 0, without the dust of binary fractions. */
export function roundToStep(value: number, step: number): number {
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  return Number((Math.round(value / step) * step).toFixed(Math.min(12, digits + 1)));
}

/** A number with at most `digits` significant digits and no trailing zeros, a true minus sign left to the style: `-`. */
export function formatNumber(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(digits));
  const size = Math.abs(rounded);
  return size >= 1e-6 && size < 1e9
    ? trimZeros(rounded.toFixed(Math.min(12, decimals(size, digits))))
    : String(rounded);
}

/** A share of energy in percent, to four decimals: never 100 while something that is more than rounding is missing. */
export function formatEnergy(share: number): string {
  const percent = share >= 1 - 1e-12 ? 100 : Math.min(99.9999, Math.round(share * 1e6) / 1e4);
  return `${formatNumber(percent, 7)} %`;
}

/** A share in percent, in three digits: never 0 while there is something, nor 100 while something is missing. */
export function formatShare(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.01) return '<0.01';
  if (percent > 99.99 && percent < 100) return '>99.99';
  return formatNumber(percent, 3);
}

function decimals(size: number, digits: number): number {
  return Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
}

function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/**
 * A weight for a cell of a grid `columns` wide, shortened to what fits: three decimals up to 7 columns as in 0.277, two up
 * to 9, and from 10 on without the leading zero, as in .28. Smaller ones have a digit and a power of ten, as in -3e-4. Whole
 * numbers stay whole, and 0 is always written 0.
 */
export function formatCell(value: number, columns: number): string {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < (columns > 9 ? 1000 : 100_000)) return String(value);
  const decimals = columns <= 7 ? 3 : 2;
  if (size >= 1000 || size < 0.5 * 10 ** -decimals) {
    return value.toExponential(0).replace('e+', 'e');
  }
  const text = value.toFixed(Math.max(0, decimals - Math.max(0, Math.floor(Math.log10(size)))));
  // From 10 columns on there is room for `-.94`, and for `-1.0` where rounding reached the whole number.
  return columns > 9 ? text.replace(/^(-?)0\./, '$1.').replace(/^(-?\d\.\d)\d$/, '$1') : text;
}

/** Bytes as people read them: `3.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${formatNumber(bytes / 1e3, 3)} kB`;
  return bytes < 999_500_000 ? `${formatNumber(bytes / 1e6, 3)} MB` : `${formatNumber(bytes / 1e9, 3)} GB`;
}

/** Milliseconds for the engine chip: `0.9 ms`, `27 ms`, `1.2 s`. */
export function formatMilliseconds(value: number): string {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`;
  return value >= 10 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`;
}
