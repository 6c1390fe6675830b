// Decoding and encoding as the rest of main asks for them, wherever they run. Loads no codec: what the window waits for at
// the start imports this file.

import type { ExportOptions } from '../../core/exportOptions';
import type { Size } from '../../core/geometry';
import type { ScreenSpace } from '../../core/pixelPort';
import type { DecodedPicture } from './decode';
import type { EncodeSubject } from './exportFormat';
import type { DecodeLimits } from './limits';
import type { EncodedPreview } from './preview';
import type { ScreenTile } from './screenColour';

/** What to make a file of. */
export interface EncodeOrder {
  readonly subject: EncodeSubject;
  /** The file that createExportSamples made for the subject, filled. */
  readonly container: Uint8Array<ArrayBuffer>;
  readonly options: ExportOptions;
}

/** The subject of the `internal` failure of a job whose codec thread ended under it. */
export const codecThread = 'codec';

export interface Codec {
  /** As memoryToDecode: the bytes of memory that the picture will need; the file's bytes stay. */
  memoryFor(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<number>;
  /** As decodePicture. The bytes may be gone afterwards. */
  decode(bytes: Uint8Array<ArrayBuffer>, name: string, limits?: DecodeLimits, page?: number): Promise<DecodedPicture>;
  /** As pageThumbnails. */
  thumbnails(bytes: Uint8Array<ArrayBuffer>, pages: readonly number[]): Promise<readonly (Uint8Array | null)[]>;
  /** As encodePicture; throws cancelled when the signal aborts. The samples may be gone afterwards. */
  encode(order: EncodeOrder, signal?: AbortSignal): Promise<readonly Uint8Array[]>;
  /** As toScreen. The tile's memory may be gone afterwards. */
  toScreen(tile: ScreenTile, profile: Uint8Array, space: ScreenSpace): Promise<Uint8Array>;
  /** As previewEncoding; the signal and the samples as for encode. */
  preview(order: EncodeOrder, view: Size, signal?: AbortSignal): Promise<EncodedPreview>;
}
