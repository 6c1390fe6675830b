// XMP packets that are longer than a JPEG segment, also such as no writer of them makes.

import { expect, it } from 'vitest';
import { extendedXmp, withExtension } from '../../../main/codec/extendedXmp';
import { xmpSegments } from '../../../main/codec/jpegSegments';

const bytes = (text: string) => new TextEncoder().encode(text);
const packet = (names: string, inside: string) => bytes(`<rdf:RDF xmlns:rdf="r"${names}>${inside}</rdf:RDF>`);

it('keeps the names that an extension declares, also where another begins alike', () => {
  const guid = '0'.repeat(32);
  const first = packet(' xmlns:xmpMM="m"', `<rdf:Description xmpNote:HasExtendedXMP="${guid}"/>`);
  const whole = withExtension(first, () => packet(' xmlns:xmp="x"', '<rdf:Description xmp:Rating="4"/>'));
  expect(new TextDecoder().decode(whole)).toContain(' xmlns:xmp="x"');
});

it('keeps the descriptions of a packet that is long around them, and leaves out one that has none', () => {
  const description = '<rdf:Description dc:title="t"/>';
  const long = bytes(`<x:xmpmeta><rdf:RDF a="1">${description}</rdf:RDF>${' '.repeat(70_000)}</x:xmpmeta>`);
  const split = extendedXmp(long, 65_502);
  expect([new TextDecoder().decode(split?.standard), split?.extension]).toEqual([
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF a="1">${description}</rdf:RDF></x:xmpmeta>`,
    null,
  ]);
  const none = bytes(`</rdf:RDF><rdf:RDF>${' '.repeat(70_000)}`);
  expect(extendedXmp(none, 65_502)).toBeNull();
  expect(xmpSegments(none)).toEqual([]);
});
