// A kernel as a JSON object: `kernel` or `matrix`, rows of numbers, or `weights`, rows or one list with `width` or `height`;
// perhaps `anchor` or `anchorX` and `anchorY`, `divisor`, `bias`, `orientation`, and marks of `absent` cells. Other fields are left out.

import { type JsonValue, readJsonText } from './jsonText';
import { createKernel, defaultAnchor, type Kernel, largestShare } from './kernel';
import { cut } from './matrixGrammar';
import { checkRows, type PlacedNumber, valuesOf } from './placedNumbers';
import { unreadable } from './textPlace';

class Reader {
  private readonly fields: ReadonlyMap<string, JsonValue>;
  private readonly start: number;

  constructor(private readonly text: string) {
    const whole = readJsonText(text);
    if (whole.kind !== 'object') throw unreadable(text, whole.start, 'a kernel');
    this.fields = whole.fields;
    this.start = whole.start;
  }

  private number(value: JsonValue, expected = 'a number'): PlacedNumber {
    if (value.kind !== 'number' || !Number.isFinite(value.value)) throw unreadable(this.text, value.start, expected);
    return value;
  }

  private items(value: JsonValue, expected: string): readonly JsonValue[] {
    if (value.kind !== 'list') throw unreadable(this.text, value.start, expected);
    return value.items;
  }

  private row(value: JsonValue): readonly PlacedNumber[] {
    return this.items(value, 'a row of numbers').map((item) => this.number(item));
  }

  private size(name: string): PlacedNumber | undefined {
    const found = this.fields.get(name);
    return found && this.number(found);
  }

  /** The rows; a flat list is cut by the sizes beside it. */
  private rows(): readonly (readonly PlacedNumber[])[] {
    const given = this.fields.get('kernel') ?? this.fields.get('matrix') ?? this.fields.get('weights');
    if (given === undefined) throw unreadable(this.text, this.start, 'kernel, weights or matrix');
    const items = this.items(given, 'rows of numbers');
    if (items[0]?.kind !== 'number') return items.map((item) => this.row(item));
    const flat = items.map((item) => this.number(item));
    const [width, height] = [this.size('width'), this.size('height')];
    const columns = width?.value ?? (height ? flat.length / height.value : flat.length);
    if (!(Number.isInteger(columns) && columns >= 1 && flat.length % columns === 0))
      throw unreadable(
        this.text,
        given.start,
        `width × height = ${Math.ceil(columns) * (height?.value ?? 1)}`,
        `${flat.length} numbers`,
      );
    return cut(flat, columns);
  }

  private anchor(axis: 0 | 1, size: number): number {
    const pair = this.fields.get('anchor');
    const both = pair && this.items(pair, 'two numbers');
    if (pair && both?.length !== 2) throw unreadable(this.text, pair.start, 'two numbers');
    const said = this.fields.get(axis === 0 ? 'anchorX' : 'anchorY') ?? both?.[axis];
    if (said === undefined) return defaultAnchor(size);
    const expected = `a whole number of 0…${size - 1}`;
    const { value, start } = this.number(said, expected);
    if (!Number.isInteger(value) || value < 0 || value >= size) throw unreadable(this.text, start, expected);
    return value;
  }

  private divisor(): number | 'auto' | undefined {
    const said = this.fields.get('divisor');
    if (said === undefined) return undefined;
    if (said.kind === 'text' && said.value === 'auto') return 'auto';
    const { value, start } = this.number(said, 'a divisor or “auto”');
    if (value === 0) throw unreadable(this.text, start, 'a divisor other than 0');
    return value;
  }

  private bias(): number {
    const said = this.fields.get('bias');
    const expected = `a number of at most ${largestShare} in size`;
    if (said === undefined) return 0;
    const { value, start } = this.number(said, expected);
    if (Math.abs(value) > largestShare) throw unreadable(this.text, start, expected);
    return value;
  }

  private absent(cells: number): Kernel['absent'] {
    const said = this.fields.get('absent');
    if (said === undefined) return undefined;
    const marks = this.items(said, 'a list of 0 and 1').map((item) => this.number(item, '0 or 1'));
    const bad = marks.find(({ value }) => value !== 0 && value !== 1);
    if (bad !== undefined) throw unreadable(this.text, bad.start, '0 or 1');
    if (marks.length !== cells) throw unreadable(this.text, said.start, `${cells} numbers`, `${marks.length} numbers`);
    return valuesOf(marks);
  }

  private orientation(): Kernel['orientation'] | undefined {
    const said = this.fields.get('orientation');
    if (said === undefined) return undefined;
    if (said.kind === 'text' && (said.value === 'correlation' || said.value === 'convolution')) return said.value;
    throw unreadable(this.text, said.start, 'one of correlation, convolution');
  }

  read(defaults: Pick<Kernel, 'divisor' | 'orientation'>): Kernel {
    const rows = this.rows();
    checkRows(this.text, rows);
    const [width, height] = [rows[0]?.length ?? 0, rows.length];
    for (const [name, is] of [
      ['width', width],
      ['height', height],
    ] as const) {
      const said = this.size(name);
      if (said !== undefined && said.value !== is) throw unreadable(this.text, said.start, String(is));
    }
    const absent = this.absent(width * height);
    return createKernel(width, height, valuesOf(rows.flat()), {
      ...(absent && { absent }),
      anchorX: this.anchor(0, width),
      anchorY: this.anchor(1, height),
      divisor: this.divisor() ?? defaults.divisor,
      bias: this.bias(),
      orientation: this.orientation() ?? defaults.orientation,
    });
  }
}

/** Reads such an object. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readJsonKernel(text: string, defaults: Pick<Kernel, 'divisor' | 'orientation'>): Kernel {
  return new Reader(text).read(defaults);
}
