// The open pictures, by the id that the page uses: the engine's pixels, what the page knows of them, and the coarser
// levels that drafts are made from. Work on a picture holds it, so that closing it never takes pixels from under a render.

import type { ImageInfo } from '../core/document';
import { ConvolveError } from '../core/errors';
import { CacheBudget } from './cacheBudget';
import type { DecodedPicture } from './codec/decode';
import type { PictureMetadata } from './codec/metadata';
import type { PictureCurve } from './codec/profileCurve';
import { DerivedImages } from './derivedImages';
import type { Engine, EngineImage } from './engine';
import { UpstreamResults } from './upstreamResults';

/** Where a picture's file is: on the disk, or its bytes where it came from no file. */
export type PictureSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'memory'; readonly bytes: Uint8Array<ArrayBuffer> };

/** A picture's file as projects keep it. */
export interface OriginalFile {
  readonly source: PictureSource;
  /** SHA-256 of the file's bytes, hexadecimal. */
  readonly sha256: Promise<string>;
}

/** What an open picture is to the work that uses it. */
export interface Picture {
  readonly info: ImageInfo;
  readonly image: EngineImage;
  readonly iccProfile: Uint8Array | null;
  readonly light: PictureCurve;
  readonly metadata: PictureMetadata;
  /** Folder it came from, where an export goes first; null for samples and the clipboard. */
  readonly folder: string | null;
  /** null where the work never becomes a project, and has no receipt. */
  readonly original: OriginalFile | null;
  /** The source at a coarser level (0 is the picture itself), made once and kept. */
  atLevel(level: number): Promise<EngineImage>;
  /** Images that stacks have made of it as a whole. */
  readonly derived: DerivedImages;
  /** What the filters before the changed one make of it. */
  readonly upstream: UpstreamResults;
}

export interface PictureOrigin {
  readonly name: string;
  readonly format: string;
  readonly fileBytes: number;
  readonly folder: string | null;
  readonly original?: OriginalFile;
}

interface Entry {
  readonly picture: Picture;
  readonly levels: Map<number, Promise<EngineImage>>;
  users: number;
  closed: boolean;
}

export class OpenPictures {
  private readonly entries = new Map<number, Entry>();
  private nextId = 1;

  /** `budget`: of what is kept of pictures and can be computed again. */
  constructor(
    private readonly engine: Engine,
    private readonly budget = new CacheBudget(),
  ) {}

  /** Another set of open pictures with the same engine and budget. */
  another(): OpenPictures {
    return new OpenPictures(this.engine, this.budget);
  }

  /** Gives the samples to the engine and an id to the page. */
  async add(decoded: DecodedPicture, origin: PictureOrigin): Promise<ImageInfo> {
    const { samples, channels, alpha, light, metadata } = decoded;
    const image = await this.engine.createImage(samples, decoded, channels, alpha, light.curve);
    const info: ImageInfo = {
      id: this.nextId++,
      name: origin.name,
      width: decoded.width,
      height: decoded.height,
      channels: decoded.channels,
      alpha: decoded.alpha,
      sampleType: decoded.sampleType,
      page: decoded.page,
      pages: decoded.pages,
      format: origin.format,
      profile: decoded.profile,
      light: light.kind,
      carries: decoded.carries,
      fileBytes: origin.fileBytes,
      warnings: decoded.warnings,
    };
    const levels = new Map([[0, Promise.resolve(image)]]);
    const picture: Picture = {
      info,
      image,
      iccProfile: decoded.iccProfile,
      light,
      metadata,
      folder: origin.folder,
      original: origin.original ?? null,
      atLevel: (level) => this.levelOf(levels, image, level),
      derived: new DerivedImages(this.budget),
      upstream: new UpstreamResults(this.engine, this.budget),
    };
    this.entries.set(info.id, { picture, levels, users: 0, closed: false });
    return info;
  }

  /** Runs `work` with the picture held open. Throws imageUnknown for an id that is not open. */
  async use<T>(id: number, work: (picture: Picture) => Promise<T>): Promise<T> {
    const entry = this.entries.get(id);
    if (!entry) throw new ConvolveError({ code: 'imageUnknown', subject: `picture ${id}` });
    entry.users += 1;
    try {
      return await work(entry.picture);
    } finally {
      entry.users -= 1;
      if (entry.closed && entry.users === 0) await this.release(entry);
    }
  }

  /** Forgets the picture at once; its pixels go when the last work on it ends. An unknown id is already closed. */
  async close(id: number): Promise<void> {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    entry.closed = true;
    if (entry.users === 0) await this.release(entry);
  }

  /** null for a picture that is not open. */
  info(id: number): ImageInfo | null {
    return this.entries.get(id)?.picture.info ?? null;
  }

  /** Colour profile of an open picture; null for one without, or that is not open. */
  profileOf(id: number): Uint8Array | null {
    return this.entries.get(id)?.picture.iccProfile ?? null;
  }

  ids(): readonly number[] {
    return [...this.entries.keys()];
  }

  /** Bytes of pixels that the engine holds for open pictures, coarser levels, derived images and what is kept included. */
  async bytes(): Promise<number> {
    const images = [...this.entries.values()].flatMap((entry) => [...entry.levels.values()]);
    const settled = await Promise.allSettled(images);
    const derived = [...this.entries.values()].reduce(
      (sum, { picture }) => sum + picture.derived.bytes() + picture.upstream.bytes(),
      0,
    );
    return settled.reduce((sum, image) => sum + (image.status === 'fulfilled' ? image.value.bytes : 0), derived);
  }

  private levelOf(levels: Map<number, Promise<EngineImage>>, image: EngineImage, level: number): Promise<EngineImage> {
    const kept = levels.get(level);
    if (kept) return kept;
    const made = this.engine.reduce(image, level);
    levels.set(level, made);
    made.catch(() => levels.delete(level));
    return made;
  }

  private async release(entry: Entry): Promise<void> {
    entry.picture.derived.release();
    entry.picture.upstream.release();
    for (const image of await Promise.allSettled(entry.levels.values()))
      if (image.status === 'fulfilled') image.value.release();
    entry.levels.clear();
  }
}
