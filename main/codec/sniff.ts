// What a file is by its first bytes, never by its name. Only the formats marked `decodes` are handed to the decoder, so
// nothing that could run or load something else (SVG, PDF) ever reaches it; the rest are named so that a refusal can say
// what the file is.

import { ConvolveError } from '../../core/errors';

/** Formats of portable maps. */
export type NetpbmFormat = 'pnm' | 'pfm';
export type DecodedFormat = 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'avif' | NetpbmFormat;

/** Name endings of pictures: what the open dialog offers, and what a folder is searched for. Any other may hold one too. */
export const pictureEndings = [
  ...['jpg', 'jpeg', 'jpe', 'jfif', 'png', 'webp', 'tif', 'tiff', 'gif', 'avif'],
  ...['pbm', 'pgm', 'ppm', 'pnm', 'pfm'],
] as const;

export type Sniffed =
  | { readonly kind: 'decodes'; readonly format: DecodedFormat }
  /** A picture or document format that Convolve does not read; `title` is its name for people. */
  | { readonly kind: 'unsupported'; readonly title: string }
  | { readonly kind: 'unknown' };

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));

interface Signature {
  readonly offset: number;
  readonly bytes: readonly number[];
  readonly found: Sniffed;
}

const decodes = (format: DecodedFormat, bytes: readonly number[], offset = 0): Signature => ({
  offset,
  bytes,
  found: { kind: 'decodes', format },
});
const unsupported = (title: string, bytes: readonly number[], offset = 0): Signature => ({
  offset,
  bytes,
  found: { kind: 'unsupported', title },
});

// Sources: ITU T.81, PNG (W3C), GIF89a, WebP container, TIFF 6.0 and BigTIFF, ISO 14496-12 (ftyp), each format's own
// specification for the refused ones.
const signatures: readonly Signature[] = [
  decodes('jpeg', [0xff, 0xd8]),
  decodes('png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  decodes('gif', ascii('GIF8')),
  decodes('tiff', [0x49, 0x49, 0x2a, 0x00]),
  decodes('tiff', [0x4d, 0x4d, 0x00, 0x2a]),
  decodes('tiff', [0x49, 0x49, 0x2b, 0x00]),
  decodes('tiff', [0x4d, 0x4d, 0x00, 0x2b]),
  unsupported('JPEG XL', [0xff, 0x0a]),
  unsupported('JPEG XL', ascii('\x00\x00\x00\x0cJXL ')),
  unsupported('JPEG 2000', ascii('\x00\x00\x00\x0cjP  ')),
  unsupported('JPEG 2000', [0xff, 0x4f, 0xff, 0x51]),
  unsupported('Photoshop (PSD)', ascii('8BPS')),
  unsupported('OpenEXR', [0x76, 0x2f, 0x31, 0x01]),
  unsupported('Radiance HDR', ascii('#?')),
  unsupported('BMP', ascii('BM')),
  unsupported('Windows icon', [0x00, 0x00, 0x01, 0x00]),
  unsupported('PDF', ascii('%PDF')),
  unsupported('PostScript', ascii('%!PS')),
  unsupported('XCF (GIMP)', ascii('gimp xcf')),
  unsupported('FITS', ascii('SIMPLE  =')),
  unsupported('NumPy array', ascii('\x93NUMPY')),
  unsupported('ZIP archive', ascii('PK\x03\x04')),
];

const textAt = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start, Math.min(end, bytes.length)));

/** AVIF and HEIC share a container; the brands in its first box tell them apart. */
function sniffBrands(bytes: Uint8Array): Sniffed {
  const boxLength = ((bytes[0] ?? 0) << 24) | ((bytes[1] ?? 0) << 16) | ((bytes[2] ?? 0) << 8) | (bytes[3] ?? 0);
  const end = Math.min(Math.max(boxLength, 16), 256);
  const brands: string[] = [];
  for (let offset = 8; offset + 4 <= end; offset += 4)
    if (offset !== 12) brands.push(textAt(bytes, offset, offset + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return { kind: 'decodes', format: 'avif' };
  if (brands.some((brand) => /^(hei[cxms]|hev[cxms]|mif1|msf1)$/.test(brand)))
    return { kind: 'unsupported', title: 'HEIC' };
  if (brands.some((brand) => brand === 'crx ')) return { kind: 'unsupported', title: 'Canon raw (CR3)' };
  return { kind: 'unsupported', title: 'video' };
}

/** Looks at the first kilobyte; `bytes` may be the whole file. */
export function sniff(bytes: Uint8Array): Sniffed {
  for (const signature of signatures)
    if (signature.bytes.every((byte, index) => bytes[signature.offset + index] === byte)) return signature.found;
  if (textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 12) === 'WEBP') return { kind: 'decodes', format: 'webp' };
  if (textAt(bytes, 4, 8) === 'ftyp') return sniffBrands(bytes);
  const sign = textAt(bytes, 0, 3);
  if (/^P[1-6]\s/.test(sign)) return { kind: 'decodes', format: 'pnm' };
  if (/^P[Ff]\s/.test(sign)) return { kind: 'decodes', format: 'pfm' };
  if (/^P7\s/.test(sign)) return { kind: 'unsupported', title: 'PAM' };
  const start = textAt(bytes, 0, 1024).replace(/^\u00ef\u00bb\u00bf/, '');
  if (/<svg[\s>]/i.test(start)) return { kind: 'unsupported', title: 'SVG' };
  return { kind: 'unknown' };
}

/** Says that a file holds something Convolve cannot open. */
export const refuseFormat = (name: string, actual: string) =>
  new ConvolveError({
    code: 'formatUnsupported',
    subject: name,
    expected: 'JPEG, PNG, WebP, TIFF, GIF, AVIF, PBM, PGM, PPM or PFM',
    actual,
  });

/** What a file is by its first kilobyte. Throws fileNotAnImage or formatUnsupported where it is no picture that can be decoded. */
export function requirePicture(head: Uint8Array, name: string): DecodedFormat {
  const sniffed = sniff(head);
  if (sniffed.kind === 'unknown') throw new ConvolveError({ code: 'fileNotAnImage', subject: name });
  if (sniffed.kind === 'unsupported') throw refuseFormat(name, sniffed.title);
  return sniffed.format;
}
