// Kernels that come in from outside: a text on the clipboard, a file that is dropped. What reads as a kernel is offered, and
// nothing is taken unasked.

import { failureOf } from '../core/errors';
import { readKernelFile, readKernelText } from '../core/interchange/read';
import type { KernelReading } from '../core/interchange/reading';
import { editor, pageStore } from './store';

/** Endings of files that hold kernels and never pictures. */
const kernelEndings = /\.(acf|mat|npy|npz|csv|tsv|txt|def|krn|m|py|tex|md|svg|frag|glsl|cu|cpp|h)$/i;
/** Largest file that is read, in bytes. */
const largestFile = 16 * 2 ** 20;

/** Whether a dropped file is one to read as a kernel. */
export const isKernelFile = (file: Pick<File, 'name' | 'size'>): boolean =>
  kernelEndings.test(file.name) && file.size <= largestFile;

function offer(reading: KernelReading): void {
  pageStore.setState({ kernelOffer: reading, dialog: 'kernelOffer' });
}

/** Offers the kernels of a file; a file that holds none becomes a message. */
export async function offerKernelFile(file: File): Promise<void> {
  try {
    offer(readKernelFile(new Uint8Array(await file.arrayBuffer()), file.name, { divisor: 'auto' }));
  } catch (thrown) {
    editor.notify({ kind: 'failure', failure: failureOf(thrown) });
  }
}

/** Offers the kernel that a text is; answers whether it is one. A single number or word is none. */
export function offerKernelText(text: string): boolean {
  try {
    const reading = readKernelText(text, '', { divisor: 'auto' });
    const { width = 1, height = 1 } = reading.kernels[0]?.kernel ?? {};
    if (width * height === 1 && reading.format === 'rows') return false;
    offer(reading);
    return true;
  } catch {
    return false;
  }
}
