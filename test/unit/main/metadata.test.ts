// Metadata blocks one by one: the XMP packet of an export, and IPTC records in their blocks.

import { describe, expect, it } from 'vitest';
import { iptcBlock, iptcOfTexts, iptcRecords, iptcText, iptcTextKeyword } from '../../../main/codec/iptc';
import { xmpForExport } from '../../../main/codec/xmp';

describe('an XMP packet', () => {
  const packet = (inside: string, attributes = '') =>
    new TextEncoder().encode(
      `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" ${attributes}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
    );
  const madeTrue = (bytes: Uint8Array) => {
    const result = xmpForExport(bytes, { width: 30, height: 20 }, 'Convolve 1');
    return result && new TextDecoder().decode(result);
  };

  it('has its orientation and size made true, as attributes and as elements, and loses its thumbnails', () => {
    const text = madeTrue(
      packet(
        '<tiff:Orientation>6</tiff:Orientation><exif:PixelYDimension>9</exif:PixelYDimension><dc:title>tiff:Orientation</dc:title><xmp:Thumbnails><rdf:Alt><rdf:li>AAAA</rdf:li></rdf:Alt></xmp:Thumbnails>',
        `exif:PixelXDimension="9" xmp:CreatorTool='Other'`,
      ),
    );
    expect(text).toContain(
      '<tiff:Orientation>1</tiff:Orientation><exif:PixelYDimension>20</exif:PixelYDimension><dc:title>tiff:Orientation</dc:title></rdf:Description>',
    );
    expect(text).toContain('exif:PixelXDimension="30" xmp:CreatorTool="Convolve 1"');
  });

  it('that is no text is left out', () => {
    expect(madeTrue(Uint8Array.of(0xff, 0xfe, 0x3c, 0))).toBeNull();
    expect(madeTrue(new TextEncoder().encode('not a packet'))).toBeNull();
  });
});

describe('IPTC records', () => {
  it('are found in their block, and only there', () => {
    const records = Uint8Array.of(0x1c, 2, 90, 0, 6, ...Buffer.from('Vienna'));
    expect(iptcRecords(iptcBlock(records))).toEqual(records);
    expect(iptcRecords(records)).toEqual(records);
    for (const cut of [0, 5, 9, 12, 20]) expect(iptcRecords(iptcBlock(records).subarray(0, cut))).toBeNull();
    expect(iptcRecords(Buffer.from('Photoshop 3.0\0nonsense that goes on'))).toBeNull();
    expect(iptcOfTexts([{ keyword: iptcTextKeyword, text: iptcText(records) }])).toEqual(records);
    expect(iptcOfTexts([{ keyword: iptcTextKeyword, text: 'nonsense' }])).toBeNull();
  });
});
