// Bare rows of numbers, as spreadsheets, CSV files, books and chats give them. How cells and rows are told apart:
// - a line is a row. Cells are parted by tabs, commas, semicolons or blanks.
// - semicolons part rows where they end lines, where the text is one line, or where blanks or several commas part the
//   numbers between them (1 2 1; 2 4 2); otherwise, on several lines, they part cells as spreadsheets write them.
// - a comma is a decimal comma where tabs or semicolons part the cells (0,5;1), or where the caller says so. Where blanks
//   alone part numbers with one comma each (0,5 1,0) both readings are possible, and the text is refused. On one line it is
//   where semicolons part single numbers of which only some have one (0,5;1;2,25).
// - a slash with blanks before it parts rows (1 2 1 / 2 4 2), or where one number follows at the end it is the divisor
//   (1 2 1 / 4); a slash without blanks is a fraction (1/16). Empty cells between commas, tabs or semicolons are 0.
// - a separator at the end of a line parts nothing where all lines have one, or where the line is longer for it than those
//   without; otherwise the cell behind it is empty.

import type { PlacedNumber } from './placedNumbers';
import { quoted, unreadable } from './textPlace';

type Row = readonly PlacedNumber[];

export interface RowText {
  readonly rows: readonly Row[];
  /** Number after a last slash; 1 where there is none. */
  readonly divisor: number;
  readonly emptyCells: number;
  readonly decimalComma: boolean;
}

/** A piece of the text and where it begins. */
interface Piece {
  readonly text: string;
  readonly offset: number;
}

function split(piece: Piece, separator: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (const found of piece.text.matchAll(separator)) {
    pieces.push({ text: piece.text.slice(start, found.index), offset: piece.offset + start });
    start = found.index + found[0].length;
  }
  return [...pieces, { text: piece.text.slice(start), offset: piece.offset + start }];
}

function trimmed({ text, offset }: Piece): Piece {
  return { text: text.trim(), offset: offset + text.length - text.trimStart().length };
}

const isBlank = ({ text }: Piece) => text.trim() === '';
const count = (text: string, character: string) => text.split(character).length - 1;
const plainNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether semicolons part single numbers of which some have a decimal comma: where all have one, only if `said`. */
function isDecimalLine(text: string, said: boolean): boolean {
  const parts = text.split(';').map((part) => part.trim());
  if (parts.at(-1) === '') parts.pop();
  const decimals = parts.filter((part) => part.includes(',')).length;
  if (decimals === 0 || (decimals === parts.length && !said)) return false;
  return parts.every((part) => plainNumber.test(part.replace(',', '.')));
}

/** Reads the cells of one text; the whole text is kept to name places in it. */
class RowReader {
  private emptyCells = 0;
  private decimalComma: boolean;

  constructor(
    private readonly source: string,
    decimalComma: boolean,
  ) {
    this.decimalComma = decimalComma;
  }

  private number({ text, offset }: Piece): number {
    const point = this.decimalComma ? text.replace(',', '.') : text;
    const value = plainNumber.test(point) ? Number(point) : Number.NaN;
    if (!Number.isFinite(value)) throw unreadable(this.source, offset, 'a number', quoted(text));
    return value;
  }

  private cell(piece: Piece): PlacedNumber {
    const { offset, text } = piece;
    return { value: this.valueOf(piece), start: offset, end: offset + text.length };
  }

