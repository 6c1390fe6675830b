// Small charts as SVG: bars beside their names, curves and points over two axes. Colours fit light and dark pages.

export interface Scale {
  /** 0…1 along the axis. */
  at(value: number): number;
}
export interface Axis {
  readonly title: string;
  readonly scale: Scale;
  readonly ticks: readonly number[];
}
type Spot = readonly [x: number, y: number];
export type Mark =
  /** From the axis to x in that row of `labels`. */
  | { readonly kind: 'bar'; readonly row: number; readonly x: number; readonly strong: boolean; readonly text: string }
  /** Across the whole chart at x. */
  | { readonly kind: 'line'; readonly x: number; readonly text: string }
  /** Along the whole chart at y. */
  | { readonly kind: 'level'; readonly y: number; readonly text: string }
  /** Straight lines from point to point, its name at the last; `dots` shows the points. */
  | {
      readonly kind: 'curve';
      readonly points: readonly Spot[];
      readonly text: string;
      readonly dots?: boolean;
    }
  /** Where two curves meet. */
  | { readonly kind: 'crossing'; readonly x: number; readonly y: number; readonly text: string }
  | {
      readonly kind: 'point';
      readonly x: number;
      readonly y: number;
      readonly strong: boolean;
      readonly text: string;
    };
export interface Chart {
  readonly title: string;
  readonly x: Axis;
  readonly y?: Axis;
  /** Rows of bars; one that begins with `#` is a heading. */
  readonly labels?: readonly string[];
  readonly marks: readonly Mark[];
}

export const logScale = (least: number, most: number): Scale => ({
  at: (value) => Math.log(value / least) / Math.log(most / least),
});

const width = 860;
const left = 120;
const right = 40;
const top = 60;
const bottom = 46;
const rowHeight = 17;
const plainHeight = 380;

/** Apart for eyes of any colour vision (after Okabe and Ito), and at 3 : 1 or more on white and on near-black. */
const colours = ['#2b7bd0', '#d55e00', '#009e73', '#c2619a', '#a87900', '#7f8894'] as const;
const grey = '#888888';
const quiet = '#9aa7b8';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const place = (value: number) => value.toFixed(1);
const textAt = (x: number, y: number, text: string, more = '') =>
  `<text x="${place(x)}" y="${place(y)}"${more}>${escaped(text)}</text>`;

interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly anchor: 'start' | 'end';
}

const letterWidth = 6.2;
const from = ({ x, text, anchor }: Label) => (anchor === 'end' ? x - text.length * letterWidth : x);
const to = (label: Label) => from(label) + label.text.length * letterWidth;
const lies = (a: Label, b: Label) => Math.abs(a.y - b.y) < 13 && from(a) < to(b) && from(b) < to(a);

/** The labels so that none lies over another: as wanted, or higher. */
function apart(wanted: readonly Label[]): readonly Label[] {
  const placed: Label[] = [];
  for (const label of wanted) {
    let free = label;
    while (placed.some((other) => lies(other, free))) free = { ...free, y: free.y - 4 };
    placed.push(free);
  }
  return placed;
}

type Place = (value: number) => number;

/** What a mark is called, beside it. */
function labelOf(mark: Mark, xAt: Place, yAt: Place): readonly Label[] {
  switch (mark.kind) {
    case 'curve': {
      const [x, y] = mark.points.at(-1) ?? [0, 0];
      const beside: Label = { x: xAt(x) + 8, y: yAt(y) + 4, text: mark.text, anchor: 'start' };
      const fits = to(beside) <= width;
      return [
        fits ? beside : { x: Math.min(xAt(x) + 8, width - right), y: yAt(y) - 7, text: mark.text, anchor: 'end' },
      ];
    }
    case 'point':
      return mark.text === '' ? [] : [{ x: xAt(mark.x) + 6, y: yAt(mark.y) + 4, text: mark.text, anchor: 'start' }];
    case 'crossing':
      return [{ x: xAt(mark.x) + 7, y: yAt(mark.y) + 15, text: mark.text, anchor: 'start' }];
    default:
      return [];
  }
}

