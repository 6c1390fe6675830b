// The open documents as main knows them: to which project file each belongs, and its filters as the page last told them, so
// that a page that starts anew goes on where it was.

import path from 'node:path';
import type { Stack } from '../../core/document';
import type { OpenedDocument } from '../../core/ipc';
import type { OpenPictures } from '../images';

export interface KnownDocument {
  /** Absolute path; null for a picture that is in no project. */
  readonly projectFile: string | null;
  /** Whether the project holds the picture itself. */
  readonly embedded: boolean;
  readonly stack: Stack;
  readonly unsaved: boolean;
}

export class Documents {
  private readonly known = new Map<number, KnownDocument>();

  constructor(private readonly pictures: OpenPictures) {}

  add(imageId: number, document: Omit<KnownDocument, 'unsaved'> & { readonly unsaved?: boolean }): void {
    this.known.set(imageId, { unsaved: false, ...document });
  }

  get(imageId: number): KnownDocument | undefined {
    return this.known.get(imageId);
  }

  /** Takes over what the page says; an id that is not open is forgotten already. */
  change(imageId: number, change: Partial<KnownDocument>): KnownDocument | null {
    const before = this.known.get(imageId);
    if (before === undefined) return null;
    const after = { ...before, ...change };
    this.known.set(imageId, after);
    return after;
  }

  remove(imageId: number): void {
    this.known.delete(imageId);
  }

  /** Whether any document is open. */
  get any(): boolean {
    return this.known.size > 0;
  }

  /** All of them, in the order in which they were opened. */
  all(): readonly OpenedDocument[] {
    return [...this.known].flatMap(([imageId, { projectFile, stack, unsaved }]) => {
      const image = this.pictures.info(imageId);
      if (image === null) return [];
      const project = projectFile === null ? null : path.basename(projectFile);
      return [{ kind: 'document' as const, image, stack, project, unsaved }];
    });
  }
}
