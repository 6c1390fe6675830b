// JSON for files that people open too: two spaces, and each list of numbers on one line. It comes in pieces, so that a file
// with many numbers is written a little at a time and holds nothing up. Pure: values in, text out.

/** Numbers that are turned into text at a time: a millisecond or two. */
const numbersAtATime = 8192;
/** Least length of a piece, but the last, in characters. */
const leastPiece = 32_768;

function* parts(value: unknown, indent: string): Generator<string> {
  if (typeof value !== 'object' || value === null) {
    yield JSON.stringify(value);
    return;
  }
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'number')) {
      yield '[';
      for (let start = 0; start < value.length; start += numbersAtATime) {
        const numbers = JSON.stringify(value.slice(start, start + numbersAtATime)).slice(1, -1);
        yield (start === 0 ? '' : ', ') + numbers.replaceAll(',', ', ');
      }
      yield ']';
      return;
    }
    for (const [index, item] of value.entries()) {
      yield index === 0 ? `[\n${inner}` : `,\n${inner}`;
      yield* parts(item, inner);
    }
    yield `\n${indent}]`;
    return;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) {
    yield '{}';
    return;
  }
  for (const [index, [name, field]] of fields.entries()) {
    yield `${index === 0 ? '{' : ','}\n${inner}${JSON.stringify(name)}: `;
    yield* parts(field, inner);
  }
  yield `\n${indent}}`;
}

/** The text of a value, in pieces of some ten thousand characters, with a line break at the end. */
export function* readableJson(value: object): Generator<string> {
  let piece = '';
  for (const part of parts(value, '')) {
    piece += part;
    if (piece.length < leastPiece) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n`;
}
