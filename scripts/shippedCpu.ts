// core/shippedCpu.ts, from calibrations of one computer: of each time the least, as what else a computer does only adds.
//   for i in 1 2 3; do npm run -s calibrate -- --busy --json > $i.json; done; npx tsx scripts/shippedCpu.ts 1.json 2.json 3.json

import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { type PointName, pointNames } from '../core/costPoints';
import {
  type CostCurve,
  type CostKind,
  type CostTable,
  costKinds,
  costTableSchema,
  type PathCurves,
} from '../core/costs';
import { inRoot } from './paths';

const head = `// The shipped costs of the cpu backend in picoseconds, of a pixel or of an instruction: \`npm run calibrate -- --busy --json\`
// on two AVX-512 cores, the least of several runs (scripts/shippedCpu.ts).

import type { CostPoints } from './costPoints';

`;

/** The curves of a kind of picture by the names that costPoints.ts gives them. */
function named({ dense, whole, sparse, separable, box, magnitude }: PathCurves): Partial<Record<PointName, CostCurve>> {
  const pairs = separable.map(({ pairs: count, curve }) => [`separable${count}`, curve] as const);
  return {
    ...Object.fromEntries(pairs),
    ...{ dense, magnitude },
    ...(whole && { whole }),
    ...(sparse && { sparse }),
    ...(box && { box }),
  };
}

/** Three digits, in picoseconds. */
const picoseconds = (nanoseconds: number): number => Number((nanoseconds * 1000).toPrecision(3));
const least = (values: readonly number[]): number => picoseconds(Math.min(...values));

export function shippedCpuText(tables: readonly CostTable[]): string {
  const curvesOf = (kind: CostKind) => tables.map(({ curves }) => named(curves[kind]));
  const names = pointNames.filter((name) => costKinds.some((kind) => curvesOf(kind).some((curves) => curves[name])));
  const sizesOf = (name: PointName): readonly number[] => {
    const sizes = costKinds.flatMap((kind) => curvesOf(kind).flatMap((curves) => curves[name] ?? []));
    return [...new Set(sizes.map(([size]) => size))].toSorted((a, b) => a - b);
  };
  const timesOf = (kind: CostKind, name: PointName): readonly number[] => {
    const points = curvesOf(kind).flatMap((curves) => curves[name] ?? []);
    const at = (size: number) => points.filter(([own]) => own === size).map(([, nanoseconds]) => nanoseconds);
    return sizesOf(name).flatMap((size) => (at(size).length === 0 ? [] : [least(at(size))]));
  };
  const start = Math.min(...tables.map(({ start: own }) => own));
  const list = (name: string, values: readonly number[], indent: string) =>
    values.length === 0 ? [] : [`${indent}${name}: [${values.join(', ')}],`];
  const counted = (kind: CostKind): readonly string[] => {
    const found = tables.flatMap(({ curves }) => curves[kind].transforms ?? []);
    if (found.length === 0) return [];
    const grid = [0, 1, 2].map((place) => least(found.map((one) => one.grid[place] ?? 0)));
    return [`      transforms: { grid: [${grid.join(', ')}], lines: ${least(found.map(({ lines }) => lines))} },`];
  };
  return [
    `${head}export const cpuStart = ${Number(start.toPrecision(2))};`,
    '',
    'export const cpuPoints: CostPoints = {',
    '  unit: 1e-3,',
    '  sizes: {',
    ...names.flatMap((name) => list(name, sizesOf(name), '    ')),
    '  },',
    '  times: {',
    ...costKinds.flatMap((kind) => [
      `    ${kind}: {`,
      ...names.flatMap((name) => list(name, timesOf(kind, name), '      ')),
      `      division: ${least(tables.map(({ curves }) => curves[kind].division))},`,
      `      uneven: ${Number(Math.min(...tables.map(({ curves }) => curves[kind].uneven)).toPrecision(3))},`,
      ...counted(kind),
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
