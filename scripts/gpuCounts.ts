// What ncu counted for each row of the measurements, from the CSV that test/gpu/run.sh keeps: one line for each kernel, its
// name behind the row's name; a row of several kernels is their sum.

export interface CountedRow {
  readonly row: string;
  readonly kind: string;
  readonly kernels: number;
  readonly ms: number;
  readonly dramBytes: number;
  /** Additions, multiplications, and multiply-adds twice, in float32. */
  readonly flops: number;
  /** Shares of what the device can do at most, weighted by time. */
  readonly memoryPercent: number;
  readonly issuePercent: number;
  readonly tensorPercent: number;
  readonly sharedPercent: number;
}

const columns = {
  name: 'Kernel Name',
  nanoseconds: 'gpu__time_duration.sum',
  bytes: 'dram__bytes.sum',
  memory: 'dram__throughput.avg.pct_of_peak_sustained_elapsed',
  issue: 'smsp__issue_active.avg.pct_of_peak_sustained_active',
  tensor: 'sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active',
  shared: 'l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed',
  fma: 'smsp__sass_thread_inst_executed_op_ffma_pred_on.sum',
  add: 'smsp__sass_thread_inst_executed_op_fadd_pred_on.sum',
  multiply: 'smsp__sass_thread_inst_executed_op_fmul_pred_on.sum',
} as const;
type Column = keyof typeof columns;

/** The cells of a line in which every cell stands in quotes and quotes are doubled. */
const cellsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"((?:[^"]|"")*)"/g)].map((match) => (match[1] ?? '').replaceAll('""', '"'));

/** Throws where a counted column is missing or a count is no number. */
export function countedRows(csv: string): readonly CountedRow[] {
  const [header, , ...lines] = csv.split('\n').filter((line) => line.startsWith('"'));
  const names = cellsOf(header ?? '');
  const places = Object.fromEntries(
    Object.entries(columns).map(([column, name]) => {
      const place = names.indexOf(name);
      if (place < 0) throw new Error(`the profiler's output has no column ${name}`);
      return [column, place];
    }),
  ) as Record<Column, number>;
  const rows = new Map<string, CountedRow>();
  for (const line of lines) {
    const cells = cellsOf(line);
    const count = (column: Column) => {
      const value = Number((cells[places[column]] ?? '').replaceAll(',', ''));
      if (!Number.isFinite(value)) throw new Error(`${columns[column]}: ${cells[places[column]]}`);
      return value;
    };
    const [range = ''] = (cells[places.name] ?? '').split('/');
    const kind = range.slice(range.lastIndexOf(' ') + 1);
    const before = rows.get(range);
    const ms = count('nanoseconds') / 1e6;
    const total = (before?.ms ?? 0) + ms;
    const weighted = (old: number | undefined, now: number) => ((old ?? 0) * (before?.ms ?? 0) + now * ms) / total;
    rows.set(range, {
      row: range.slice(0, range.lastIndexOf(' ')),
      kind,
      kernels: (before?.kernels ?? 0) + 1,
      ms: total,
      dramBytes: (before?.dramBytes ?? 0) + count('bytes'),
      flops: (before?.flops ?? 0) + 2 * count('fma') + count('add') + count('multiply'),
      memoryPercent: weighted(before?.memoryPercent, count('memory')),
      issuePercent: weighted(before?.issuePercent, count('issue')),
      tensorPercent: weighted(before?.tensorPercent, count('tensor')),
      sharedPercent: weighted(before?.sharedPercent, count('shared')),
    });
  }
  return [...rows.values()].map((row) => ({
    ...row,
    ms: round(row.ms, 5),
    memoryPercent: round(row.memoryPercent, 2),
    issuePercent: round(row.issuePercent, 2),
    tensorPercent: round(row.tensorPercent, 2),
    sharedPercent: round(row.sharedPercent, 2),
  }));
}

const round = (value: number, places: number) => Number(value.toFixed(places));
