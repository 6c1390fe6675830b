// XMP packets that are longer than a JPEG segment (XMP specification part 3, section 1.1.3.1): a short packet in the file's
// segment names, by a digest, a second one that lies in segments of its own. Both together are the picture's XMP.

import { createHash } from 'node:crypto';
import { endOfDescriptions } from './xmp';

const noteOf = (guid: string) =>
  `<rdf:Description rdf:about="" xmlns:xmpNote="http://ns.adobe.com/xmp/note/" xmpNote:HasExtendedXMP="${guid}"/>`;
const noteBytes = noteOf('0'.repeat(32)).length;
const noteAttribute = /\sxmpNote:HasExtendedXMP\s*=\s*["']([0-9A-Fa-f]{32})["']/;
const noteElement = /<xmpNote:HasExtendedXMP>\s*([0-9A-Fa-f]{32})\s*<\/xmpNote:HasExtendedXMP>/;
const startOfDescriptions = /<rdf:RDF(?:\s[^<>]*)?>/;

const decode = (packet: Uint8Array) => new TextDecoder().decode(packet);

const declaration = /\sxmlns:([\w.-]+)\s*=\s*(?:"[^"]*"|'[^']*')/g;

/** The names that an element's start tag declares, without those that another one declares. */
function declarations(tag: string, other: string): string {
  const known = new Set(Array.from(other.matchAll(declaration), ([, name]) => name));
  return Array.from(tag.matchAll(declaration), ([whole, name]) => (known.has(name) ? '' : whole)).join('');
}

/** What stands between the start and the end of a packet's descriptions, and the start tag; null where there are none. */
function descriptions(text: string): { readonly tag: string; readonly inside: string } | null {
  const start = startOfDescriptions.exec(text);
  const end = text.lastIndexOf(endOfDescriptions);
  if (!start || end < start.index + start[0].length) return null;
  return { tag: start[0], inside: text.slice(start.index + start[0].length, end) };
}

/**
 * The packet with its extension in it, as one. `find` gives an extension by its digest; where there is none, the packet
 * stays as it is but for the note that names it.
 */
export function withExtension(packet: Uint8Array, find: (guid: string) => Uint8Array | null): Uint8Array {
  const text = decode(packet);
  const guid = (noteAttribute.exec(text) ?? noteElement.exec(text))?.[1];
  if (guid === undefined) return Uint8Array.from(packet);
  const own = text.replace(noteAttribute, '').replace(noteElement, '');
  const bytes = find(guid);
  const more = bytes && descriptions(decode(bytes));
  const place = own.lastIndexOf(endOfDescriptions);
  const tag = startOfDescriptions.exec(own);
  if (!more || place < 0 || !tag) return new TextEncoder().encode(own);
  const names = declarations(more.tag, tag[0]);
  const start = tag.index + tag[0].length - 1;
  return new TextEncoder().encode(
    `${own.slice(0, start)}${names}${own.slice(start, place)}${more.inside}${own.slice(place)}`,
  );
}

/** Place behind the tag that begins at a place; -1 where it does not end. */
function endOfTag(text: string, start: number): number {
  for (let place = start; place < text.length; place += 1) {
    const sign = text[place];
    if (sign === '>') return place + 1;
    if (sign !== '"' && sign !== "'") continue;
    place = text.indexOf(sign, place + 1);
    if (place < 0) return -1;
  }
  return -1;
}

/** The elements side by side in a text; null where they do not fit into each other, or stand between comments. */
function elementsOf(text: string): readonly string[] | null {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  for (let place = text.indexOf('<'); place >= 0; place = text.indexOf('<', place)) {
    const end = endOfTag(text, place);
    const sign = text[place + 1] ?? '';
    if (end < 0 || sign === '!' || sign === '?') return null;
    if (depth === 0) start = place;
    if (sign === '/') depth -= 1;
    else if (text[end - 2] !== '/') depth += 1;
    if (depth < 0) return null;
    if (depth === 0) elements.push(text.slice(start, end));
    place = end;
  }
  return depth === 0 ? elements : null;
}

export interface SplitXmp {
  readonly standard: Uint8Array;
  readonly extension: { readonly guid: string; readonly bytes: Uint8Array } | null;
}

/** The packet without the room that editors leave at its end to write in. */
function withoutRoom(text: string): string {
  const end = text.lastIndexOf('<?xpacket');
  return end < 0 ? text : text.slice(0, end).trimEnd() + text.slice(end);
}

/**
 * The packet where it has at most `most` bytes, with or without room to write in. Of a longer one, the descriptions that fit
 * stay, and the others go into an extension, which the packet names; what stands around them stays where there is room for it.
 * Null where there are none, or where the tag that begins them is too long by itself.
 */
export function extendedXmp(packet: Uint8Array, most: number): SplitXmp | null {
  if (packet.length <= most) return { standard: packet, extension: null };
  const text = withoutRoom(decode(packet));
  const trimmed = new TextEncoder().encode(text);
  if (trimmed.length <= most) return { standard: trimmed, extension: null };
  const found = descriptions(text);
  if (!found) return null;
  const { tag, inside } = found;
  const end = text.lastIndexOf(endOfDescriptions);
  const around = [text.slice(0, end - inside.length), text.slice(end)] as const;
  const plain = [`<x:xmpmeta xmlns:x="adobe:ns:meta/">${tag}`, `${endOfDescriptions}</x:xmpmeta>`] as const;
  const [before, after] = Buffer.byteLength(around.join('')) + noteBytes <= most ? around : plain;
  const stays: string[] = [];
  const goes: string[] = [];
  let room = most - Buffer.byteLength(before + after) - noteBytes;
  if (room < 0) return null;
  for (const element of elementsOf(inside) ?? [inside]) {
    const length = Buffer.byteLength(element);
    (length <= room ? stays : goes).push(element);
    if (length <= room) room -= length;
  }
  if (goes.length === 0)
    return { standard: new TextEncoder().encode(`${before}${stays.join('')}${after}`), extension: null };
  const bytes = new TextEncoder().encode(`${plain[0]}${goes.join('')}${plain[1]}`);
  const guid = createHash('md5').update(bytes).digest('hex').toUpperCase();
  const standard = new TextEncoder().encode(`${before}${stays.join('')}${noteOf(guid)}${after}`);
  return { standard, extension: { guid, bytes } };
}