  private valueOf(piece: Piece): number {
    const [numerator, denominator, ...more] = split(piece, /\//g);
    if (!numerator || more.length > 0) throw unreadable(this.source, piece.offset, 'a number');
    const value = this.number(numerator);
    if (!denominator) return value;
    const divisor = this.number(denominator);
    if (divisor === 0) throw unreadable(this.source, denominator.offset, 'a divisor other than 0');
    return value / divisor;
  }

  /** Cells of which an empty one is 0. */
  private cells(pieces: readonly Piece[]): Row {
    return pieces.flatMap((piece) => {
      if (!isBlank(piece)) return split(trimmed(piece), /\s+/g).map((part) => this.cell(part));
      this.emptyCells += 1;
      return [{ value: 0, start: piece.offset, end: piece.offset }];
    });
  }

  /** Cells parted by commas; one comma at the end parts nothing, unless the cell behind it is wanted. */
  private commaCells(piece: Piece, wanted = false): Row {
    const pieces = split(piece, /,/g);
    const last = pieces.at(-1);
    return this.cells(!wanted && pieces.length > 1 && last && isBlank(last) ? pieces.slice(0, -1) : pieces);
  }

  /** Rows of cells parted by commas, by blanks, or by both. */
  private looseRows(rows: readonly Piece[]): readonly Row[] {
    const ended = ({ text }: Piece) => text.trimEnd().endsWith(',');
    // As many commas as lines that end in a number have: the cell behind the last one is empty.
    const commas = new Set(rows.filter((row) => !ended(row)).map(({ text }) => count(text, ',')));
    return rows.map((row) =>
      ended(row) && !this.decimalComma && commas.has(count(row.text, ','))
        ? this.commaCells(trimmed(row), true)
        : this.looseRow(row),
    );
  }

  /** A row whose cells are parted by commas, by blanks, or by both. */
  private looseRow(row: Piece): Row {
    const line = trimmed(row);
    const chunks = split(line, /\s+/g);
    if (this.decimalComma || !line.text.includes(',')) return chunks.map((chunk) => this.cell(chunk));
    const glued = chunks.length > 1 && chunks.every(({ text }) => !text.startsWith(',') && !text.endsWith(','));
    if (!glued) return this.commaCells(line);
    const decimalLooking = chunks.find(({ text }) => /\d,\d/.test(text));
    if (decimalLooking && chunks.every(({ text }) => count(text, ',') <= 1))
      throw unreadable(
        this.source,
        decimalLooking.offset,
        'a decimal point, or a blank after each comma',
        quoted(decimalLooking.text),
      );
    return chunks.flatMap((chunk) => this.commaCells(chunk));
  }

  read(body: Piece): RowText {
    const slashes = split(body, /(?<=\s|^)\//g);
    const last = slashes.at(-1);
    const { rows, divisor } =
      slashes.length > 1 && last
        ? this.slashed(slashes.map(trimmed), trimmed(last))
        : { rows: this.rows(body), divisor: 1 };
    return { rows, divisor, emptyCells: this.emptyCells, decimalComma: this.decimalComma };
  }

  private slashed(parts: readonly Piece[], last: Piece): { rows: readonly Row[]; divisor: number } {
    const before = parts.slice(0, -1);
    const single = (piece: Piece) => !/[\s,;]/.test(piece.text);
    const blank = parts.find(isBlank);
    if (blank) throw unreadable(this.source, blank.offset, 'a number');
    const column = parts.length > 2 && parts.every(single);
    const divisor = single(last) && !column ? this.number(last) : 1;
    if (divisor === 0) throw unreadable(this.source, last.offset, 'a divisor other than 0');
    const body = single(last) && !column ? before : parts;
    return { rows: body.flatMap((part) => this.rows(part)), divisor };
  }

  private rows(body: Piece): readonly Row[] {
    const lines = split(body, /\r\n|\r|\n/g).filter((line) => !isBlank(line));
    const tabbed = lines.some(({ text }) => text.trim().includes('\t'));
    if (tabbed && lines.every((line) => split(line, /\t/g).every((cell) => !/\S\s+\S/.test(cell.text.trim()))))
      return this.separated(lines, /\t/g);
    if (!body.text.includes(';')) return this.looseRows(lines);
    if (lines.length === 1 && isDecimalLine(body.text, this.decimalComma)) return this.separated(lines, /;/g);
    const endings = lines.every(({ text }) => count(text.trimEnd().slice(0, -1), ';') === 0);
    const loose = lines.some((line) =>
      split(line, /;/g).some(({ text }) => /\S\s+\S/.test(text) || (!this.decimalComma && count(text, ',') > 1)),
    );
    if (lines.length === 1 || endings || loose)
      return this.looseRows(lines.flatMap((line) => split(line, /;/g).filter((row) => !isBlank(row))));
    return this.separated(lines, /;/g);
  }

  /** Lines of a spreadsheet: one separator throughout, and every comma a decimal one. */
  private separated(lines: readonly Piece[], separator: RegExp): readonly Row[] {
    if (lines.some(({ text }) => text.includes(','))) this.decimalComma = true;
    const rows = lines.map((line) => split(line, separator));
    const ended = rows.every((row) => row.length > 1 && row.at(-1)?.text.trim() === '');
    return rows.map((row) => this.cells(ended ? row.slice(0, -1) : row));
  }
}

/** Reads bare rows from `start` on. Throws ConvolveError `invalidKernel` that names line, column and token. */
export function readRows(text: string, start: number, decimalComma: boolean): RowText {
  return new RowReader(text, decimalComma).read({ text: text.slice(start), offset: start });
}
