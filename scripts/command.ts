// Starting other programs: run to the end with captured output, and finding them on the PATH.

import { type SpawnOptions, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { root } from './paths';

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams in the order they came, for showing to a person. */
  readonly output: string;
  readonly milliseconds: number;
}

export interface CommandOptions {
  readonly directory?: string;
  readonly environment?: NodeJS.ProcessEnv;
  /** Pass the program's output through to the terminal while it runs, as well as capturing it. */
  readonly show?: boolean;
  /** Stops the program and everything it started. */
  readonly signal?: AbortSignal;
}

/** Each program leads a process group of its own, so that it ends with all it started when this process ends. */
const runningGroups = new Set<number>();

function endGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, signal);
  } catch {
    // It ended by itself meanwhile.
  }
}

process.on('exit', () => {
  for (const leader of runningGroups) endGroup(leader, 'SIGTERM');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));

/** Runs a program to its end. Code 127 and the reason in `stderr` when it could not be started. */
export function command(
  program: string,
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const started = performance.now();
  const settings: SpawnOptions = {
    cwd: options.directory ?? root,
    env: options.environment ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm is a .cmd file on Windows, which only a shell starts.
    shell: process.platform === 'win32' && program === 'npm',
    detached: process.platform !== 'win32',
  };
  return new Promise((resolve) => {
    const stdout: string[] = [];
    const stderr: string[] = [];
    const output: string[] = [];
    const finish = (code: number): void =>
      resolve({
        code,
        stdout: stdout.join(''),
        stderr: stderr.join(''),
        output: output.join(''),
        milliseconds: performance.now() - started,
      });
    const child = spawn(program, parameters, settings);
    const leader = child.pid;
    if (leader !== undefined) {
      runningGroups.add(leader);
      options.signal?.addEventListener('abort', () => endGroup(leader, 'SIGKILL'), { once: true });
    }
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout.push(text);
      output.push(text);
      if (options.show) process.stdout.write(text);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr.push(text);
      output.push(text);
      if (options.show) process.stderr.write(text);
    });
    child.on('error', (error) => {
      stderr.push(error.message);
      output.push(error.message);
      finish(127);
    });
    child.on('close', (code) => {
      if (leader !== undefined) runningGroups.delete(leader);
      finish(code ?? 1);
    });
  });
}

/** Runs a package's own script with this Node, without the start-up time of npx. */
export function nodeCommand(
  script: string,
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return command(process.execPath, [path.join(root, 'node_modules', script), ...parameters], options);
}

/** Full path of a program on the PATH, or undefined. */
export function findProgram(name: string): string | undefined {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const extension of extensions) {
      const candidate = path.join(folder, name + extension);
      try {
        accessSync(candidate, constants.X_OK);
        if (statSync(candidate).isFile()) return candidate;
      } catch {
        // Not here; look in the next folder.
      }
    }
  }
  return undefined;
}

/** The last lines of a program's output, for a failure that must stay readable. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
