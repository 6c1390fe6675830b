// The entry of the command line: `convolve apply | batch | info | filters | calibrate | compare-backends`, the same
// plan, engine and codecs as the window, without one. Standard output carries results, standard error notes and one-line errors; Ctrl-C stops the work.

import { run } from './commandLine/commands';
import { exitCodes } from './commandLine/exitCodes';

function print(stream: NodeJS.WriteStream, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return Promise.resolve();
  // A reader that has gone away (`| head`) is no failure of the work.
  return new Promise((resolve) => {
    stream.once('error', () => resolve());
    stream.write(`${lines.join('\n')}\n`, () => resolve());
  });
}

async function start(): Promise<void> {
  // Nor is it one of lines that are printed while the work goes on.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(exitCodes.stopped);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  process.on('SIGHUP', stop);
  const { lines, notes, exitCode } = await run(process.argv.slice(2), controller.signal, (line) =>
    process.stdout.write(`${line}\n`),
  );
  await print(process.stdout, lines);
  await print(
    process.stderr,
    notes.map((note) => `convolve: ${note}`),
  );
  // Work that cannot be stopped, such as a decoder at work, would keep the process alive.
  process.exit(exitCode);
}

void start();
