// A virtual screen (Xvfb) for machines without a display and for tests, which must not open windows on a person's own.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { TaskError } from './console';

export interface VirtualScreen {
  /** For the DISPLAY variable, such as `:99`. */
  readonly display: string;
  close(): Promise<void>;
}

/** Whether a window could be seen at all: macOS and Windows always have a screen, Linux when one of these is set. */
export function hasDisplay(): boolean {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Switches for a program on a virtual screen. There is no graphics card on it: Chromium would start a process for one,
 * see it end, start another, and once in some hundred starts draw no frame after that.
 */
export const virtualScreenSwitches: readonly string[] = process.platform === 'linux' ? ['--disable-gpu'] : [];

/** Starts Xvfb on a free display number and waits until it accepts connections. */
export async function startVirtualScreen(): Promise<VirtualScreen> {
  // Xvfb chooses the number itself and writes it to descriptor 3 when it is ready.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1100x24', '-nolisten', 'tcp', '-noreset'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  server.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const ended = once(server, 'exit').catch(() => undefined);
  const kill = (): void => {
    server.kill('SIGKILL');
  };
  process.once('exit', kill);
  const number = await new Promise<string>((resolve) => {
    let text = '';
    (server.stdio[3] as Readable).setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      if (text.includes('\n')) resolve(text.trim());
    });
    void ended.then(() => resolve(''));
    server.once('error', () => resolve(''));
  });
  if (number === '') {
    throw new TaskError(
      `The virtual screen could not start. ${errors.join('').trim()}`,
      'Install xvfb and run this again.',
    );
  }
  return {
    display: `:${number}`,
    close: async () => {
      process.off('exit', kill);
      server.kill('SIGTERM');
      await ended;
    },
  };
}
