// What the page knows of the picture that its unit tests have open.

import type { ImageInfo } from '../../../core/document';
import type { OpenedDocument } from '../../../core/ipc';

export const picture: ImageInfo = {
  id: 7,
  name: 'photo.jpg',
  width: 40,
  height: 30,
  channels: 3,
  alpha: false,
  sampleType: 'u8',
  format: 'jpeg',
  profile: 'sRGB',
  light: 'srgb',
  carries: { profile: 0, exif: 0, xmp: 0, iptc: 0, exifInJpeg: 'whole', resolution: false },
  page: 1,
  pages: 1,
  fileBytes: 1,
  warnings: [],
};

/** A picture as main opens it: without filters. */
export const documentOf = (image: ImageInfo): OpenedDocument => ({
  kind: 'document',
  image,
  stack: [],
  project: null,
  unsaved: false,
});
