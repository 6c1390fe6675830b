// The size that a PNG or WebP file claims in its first bytes. libvips makes room for a WebP picture before it tells the size,
// and calls a PNG size beyond its own limits a broken header; both would hide what matters: that the picture is too large.

import type { Size } from '../../core/geometry';
import type { DecodedFormat } from './sniff';

/** Sources: PNG specification 11.2.1; WebP container specification and RFC 6386 section 9.1. */
const enoughBytes = 30;

function webpSize(view: DataView): Size | null {
  const chunk = String.fromCharCode(...[12, 13, 14, 15].map((offset) => view.getUint8(offset)));
  const three = (offset: number) => view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16);
  switch (chunk) {
    case 'VP8X':
      return { width: three(24) + 1, height: three(27) + 1 };
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return null;
  }
}

/** The size in the header, or null for other formats and for files too short to have one. */
export function headerSize(bytes: Uint8Array, format: DecodedFormat): Size | null {
  if (bytes.length < enoughBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (format === 'png') return { width: view.getUint32(16), height: view.getUint32(20) };
  return format === 'webp' ? webpSize(view) : null;
}
