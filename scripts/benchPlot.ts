// The plot of `npm run bench:cpu -- --plot FILE.svg`: time against kernel size, one line for each path of the engine and
// one for each peer, a panel for each kind of kernel and picture, and a mark where another path becomes the fastest.

interface Timing {
  readonly minimumMs: number;
  readonly cpuMinimumMs: number;
}
interface MeasuredRow {
  readonly curve: string;
  readonly size: number;
  readonly copyFloor: Timing;
  readonly paths: readonly { readonly path: string; readonly refusal?: string; readonly timing?: Timing }[];
  readonly peers: readonly { readonly family: string; readonly timing: Timing }[];
}
interface MeasuredSetting {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly threads: number;
  readonly rows: readonly MeasuredRow[];
}
/** What the bench writes as JSON, as far as the plot reads it. */
export interface Measurements {
  readonly ours: string;
  readonly peers: readonly string[];
  readonly settings: readonly MeasuredSetting[];
}

/** What is measured for the plot unless more is said. */
export const plotWords: readonly string[] = [
  '--path',
  'every',
  '--rows',
  '^(dense|gaussian|box) ',
  '--formats',
  '^(u8|f32) RGBA$',
  '--megapixels',
  '12',
  '--threads',
  'all',
];

interface Point {
  readonly size: number;
  readonly milliseconds: number;
}
interface Line {
  readonly name: string;
  readonly own: boolean;
  readonly points: readonly Point[];
}
interface Crossover {
  readonly size: number;
  readonly milliseconds: number;
  readonly to: string;
}
interface Panel {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly crossovers: readonly Crossover[];
}

const curves: readonly (readonly [name: string, title: string])[] = [
  ['dense', 'kernel without structure'],
  ['gaussian', 'Gaussian'],
  ['box', 'box'],
];

/** Okabe and Ito's colours, which people with any colour vision tell apart. */
const colours: Readonly<Record<string, string>> = {
  dense: '#0072b2',
  fft: '#d55e00',
  separable: '#009e73',
  box: '#cc79a7',
  sparse: '#e69f00',
  OpenCV: '#555555',
  libvips: '#999999',
  'copy of the picture': '#bbbbbb',
};
const dashes: Readonly<Record<string, string>> = { OpenCV: '6 3', libvips: '2 3', 'copy of the picture': '1 2' };

function line(name: string, own: boolean, rows: readonly MeasuredRow[], time: (row: MeasuredRow) => number): Line {
  const points = rows
    .map((row) => ({ size: row.size, milliseconds: time(row) }))
    .filter(({ milliseconds }) => Number.isFinite(milliseconds))
    .toSorted((a, b) => a.size - b.size);
  return { name, own, points };
}

function linesOf(rows: readonly MeasuredRow[]): readonly Line[] {
  const paths = [...new Set(rows.flatMap((row) => row.paths.map(({ path }) => path)))];
  const families = [...new Set(rows.flatMap((row) => row.peers.map(({ family }) => family)))];
  const ofPath = (name: string) => (row: MeasuredRow) =>
    row.paths.find(({ path }) => path === name)?.timing?.minimumMs ?? Number.POSITIVE_INFINITY;
  const ofFamily = (name: string) => (row: MeasuredRow) =>
    Math.min(...row.peers.filter(({ family }) => family === name).map(({ timing }) => timing.minimumMs));
  return [
    ...paths.map((name) => line(name, true, rows, ofPath(name))),
    ...families.map((name) => line(name, false, rows, ofFamily(name))),
    line('copy of the picture', false, rows, (row) => row.copyFloor.minimumMs),
  ].filter(({ points }) => points.length > 0);
}

const at = ({ points }: Line, size: number): number =>
  points.find((point) => point.size === size)?.milliseconds ?? Number.POSITIVE_INFINITY;

/** Where the fastest of our paths changes between two measured sizes: the lines' meeting point on logarithmic axes. */
function crossoversOf(lines: readonly Line[]): readonly Crossover[] {
  const own = lines.filter((one) => one.own);
  const sizes = [...new Set(own.flatMap(({ points }) => points.map(({ size }) => size)))].toSorted((a, b) => a - b);
  const fastest = (size: number) => own.reduce((best, one) => (at(one, size) < at(best, size) ? one : best));
  return sizes.slice(1).flatMap((right, index) => {
    const left = sizes[index] ?? right;
    const [before, after] = [fastest(left), fastest(right)];
    if (before === after) return [];
    const gap = (size: number) => Math.log(at(before, size) / at(after, size));
    const share = gap(left) / (gap(left) - gap(right));
    if (!Number.isFinite(share)) return [];
    const between = (a: number, b: number) => a * (b / a) ** share;
    const milliseconds = between(at(before, left), at(before, right));
    return [{ size: between(left, right), milliseconds, to: after.name }];
  });
}

