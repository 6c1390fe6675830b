// core/shippedCpu.ts, from calibrations of one computer: of each time the least, as what else a computer does only adds.
//   for i in 1 2 3; do npm run -s calibrate -- --busy --json > $i.json; done; npx tsx scripts/shippedCpu.ts 1.json 2.json 3.json

import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type CostCurve, type CostTable, costKinds, costTableSchema, type PathCurves } from '../core/costs';
import { inRoot } from './paths';

const head = `// The shipped costs of the cpu backend in picoseconds a pixel: \`npm run calibrate -- --busy --json\` on two AVX-512 cores,
// the least of several runs (scripts/shippedCpu.ts).

import type { CostPoints } from './costPoints';

`;

/** The curves of a kind of picture by the names that costPoints.ts gives them. */
function named({ dense, sparse, separable, box, fft, magnitude }: PathCurves): Readonly<Record<string, CostCurve>> {
  const pairs = separable.map(({ pairs: count, curve }) => [`separable${count}`, curve] as const);
  return { dense, sparse: sparse ?? [], ...Object.fromEntries(pairs), box: box ?? [], fft: fft ?? [], magnitude };
}

/** Three digits, in picoseconds. */
const picoseconds = (nanoseconds: number): number => Number((nanoseconds * 1000).toPrecision(3));

export function shippedCpuText(tables: readonly CostTable[]): string {
  const curvesOf = (kind: (typeof costKinds)[number]) => tables.map(({ curves }) => named(curves[kind]));
  const names = Object.keys(curvesOf('u8x1')[0] ?? {});
  const sizesOf = (name: string): readonly number[] => {
    const sizes = costKinds.flatMap((kind) => curvesOf(kind).flatMap((curves) => curves[name] ?? []));
    return [...new Set(sizes.map(([size]) => size))].toSorted((a, b) => a - b);
  };
  const timesOf = (kind: (typeof costKinds)[number], name: string): readonly number[] => {
    const points = curvesOf(kind).flatMap((curves) => curves[name] ?? []);
    const at = (size: number) => points.filter(([own]) => own === size).map(([, nanoseconds]) => nanoseconds);
    return sizesOf(name).flatMap((size) => (at(size).length === 0 ? [] : [picoseconds(Math.min(...at(size)))]));
  };
  const start = Math.min(...tables.map(({ start: own }) => own));
  const list = (name: string, values: readonly number[], indent: string) => `${indent}${name}: [${values.join(', ')}],`;
  return [
    `${head}export const cpuStart = ${Number(start.toPrecision(2))};`,
    '',
    'export const cpuPoints: CostPoints = {',
    '  unit: 1e-3,',
    '  sizes: {',
    ...names.map((name) => list(name, sizesOf(name), '    ')),
    '  },',
    '  times: {',
    ...costKinds.flatMap((kind) => [
      `    ${kind}: {`,
      ...names.map((name) => list(name, timesOf(kind, name), '      ')),
      '    },',
    ]),
    '  },',
    '};',
    '',
  ].join('\n');
}

function main(files: readonly string[]): void {
  const schema = z.object({ table: costTableSchema });
  const tables = files.map((file) => schema.parse(JSON.parse(readFileSync(file, 'utf8'))).table);
  writeFileSync(inRoot('core', 'shippedCpu.ts'), shippedCpuText(tables));
}

if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
