// Metadata blocks one by one: the XMP packet of an export, and IPTC records in their blocks.

import { describe, expect, it } from 'vitest';
import { iptcBlock, iptcOfTexts, iptcRecords, iptcText, iptcTextKeyword } from '../../../main/codec/iptc';
import { noMetadata } from '../../../main/codec/metadata';
import { asciiEntry, directoryBytes, type NewEntry, tiffTypes } from '../../../main/codec/tiffDirectory';
import { exifOfTiff, tiffWithMetadata } from '../../../main/codec/tiffMetadata';
import { receiptInXmp, xmpForExport, xmpWithReceipt } from '../../../main/codec/xmp';

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

  it('takes no longer for what is left open thousands of times', { timeout: 5000 }, () => {
    for (const open of [
      '<xmp:Thumbnails>',
      '<tiff:Orientation ',
      '<tiff:Orientation>',
      ' tiff:Orientation="',
      ` tiff:Orientation = '`,
    ])
      expect(madeTrue(packet(open.repeat(20_000))), open).not.toBeNull();
    const start = '<rdf:Description rdf:about="" xmlns:convolve="urn:convolve:receipt"><convolve:Receipt>';
    const text = packet(start.repeat(5000));
    expect(receiptInXmp(text)).toBeNull();
    expect(receiptInXmp(xmpWithReceipt(text, '{}'))).toMatch(/\{\}$/);
  });

  it('takes a receipt, once, and one that has no end makes room for a new one', () => {
    const receipt = '{"name":"<a> & b"}';
    const once = xmpWithReceipt(xmpWithReceipt(packet('<dc:title>t</dc:title>'), 'older'), receipt);
    expect(receiptInXmp(once)).toBe(receipt);
    expect(new TextDecoder().decode(once)).toContain('<dc:title>t</dc:title>');
    expect(new TextDecoder().decode(once)).not.toContain('older');
    const cut = new TextEncoder().encode('<x:xmpmeta><rdf:RDF xmlns:rdf="r">');
    expect(receiptInXmp(xmpWithReceipt(cut, receipt))).toBe(receipt);
    expect(new TextDecoder().decode(xmpWithReceipt(cut, receipt))).toMatch(/<\/x:xmpmeta>/);
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

describe('an EXIF block that is broken', () => {
  const long = (tag: number, value: number, little: boolean): NewEntry => {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value, little);
    return { tag, type: tiffTypes.long, count: 1, value: bytes };
  };
  const exifDirectory = 0x8769;
  const block = (little: boolean, ...directories: readonly Uint8Array[]) => {
    const head = new Uint8Array(8);
    head.set(little ? [0x49, 0x49, 0x2a, 0] : [0x4d, 0x4d, 0, 0x2a]);
    new DataView(head.buffer).setUint32(4, 8, little);
    return Uint8Array.from(Buffer.concat([head, ...directories]));
  };
  /** A main directory, and one that leads to itself as often as `times`. */
  const loops = (little: boolean, times: number) => {
    const main = (place: number) =>
      directoryBytes([asciiEntry(0x010f, 'Me'), long(exifDirectory, place, little)], 8, little);
    const place = 8 + main(0).length;
    const entries = Array.from({ length: times }, () => long(exifDirectory, place, little));
    return block(little, main(place), directoryBytes(entries, place, little));
  };
  const smallest = directoryBytes([], 8, true);

  it('and leads to itself thousands of times is followed once', { timeout: 5000 }, () => {
    expect(exifOfTiff(loops(true, 4000))?.length).toBeLessThan(1_000_000);
    expect(tiffWithMetadata(block(true, smallest), { ...noMetadata, exif: loops(false, 4000) }).length).toBeGreaterThan(
      0,
    );
  });

  it('and has values that are longer than all of it is left out', { timeout: 5000 }, () => {
    const size = 100_000;
    const entry: NewEntry = { tag: 0x010f, type: tiffTypes.ascii, count: size, value: Uint8Array.of(0, 0, 0, 8) };
    const many = (little: boolean) => {
      const directory = directoryBytes(
        Array.from({ length: 2000 }, () => entry),
        8,
        little,
      );
      return block(little, directory, new Uint8Array(size));
    };
    expect(exifOfTiff(many(true))).toBeNull();
    expect(tiffWithMetadata(block(true, smallest), { ...noMetadata, exif: many(false) }).length).toBeGreaterThan(0);
  });
});
