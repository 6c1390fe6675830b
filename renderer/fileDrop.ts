// Files dragged over the window: says that they can be dropped, and opens them.

import { openFile } from './actions';
import { isKernelFile, offerKernelFile } from './kernelFiles';

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** One after another, so that their tabs stand in order. */
async function openAll(files: readonly File[]): Promise<void> {
  for (const file of files) await (isKernelFile(file) ? offerKernelFile(file) : openFile(file));
}

/** Starts listening on the whole window; `over` is told whether files hover. Answers how to stop. */
export function listenToFileDrops(over: (hovering: boolean) => void): () => void {
  const controller = new AbortController();
  // In the capture phase, so that no control takes a file for one of its own drags.
  const options = { capture: true, signal: controller.signal };
  let depth = 0;
  window.addEventListener(
    'dragenter',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth++;
      over(true);
    },
    options,
  );
  window.addEventListener(
    'dragover',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'copy';
    },
    options,
  );
  window.addEventListener(
    'dragleave',
    (event) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) over(false);
    },
    options,
  );
  window.addEventListener(
    'drop',
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      depth = 0;
      over(false);
      void openAll([...(event.dataTransfer?.files ?? [])]);
    },
    options,
  );
  return () => controller.abort();
}
