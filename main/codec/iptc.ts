// IPTC records (IIM 4.2), which JPEG files carry inside Photoshop's resource blocks, TIFF files as they are, and PNG files as
// such a block in a text chunk: ImageMagick's way, which other programs read too.

/** Stands before the resource blocks in each segment of a JPEG file. */
export const jpegMarker = Buffer.from('Photoshop 3.0\0', 'latin1');
const resourceSign = '8BIM';
const iptcResource = 0x0404;
/** Every record begins with it. */
const recordSign = 0x1c;

/** The records in a resource block, or in records alone; null where there are none. */
export function iptcRecords(block: Uint8Array): Uint8Array | null {
  if (block[0] === recordSign) return Uint8Array.from(block);
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  let place = 0;
  // Sign 4 · number 2 · name, its length before it, even · length 4 · data, even.
  while (place + 12 <= bytes.length && bytes.toString('latin1', place, place + 4) === resourceSign) {
    const nameBytes = 1 + (bytes[place + 6] ?? 0);
    const lengthPlace = place + 6 + nameBytes + (nameBytes % 2);
    if (lengthPlace + 4 > bytes.length) return null;
    const length = bytes.readUInt32BE(lengthPlace);
    const start = lengthPlace + 4;
    if (start + length > bytes.length) return null;
    if (bytes.readUInt16BE(place + 4) === iptcResource) return Uint8Array.from(bytes.subarray(start, start + length));
    place = start + length + (length % 2);
  }
  return null;
}

/** The records as a resource block. */
export function iptcBlock(records: Uint8Array): Uint8Array {
  const head = Buffer.alloc(12);
  head.write(resourceSign, 'latin1');
  head.writeUInt16BE(iptcResource, 4);
  head.writeUInt32BE(records.length, 8);
  return Buffer.concat([head, records, Buffer.alloc(records.length % 2)]);
}

/** The text chunk's keyword, and its content: hexadecimal digits in lines, after a name and the length. */
export const iptcTextKeyword = 'Raw profile type iptc';
export function iptcText(records: Uint8Array): string {
  const block = Buffer.from(iptcBlock(records));
  return `\niptc\n${String(block.length).padStart(8)}\n${block.toString('hex').replaceAll(/.{72}/g, '$&\n')}\n`;
}

/** The records in the text chunks of a PNG file; null where there are none. */
export function iptcOfTexts(texts: readonly { readonly keyword: string; readonly text: string }[]): Uint8Array | null {
  const found = texts.find(({ keyword }) => keyword === iptcTextKeyword);
  const digits = /^\n[^\n]*\n\s*\d+\n([0-9a-f\s]*)$/i.exec(found?.text ?? '')?.[1];
  return digits === undefined ? null : iptcRecords(Buffer.from(digits.replaceAll(/\s/g, ''), 'hex'));
}
