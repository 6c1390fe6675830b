// The builds, each behind a stamp so that it runs only when its sources changed: the addon (cmake-js), the C++ tests
// (plain CMake), main, preload and the command line (esbuild), and the page (Vite).

import { existsSync } from 'node:fs';
import os from 'node:os';
import { type CommandResult, command, lastLines, nodeCommand } from './command';
import { duration, say, TaskError } from './console';
import { inRoot } from './paths';
import { whenChanged } from './stamp';

const parallelJobs = String(Math.max(1, os.availableParallelism()));
const nativeSources = ['native', 'CMakeLists.txt'] as const;
const testSources = [...nativeSources, 'test/native', 'test/fuzz'] as const;
const cmakeJs = 'cmake-js/bin/cmake-js';
/** The C++ tests are built here too: the engine's libraries, which take the longest, are compiled once for both. */
export const nativeFolder = 'build/addon';
export const addonFile = `${nativeFolder}/Release/convolve.node`;

function failWhen(result: CommandResult, subject: string, remedy: string): void {
  if (result.code === 0) return;
  // A compiler's first error says more than its last line.
  const errors = result.output.split('\n').filter((line) => /\berror\b|✗|CMake Error/i.test(line));
  const shown = errors.length > 0 ? errors.slice(0, 8).join('\n') : '';
  throw new TaskError(`${subject} failed.\n${shown}\n…\n${lastLines(result.output, 15)}`, remedy);
}

const nativeRemedy =
  'If the sources are as committed, remove the build folder (build/) and run this again; otherwise mend what the compiler names.';

export async function buildAddon(): Promise<void> {
  await whenChanged(
    {
      name: 'addon',
      inputs: [...nativeSources, 'node_modules/node-addon-api/package.json', 'node_modules/cmake-js/package.json'],
      words: [process.platform, process.arch],
      outputs: [addonFile],
    },
    async () => {
      say('Engine', 'compiling (a few minutes the first time)');
      // cmake-js configures by itself only where it never did; a configuration that failed has to be repeated by hand.
      if (!existsSync(inRoot(nativeFolder, 'build.ninja'))) {
        const configured = await nodeCommand(cmakeJs, ['configure', '--out', nativeFolder]);
        failWhen(configured, 'Configuring the engine', nativeRemedy);
      }
      const words = ['build', '--out', nativeFolder, '--target', 'convolve_addon', '--parallel', parallelJobs];
      const result = await nodeCommand(cmakeJs, words);
      failWhen(result, 'Compiling the engine', nativeRemedy);
      say('Engine', `built in ${duration(result.milliseconds)}`);
    },
  );
}

/** After buildAddon, in the same folder. */
export async function buildNativeTests(): Promise<void> {
  await whenChanged(
    {
      name: 'native-tests',
      inputs: testSources,
      outputs: [`${nativeFolder}/test/native/CTestTestfile.cmake`],
    },
    async () => {
      say('C++ tests', 'compiling (a few minutes the first time)');
      const configured = await command('cmake', ['-S', '.', '-B', nativeFolder, '-DCONVOLVE_TESTS=ON']);
      failWhen(configured, 'Configuring the C++ tests', nativeRemedy);
      const result = await command('cmake', ['--build', nativeFolder, '--parallel', parallelJobs]);
      failWhen(result, 'Compiling the C++ tests', nativeRemedy);
      say('C++ tests', `built in ${duration(configured.milliseconds + result.milliseconds)}`);
    },
  );
}

/** What each sanitized build is built with. Thread and address do not go together. */
const sanitizers = { address: 'address,undefined', thread: 'thread' } as const;
type Sanitizer = keyof typeof sanitizers;

