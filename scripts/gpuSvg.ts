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
export type Mark =
  /** From the axis to x in that row of `labels`. */
  | { readonly kind: 'bar'; readonly row: number; readonly x: number; readonly strong: boolean; readonly text: string }
  /** Across the whole chart at x. */
  | { readonly kind: 'line'; readonly x: number; readonly text: string }
  /** Along the whole chart at y. */
  | { readonly kind: 'level'; readonly y: number; readonly text: string }
  | { readonly kind: 'curve'; readonly points: readonly (readonly [number, number])[]; readonly text: string }
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

const colours = ['#3b82f6', '#f59e0b', '#10b981', '#ef4444'] as const;
const grey = '#888888';
const quiet = '#9aa7b8';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const place = (value: number) => value.toFixed(1);
const textAt = (x: number, y: number, text: string, more = '') =>
  `<text x="${place(x)}" y="${place(y)}"${more}>${escaped(text)}</text>`;

type Spot = readonly [x: number, y: number];

/** Where names go so that none lies over another: as wanted, or higher. */
function apart(wanted: readonly Spot[]): readonly Spot[] {
  const placed: Spot[] = [];
  for (const [x, y] of wanted) {
    let free = y;
    while (placed.some(([u, v]) => Math.abs(u - x) < 85 && Math.abs(v - free) < 12)) free -= 12;
    placed.push([x, free]);
  }
  return placed;
}

export function svgOf({ title, x, y, labels = [], marks }: Chart): string {
  const inner = labels.length > 0 ? labels.length * rowHeight : plainHeight;
  const height = top + inner + bottom;
  const xAt = (value: number) => left + x.scale.at(value) * (width - left - right);
  const yAt = (value: number) => top + (1 - (y?.scale.at(value) ?? 0)) * inner;
  const parts: string[] = [textAt(left, 22, title, ' font-size="15" font-weight="600"')];
  for (const tick of x.ticks) {
    parts.push(
      `<line x1="${place(xAt(tick))}" y1="${top}" x2="${place(xAt(tick))}" y2="${top + inner}" stroke="${grey}" stroke-opacity="0.25"/>`,
      textAt(xAt(tick), top + inner + 16, String(tick), ' text-anchor="middle"'),
    );
  }
  parts.push(textAt((left + width - right) / 2, height - 8, x.title, ' text-anchor="middle"'));
  for (const tick of y?.ticks ?? []) {
    parts.push(
      `<line x1="${left}" y1="${place(yAt(tick))}" x2="${width - right}" y2="${place(yAt(tick))}" stroke="${grey}" stroke-opacity="0.25"/>`,
      textAt(left - 8, yAt(tick) + 4, String(tick), ' text-anchor="end"'),
    );
  }
  if (y) parts.push(textAt(left, top - 10, y.title));
  labels.forEach((label, row) => {
    const middle = top + row * rowHeight + 12;
    if (label.startsWith('#')) parts.push(textAt(left, middle, label.slice(1).trim(), ' font-weight="600"'));
    else parts.push(textAt(left - 8, middle, label, ' text-anchor="end"'));
  });
  const curves = marks.filter((mark) => mark.kind === 'curve');
  const curveNames = apart(curves.map(({ points }) => [width - right, yAt(points.at(-1)?.[1] ?? 1) - 6]));
  const points = marks.filter((mark) => mark.kind === 'point' && mark.text !== '');
  const pointNames = apart(points.map((mark) => (mark.kind === 'point' ? [xAt(mark.x) + 6, yAt(mark.y) + 4] : [0, 0])));
  for (const mark of marks) {
    switch (mark.kind) {
      case 'bar': {
        const from = top + mark.row * rowHeight + 2;
        const colour = mark.strong ? colours[0] : quiet;
        parts.push(
          `<rect x="${left}" y="${from}" width="${place(Math.max(1, xAt(mark.x) - left))}" height="${rowHeight - 4}" fill="${colour}"/>`,
          textAt(xAt(mark.x) + 5, from + 11, mark.text),
        );
        break;
      }
      case 'line':
        parts.push(
          `<line x1="${place(xAt(mark.x))}" y1="${top}" x2="${place(xAt(mark.x))}" y2="${top + inner}" stroke="${colours[1]}" stroke-dasharray="4 3"/>`,
          textAt(xAt(mark.x) + 4, top - 4, mark.text),
        );
        break;
      case 'level':
        parts.push(
          `<line x1="${left}" y1="${place(yAt(mark.y))}" x2="${width - right}" y2="${place(yAt(mark.y))}" stroke="${grey}" stroke-dasharray="4 3"/>`,
          textAt(left + 6, yAt(mark.y) - 5, mark.text),
        );
        break;
      case 'curve': {
        const index = curves.indexOf(mark);
        const colour = colours[index % colours.length] ?? grey;
        const path = mark.points.map(([u, v]) => `${place(xAt(u))},${place(yAt(v))}`).join(' ');
        parts.push(
          `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
          textAt(...(curveNames[index] ?? [left, top]), mark.text, ` text-anchor="end" style="fill:${colour}"`),
        );
        break;
      }
      case 'point':
        parts.push(
          `<circle cx="${place(xAt(mark.x))}" cy="${place(yAt(mark.y))}" r="4" fill="${mark.strong ? colours[0] : quiet}"/>`,
          ...(mark.text === ''
            ? []
            : [textAt(...(pointNames[points.indexOf(mark)] ?? [left, top]), mark.text, ' font-size="11"')]),
        );
        break;
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    '<style>text { fill: #334155 } @media (prefers-color-scheme: dark) { text { fill: #cbd5e1 } }</style>',
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
