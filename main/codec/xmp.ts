// A photo's XMP packet as it may stand beside an export: orientation and size are made true, thumbnails go, and the creator
// tool is this program. Everything else stays as it is written.

import type { Size } from '../../core/geometry';

/** The value of a simple property, written as an attribute or as an element. */
function replaceValue(text: string, name: string, value: string): string {
  return text
    .replaceAll(new RegExp(`(\\s${name}\\s*=\\s*)(?:"[^"]*"|'[^']*')`, 'g'), `$1"${value}"`)
    .replaceAll(new RegExp(`(<${name}(?:\\s[^>]*)?>)[^<]*(</${name}\\s*>)`, 'g'), `$1${value}$2`);
}

/** The packet for `size` upright pixels; null where it is no UTF-8 text with a packet in it. */
export function xmpForExport(packet: Uint8Array, size: Size, software: string): Uint8Array | null {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(packet);
  } catch {
    return null;
  }
  if (text.includes('\0') || !text.includes('<rdf:RDF')) return null;
  const values: readonly (readonly [name: string, value: string | number])[] = [
    ['tiff:Orientation', 1],
    ['tiff:ImageWidth', size.width],
    ['tiff:ImageLength', size.height],
    ['exif:PixelXDimension', size.width],
    ['exif:PixelYDimension', size.height],
    ['xmp:CreatorTool', software],
  ];
  const changed = values.reduce((done, [name, value]) => replaceValue(done, name, String(value)), text);
  return new TextEncoder().encode(changed.replaceAll(/<(xmp|xap):Thumbnails[\s\S]*?<\/\1:Thumbnails\s*>/g, ''));
}

const namespace = 'urn:convolve:receipt';
const emptyPacket = `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
const receiptElement =
  /<rdf:Description rdf:about="" xmlns:convolve="[^"]*"><convolve:Receipt>([\s\S]*?)<\/convolve:Receipt><\/rdf:Description>/;
const endOfPacket = '</rdf:RDF>';

/** The packet, or a new one, with a receipt in the place of any older one. */
export function xmpWithReceipt(packet: Uint8Array | null, receipt: string): Uint8Array {
  const text = packet ? new TextDecoder().decode(packet).replace(receiptElement, '') : emptyPacket;
  const place = text.lastIndexOf(endOfPacket);
  const escaped = receipt.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const element = `<rdf:Description rdf:about="" xmlns:convolve="${namespace}"><convolve:Receipt>${escaped}</convolve:Receipt></rdf:Description>`;
  return new TextEncoder().encode(`${text.slice(0, place)}${element}${text.slice(place)}`);
}

/** The receipt in a packet; null where there is none. */
export function receiptInXmp(packet: Uint8Array): string | null {
  const found = receiptElement.exec(new TextDecoder().decode(packet))?.[1];
  return found?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? null;
}
