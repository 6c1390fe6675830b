// Kernels that come in from outside: a text on the clipboard, a file that is dropped. What reads as a kernel is offered, and
// nothing is taken unasked.

import { failureOf } from '../core/errors';
import { isKernelFileName, largestKernelFile, readKernelFile, readKernelText } from '../core/interchange/read';
import type { KernelReading } from '../core/interchange/reading';
import { editor } from './editor';
import { pageStore } from './store';

/** Whether a dropped file is one to read as a kernel. */
export const isKernelFile = (file: Pick<File, 'name' | 'size'>): boolean =>
  isKernelFileName(file.name) && file.size <= largestKernelFile;

function offer(reading: KernelReading): void {
  pageStore.setState({ kernelOffer: reading, dialog: 'kernelOffer' });
}

/** Offers the kernels in the bytes of a file; a file that holds none becomes a message. */
export function offerKernelBytes(bytes: Uint8Array, name: string): void {
  try {
    offer(readKernelFile(bytes, name, { divisor: 'auto' }));
  } catch (thrown) {
    editor.notify({ kind: 'failure', failure: failureOf(thrown) });
  }
}

export async function offerKernelFile(file: File): Promise<void> {
  offerKernelBytes(new Uint8Array(await file.arrayBuffer()), file.name);
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
