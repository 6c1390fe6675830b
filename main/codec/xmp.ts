// A photo's XMP packet as it may stand beside an export: orientation and size are made true, thumbnails go, and the creator
// tool is this program. Everything else stays as it is written.

import type { Size } from '../../core/geometry';

/** Behind all that a packet says. */
export const endOfDescriptions = '</rdf:RDF>';

/** The value of a simple property, written as an attribute or as an element. */
function replaceValue(text: string, name: string, value: string): string {
  return text
    .replaceAll(new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`, 'g'), `$1"${value}"`)
    .replaceAll(new RegExp(`(<${name}(?:\\s[^<>]*)?>)[^<]*(</${name}\\s*>)`, 'g'), `$1${value}$2`);
}

/** The text without elements of a name and all that is in them. */
function withoutElement(text: string, name: string): string {
  let kept = '';
  let place = 0;
  for (let start = text.indexOf(`<${name}`); start >= 0; start = text.indexOf(`<${name}`, place)) {
    const endTag = text.indexOf(`</${name}`, start);
    const end = endTag < 0 ? -1 : text.indexOf('>', endTag);
    // One that has no end is no element.
    if (end < 0) break;
    kept += text.slice(place, start);
    place = end + 1;
  }
  return kept + text.slice(place);
}

/** The packet for `size` upright pixels; null where it is no UTF-8 text with a whole packet in it. */
export function xmpForExport(packet: Uint8Array, size: Size, software: string): Uint8Array | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(packet);
  } catch {
    return null;
  }
  if (text.includes('\0') || !text.includes('<rdf:RDF') || !text.includes(endOfDescriptions)) return null;
  const values: readonly (readonly [name: string, value: string | number])[] = [
    ['tiff:Orientation', 1],
    ['tiff:ImageWidth', size.width],
    ['tiff:ImageLength', size.height],
    ['exif:PixelXDimension', size.width],
    ['exif:PixelYDimension', size.height],
    ['xmp:CreatorTool', software],
  ];
  const changed = values.reduce((done, [name, value]) => replaceValue(done, name, String(value)), text);
  return new TextEncoder().encode(['xmp:Thumbnails', 'xap:Thumbnails'].reduce(withoutElement, changed));
}

const namespace = 'urn:convolve:receipt';
const emptyPacket = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const receiptStart = /<rdf:Description rdf:about="" xmlns:convolve="[^"<]*"><convolve:Receipt>/;
const receiptEnd = '</convolve:Receipt></rdf:Description>';

/** What stands before a receipt's element, in it, and after it; null where there is none. */
function aroundReceipt(text: string): readonly [before: string, receipt: string, after: string] | null {
  const found = receiptStart.exec(text);
  if (!found) return null;
  const start = found.index + found[0].length;
  const end = text.indexOf(receiptEnd, start);
  if (end < 0) return null;
  return [text.slice(0, found.index), text.slice(start, end), text.slice(end + receiptEnd.length)];
}

/** The packet, or a new one where it has no end, with a receipt in the place of any older one. */
export function xmpWithReceipt(packet: Uint8Array | null, receipt: string): Uint8Array {
  const given = packet ? new TextDecoder().decode(packet) : '';
  const around = aroundReceipt(given);
  const plain = around ? around[0] + around[2] : given;
  const text = plain.includes(endOfDescriptions) ? plain : emptyPacket;
  const place = text.lastIndexOf(endOfDescriptions);
  const escaped = receipt.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const element = `<rdf:Description rdf:about="" xmlns:convolve="${namespace}"><convolve:Receipt>${escaped}${receiptEnd}`;
  return new TextEncoder().encode(`${text.slice(0, place)}${element}${text.slice(place)}`);
}

/** The receipt in a packet; null where there is none. */
export function receiptInXmp(packet: Uint8Array): string | null {
  const found = aroundReceipt(new TextDecoder().decode(packet))?.[1];
  return found?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? null;
}
