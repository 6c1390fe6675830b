// The thread that reads files of kernels: the largest are hundreds of megabytes of text. Each message is a question, answered
// with the kernels one by one and then with an end. Bundled to dist/main/libraryWorker.cjs.

import { parentPort } from 'node:worker_threads';
import { readEntry, readExchange } from '../core/kernelLibrary';
import type { LibraryAnswer, LibraryQuestion } from './libraryThread';

const port = parentPort;
if (!port) throw new Error('libraryWorker runs only as a worker thread');
const post = (answer: LibraryAnswer) => port.postMessage(answer);

function answer({ kind, bytes }: LibraryQuestion): void {
  const text = new TextDecoder().decode(bytes);
  if (kind === 'entry') {
    post({ kind: 'end', outcome: readEntry(text) });
    return;
  }
  const read = readExchange(text);
  if (read.kind === 'kernels')
    for (const content of read.contents) post({ kind: 'kernel', content, of: read.contents.length });
  post({ kind: 'end', outcome: read.kind === 'kernels' ? { ...read, contents: [] } : read });
}

// What is thrown here ends the thread, which is said to whoever waits.
port.on('message', answer);