/** The C++ tests once more, the reference and the cpu backend alone. Returns their folder. */
export async function buildSanitizedTests(sanitizer: Sanitizer): Promise<string> {
  const folder = `build/${sanitizer}`;
  await whenChanged(
    {
      name: `native-tests-${sanitizer}`,
      inputs: testSources,
      outputs: [`${folder}/test/native/CTestTestfile.cmake`],
    },
    async () => {
      say(`C++ tests, ${sanitizer} sanitizer`, 'compiling (a few minutes the first time)');
      const words = ['-G', 'Ninja', '-DCONVOLVE_CUDA=OFF', `-DCONVOLVE_SANITIZE=${sanitizers[sanitizer]}`];
      const configured = await command('cmake', ['-S', '.', '-B', folder, ...words]);
      failWhen(configured, 'Configuring the sanitized tests', nativeRemedy);
      const result = await command('cmake', ['--build', folder, '--parallel', parallelJobs]);
      failWhen(result, 'Compiling the sanitized tests', nativeRemedy);
      say(`C++ tests, ${sanitizer} sanitizer`, `built in ${duration(configured.milliseconds + result.milliseconds)}`);
    },
  );
  return folder;
}

/** Where libvips lies: folders of headers and of glibconfig.h, and the shared library. */
export interface VipsFiles {
  readonly headers: string;
  readonly configuration: string;
  readonly library: string;
}

/** After buildAddon, in the same folder: the engine that is measured is the one that the app runs. Returns the program. */
export async function buildBench(vips: VipsFiles | undefined): Promise<string> {
  const words = [
    '-DCONVOLVE_CPU_BENCH=ON',
    `-DCONVOLVE_VIPS_HEADERS=${vips?.headers ?? ''}`,
    `-DCONVOLVE_VIPS_CONFIG=${vips?.configuration ?? ''}`,
    `-DCONVOLVE_VIPS_LIBRARY=${vips?.library ?? ''}`,
  ];
  const configured = await command('cmake', ['-S', '.', '-B', nativeFolder, ...words]);
  failWhen(configured, 'Configuring the bench', nativeRemedy);
  const parameters = ['--build', nativeFolder, '--target', 'cpu_bench', '--parallel', parallelJobs];
  failWhen(await command('cmake', parameters), 'Compiling the bench', nativeRemedy);
  return inRoot(nativeFolder, 'test', 'bench', 'cpu', 'cpu_bench');
}

/**
 * Each entry becomes one CommonJS file: Electron's sandboxed preload cannot load modules, and one file starts fastest.
 * `codecWorker`, `libraryWorker` and `planWorker` are threads that `main` starts.
 */
export async function buildMain(): Promise<void> {
  const entries = ['main', 'preload', 'codecWorker', 'libraryWorker', 'planWorker', 'cli'] as const;
  await whenChanged(
    {
      name: 'main',
      inputs: ['main', 'core', 'package-lock.json', 'scripts/build.ts'],
      outputs: entries.map((entry) => `dist/main/${entry}.cjs`),
    },
    async () => {
      const { build } = await import('esbuild');
      const started = performance.now();
      await build({
        absWorkingDir: inRoot(),
        entryPoints: entries.map((entry) => ({ in: `main/${entry}.ts`, out: `${entry}` })),
        outdir: 'dist/main',
        outExtension: { '.js': '.cjs' },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        // The oldest Node it runs on: Electron 33's.
        target: 'node20.18',
        // Electron is built in; sharp and the addon are native and stay files of their own.
        external: ['electron', 'sharp', '*.node'],
        sourcemap: 'linked',
        logLevel: 'silent',
      }).catch((thrown: Error) => {
        throw new TaskError(`Bundling main failed.\n${thrown.message}`, 'Mend what it names and run this again.');
      });
      say('Main', `bundled in ${duration(performance.now() - started)}`);
    },
  );
}

export async function buildPage(): Promise<void> {
  await whenChanged(
    {
      name: 'page',
      inputs: ['renderer', 'core', 'vite.config.ts', 'package-lock.json'],
      outputs: ['dist/renderer/index.html'],
    },
    async () => {
      const result = await nodeCommand('vite/bin/vite.js', ['build', '--logLevel', 'warn']);
      failWhen(result, 'Building the page', 'Mend what it names and run this again.');
      say('Page', `built in ${duration(result.milliseconds)}`);
    },
  );
}