function panelsOf({ settings }: Measurements): readonly Panel[] {
  return settings.flatMap((setting) =>
    curves.flatMap(([curve, title]) => {
      const rows = setting.rows.filter((row) => row.curve === curve);
      if (rows.length === 0) return [];
      const lines = linesOf(rows);
      return [{ title: `${setting.format}, ${title}`, lines, crossovers: crossoversOf(lines) }];
    }),
  );
}

// ---- Drawing --------------------------------------------------------------------------------------------------------

const panelWidth = 300;
const panelHeight = 230;
const margin = { left: 52, right: 12, top: 30, bottom: 34 };
const headHeight = 62;

const text = (x: number, y: number, words: string, style = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}"${style}>${words.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;

/** A logarithmic axis: from values to places. */
const axis = (least: number, most: number, from: number, to: number) => (value: number) =>
  from + (Math.log(value / least) / Math.log(most / least)) * (to - from);

function drawPanel(panel: Panel, left: number, top: number): string {
  const points = panel.lines.flatMap((one) => one.points);
  const sizes = [...new Set(points.map(({ size }) => size))].toSorted((a, b) => a - b);
  const times = points.map(({ milliseconds }) => milliseconds);
  const lowest = 10 ** Math.floor(Math.log10(Math.min(...times)));
  const highest = 10 ** Math.ceil(Math.log10(Math.max(...times)));
  const [right, bottom] = [left + panelWidth - margin.right, top + panelHeight - margin.bottom];
  const x = axis((sizes[0] ?? 1) / 1.1, (sizes.at(-1) ?? 2) * 1.1, left + margin.left, right);
  const y = axis(lowest, highest, bottom, top + margin.top);
  const decades = Array.from({ length: Math.round(Math.log10(highest / lowest)) + 1 }, (_, i) => lowest * 10 ** i);
  const drawnLines = panel.lines.map(({ name, own, points: own_points }) => {
    const places = own_points.map((point) => `${x(point.size).toFixed(1)},${y(point.milliseconds).toFixed(1)}`);
    const dash = dashes[name] ? ` stroke-dasharray="${dashes[name]}"` : '';
    const colour = colours[name] ?? '#000000';
    return `<polyline points="${places.join(' ')}" fill="none" stroke="${colour}" stroke-width="${own ? 2 : 1.3}"${dash}/>`;
  });
  const drawnCrossovers = panel.crossovers.map(({ size, milliseconds, to }) => {
    const [cx, cy] = [x(size), y(milliseconds)];
    const mark = `<circle cx="${cx.toFixed(1)}" cy="${cy.toFixed(1)}" r="4" fill="none" stroke="#000000"/>`;
    return mark + text(cx + 6, cy + 14, `${to} from ${Math.ceil(size)}`, ' font-weight="bold"');
  });
  return [
    text(left + margin.left, top + 18, panel.title, ' font-weight="bold"'),
    ...decades.map(
      (value) =>
        `<line x1="${left + margin.left}" x2="${right}" y1="${y(value).toFixed(1)}" y2="${y(value).toFixed(1)}" stroke="#e5e5e5"/>` +
        text(left + margin.left - 6, y(value) + 4, String(value), ' text-anchor="end"'),
    ),
    ...sizes.map((size) => text(x(size), bottom + 15, String(size), ' text-anchor="middle"')),
    text((left + margin.left + right) / 2, bottom + 29, 'cells a side', ' text-anchor="middle" fill="#666666"'),
    ...drawnLines,
    ...drawnCrossovers,
  ].join('\n');
}

/** The measurements as an SVG drawing: a row of panels for each setting. Throws where nothing can be drawn. */
export function plotOf(measurements: Measurements): string {
  const panels = panelsOf(measurements);
  const columns = Math.min(curves.length, panels.length);
  if (columns === 0) throw new Error('nothing was measured that belongs to a curve');
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const width = columns * panelWidth;
  const height = headHeight + Math.ceil(panels.length / columns) * panelHeight;
  const setting = measurements.settings[0];
  const megapixels = setting ? Math.round((setting.width * setting.height) / 1e6) : 0;
  const title = `Milliseconds for ${megapixels} megapixels by kernel size: ${measurements.ours}`;
  const legend = names.map((name, index) => {
    const left = margin.left + index * 108;
    const dash = dashes[name] ? ` stroke-dasharray="${dashes[name]}"` : '';
    const stroke = `stroke="${colours[name] ?? '#000000'}" stroke-width="2"${dash}`;
    return `<line x1="${left}" x2="${left + 22}" y1="44" y2="44" ${stroke}/>${text(left + 27, 48, name)}`;
  });
  const drawn = panels.map((panel, index) =>
    drawPanel(panel, (index % columns) * panelWidth, headHeight + Math.floor(index / columns) * panelHeight),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(margin.left, 22, title, ' font-size="14"'),
    ...legend,
    ...drawn,
    '</svg>',
    '',
  ].join('\n');
}