const lineOf = (ends: string, more: string) => `<line ${ends} ${more}/>`;
const vertical = (x: number, bottomY: number) => `x1="${place(x)}" y1="${top}" x2="${place(x)}" y2="${bottomY}"`;
const horizontal = (y: number) => `x1="${left}" y1="${place(y)}" x2="${width - right}" y2="${place(y)}"`;

function drawn(mark: Mark, colour: string, xAt: Place, yAt: Place, bottomY: number): readonly string[] {
  const dashed = (stroke: string) => `stroke="${stroke}" stroke-dasharray="4 3"`;
  const dot = ([x, y]: Spot, radius: number, fill: string) =>
    `<circle cx="${place(xAt(x))}" cy="${place(yAt(y))}" r="${radius}" fill="${fill}"/>`;
  switch (mark.kind) {
    case 'bar': {
      const y = top + mark.row * rowHeight + 2;
      const long = place(Math.max(1, xAt(mark.x) - left));
      const fill = mark.strong ? colours[0] : quiet;
      return [
        `<rect x="${left}" y="${y}" width="${long}" height="${rowHeight - 4}" fill="${fill}"/>`,
        textAt(xAt(mark.x) + 5, y + 11, mark.text),
      ];
    }
    case 'line':
      return [lineOf(vertical(xAt(mark.x), bottomY), dashed(colours[1])), textAt(xAt(mark.x) + 4, top - 4, mark.text)];
    case 'level':
      return [lineOf(horizontal(yAt(mark.y)), dashed(grey)), textAt(left + 6, yAt(mark.y) - 5, mark.text)];
    case 'curve': {
      const path = mark.points.map(([x, y]) => `${place(xAt(x))},${place(yAt(y))}`).join(' ');
      return [
        `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...(mark.dots ? mark.points.map((point) => dot(point, 3, colour)) : []),
      ];
    }
    case 'point':
      return [dot([mark.x, mark.y], 4, mark.strong ? colours[0] : quiet)];
    case 'crossing':
      return [
        `<circle cx="${place(xAt(mark.x))}" cy="${place(yAt(mark.y))}" r="6" fill="none" stroke="${grey}" stroke-width="1.5"/>`,
      ];
  }
}

export function svgOf({ title, x, y, labels = [], marks }: Chart): string {
  const inner = labels.length > 0 ? labels.length * rowHeight : plainHeight;
  const height = top + inner + bottom;
  const xAt = (value: number) => left + x.scale.at(value) * (width - left - right);
  const yAt = (value: number) => top + (1 - (y?.scale.at(value) ?? 0)) * inner;
  const faint = `stroke="${grey}" stroke-opacity="0.25"`;
  const parts: string[] = [textAt(left, 22, title, ' font-size="15" font-weight="600"')];
  for (const tick of x.ticks)
    parts.push(
      lineOf(vertical(xAt(tick), top + inner), faint),
      textAt(xAt(tick), top + inner + 16, String(tick), ' text-anchor="middle"'),
    );
  parts.push(textAt((left + width - right) / 2, height - 8, x.title, ' text-anchor="middle"'));
  for (const tick of y?.ticks ?? [])
    parts.push(
      lineOf(horizontal(yAt(tick)), faint),
      textAt(left - 8, yAt(tick) + 4, String(tick), ' text-anchor="end"'),
    );
  if (y) parts.push(textAt(left, top - 10, y.title));
  labels.forEach((label, row) => {
    const middle = top + row * rowHeight + 12;
    if (label.startsWith('#')) parts.push(textAt(left, middle, label.slice(1).trim(), ' font-weight="600"'));
    else parts.push(textAt(left - 8, middle, label, ' text-anchor="end"'));
  });
  const curves = marks.filter((mark) => mark.kind === 'curve');
  for (const mark of marks) {
    const colour = mark.kind === 'curve' ? colours[curves.indexOf(mark) % colours.length] : undefined;
    parts.push(...drawn(mark, colour ?? grey, xAt, yAt, top + inner));
  }
  for (const { x: at, y: above, text, anchor } of apart(marks.flatMap((mark) => labelOf(mark, xAt, yAt))))
    parts.push(textAt(at, above, text, ` text-anchor="${anchor}"`));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    '<style>text { fill: #334155 } @media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } }</style>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
