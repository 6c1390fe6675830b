// The kernel inside a program: the first list of numbers that could be one, with what else is read stands beside it in the
// programs that Convolve itself writes (core/kernelCode.ts): anchor, divisor and bias.

import { parseKernelText } from '../formats';
import type { Kernel } from '../kernel';
import { type KernelReading, plainReading } from './reading';

/** Where a list of numbers may begin in NumPy, MATLAB, C, C++, CUDA and GLSL. */
const listStart =
  /(?:\b(?:np|numpy|cp|torch|jnp)\.(?:array|asarray|matrix|tensor)\s{0,20}\(|=\s{0,20}(?:(?:float|double|int)\s{0,9}\[\d{0,6}\]\s{0,9}\(|[[{]))/g;
const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Whether a text is a program with a kernel in it rather than a kernel. */
export function looksLikeProgram(text: string): boolean {
  const isProgram =
    /^\s*(?:import|from|def|function|#include|#version|__global__|__constant__|const|static|void|class|public)\b/m.test(
      text,
    );
  return isProgram && text.search(listStart) >= 0;
}

/** Where the bracket that opens at an offset is closed; −1 where it is not. Comments do not count. */
function closeOf(text: string, start: number): number {
  const open: string[] = [];
  for (let index = start; index < text.length; index++) {
    const sign = text[index] ?? '';
    const close = closing[sign];
    if (close !== undefined) open.push(close);
    else if (sign === open.at(-1)) {
      open.pop();
      if (open.length === 0) return index;
    }
  }
  return -1;
}

const number = String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)f?`;
/** The forms of Convolve's own programs. */
const own = {
  divisor: [
    new RegExp(String.raw`ij->\.\.\.', windows, kernel\) \/ ${number} \+`),
    new RegExp(String.raw`return result \/ ${number} \+`),
    new RegExp(String.raw`\(kWeights\)\) \/ ${number};`),
    new RegExp(String.raw`sums \/ ${number} \+`),
    new RegExp(String.raw`\bsum \/ ${number} \+`),
  ],
  bias: [
    new RegExp(String.raw`kernel\) \/ \S+ \+ ${number}(?: \* full_scale)?\s*$`, 'm'),
    new RegExp(String.raw`return result \/ \S+ \+ ${number}`),
    new RegExp(`delta=${number}`),
    new RegExp(String.raw`cv::Point\(\d+, \d+\), ${number}`),
    new RegExp(String.raw`sums \/ \S+ \+ ${number} \* fullScale`),
    new RegExp(String.raw`\bsum \/ \S+ \+ ${number}`),
  ],
  anchor: [/anchor=\((\d+), (\d+)\)/, /cv::Point\((\d+), (\d+)\)/, /\bx = [Pp]lace\((?:at\.x|px) \+ i - (\d+)/],
};

function firstNumber(text: string, patterns: readonly RegExp[]): number | null {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined && Number.isFinite(Number(found))) return Number(found);
  }
  return null;
}

/** Column and row of the anchor as one of our programs says it; null where none does. */
function anchorIn(text: string, { width, height }: Kernel): readonly [number, number] | null {
  for (const pattern of own.anchor) {
    const found = pattern.exec(text);
    if (found?.[2] !== undefined) return [Number(found[1]), Number(found[2])];
    const row = found && /\by = [Pp]lace\((?:at\.y|py) \+ j - (\d+)/.exec(text)?.[1];
    if (found && row) return [Number(found[1]), Number(row)];
  }
  const around = /around = \[\((\d+), \d+\), \((\d+), \d+\)\]/.exec(text);
  if (around) return [Number(around[2]), Number(around[1])];
  const places = /rows = place\(-?(\d+):[\s\S]{0,200}?columns = place\(-?(\d+):/.exec(text);
  if (places) return [Number(places[2]), Number(places[1])];
  const padded = /padded\((\d+) \+ \(1:height\), (\d+) \+ \(1:width\), :\)/.exec(text);
  if (padded) return [Number(padded[2]), Number(padded[1])];
  const origin = /origin = \((-?\d+), (-?\d+)\)/.exec(text);
  return origin && [Number(origin[2]) + Math.floor(width / 2), Number(origin[1]) + Math.floor(height / 2)];
}

/** Reads the first list of numbers of a program. Throws ConvolveError `invalidKernel`; places are those of the program. */
export function readProgram(text: string): KernelReading {
  let refused: unknown = null;
  for (const found of [...text.matchAll(listStart)].slice(0, 50)) {
    // The word before the bracket belongs to a call such as np.array(…).
    const start = found.index + (found[0].startsWith('=') ? 1 : 0);
    const close = closeOf(text, found.index + found[0].length - 1);
    if (close < 0) continue;
    const behind = /^\s{0,20}\/\s{0,20}\d[\d.e+-]{0,30}/i.exec(text.slice(close + 1))?.[0].length ?? 0;
    // All but the list blanked, so that every place stays what it is.
    const blank = text.slice(0, start).replace(/[^\r\n]/g, ' ');
    try {
      const { kernel, notes } = parseKernelText(blank + text.slice(start, close + 1 + behind));
      const ours = anchorIn(text, kernel);
      const [anchorX, anchorY] = ours ?? [kernel.anchorX, kernel.anchorY];
      const divisor = firstNumber(text, own.divisor) ?? kernel.divisor;
      const said = { anchorX, anchorY, divisor, bias: firstNumber(text, own.bias) ?? 0 };
      return plainReading('literal', [{ name: '', kernel: ours ? { ...kernel, ...said } : kernel }], {
        notes,
        orientationSaid: ours !== null,
      });
    } catch (thrown) {
      refused ??= thrown;
    }
  }
  if (refused !== null) throw refused;
  const { kernel, notes } = parseKernelText(text);
  return plainReading('literal', [{ name: '', kernel }], { notes, orientationSaid: false });
}
