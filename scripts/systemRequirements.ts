// The programs and libraries that come from the operating system: what each task needs, whether it is there, and how it
// gets there. On Debian and Ubuntu, as root or where sudo asks for no password, what is missing is installed with apt;
// anywhere else the exact commands are printed and the task stops.

import { existsSync } from 'node:fs';
import { command, findProgram, lastLines } from './command';
import { say, TaskError } from './console';

/**
 * build: compiling the engine. run: Electron's own libraries. screen: a virtual screen. test: the C++ tests and checks.
 * peers: the library that the bench compares with.
 */
export type Purpose = 'build' | 'run' | 'screen' | 'test' | 'peers';

interface Requirement {
  readonly purpose: Purpose;
  /** How to see that it is there: a program on the PATH, a header, a shared library or a font folder; any one is enough. */
  readonly programs?: readonly string[];
  readonly header?: string;
  readonly library?: string;
  readonly folder?: string;
  /** Commands of which one ends with 0 where it is there. */
  readonly probes?: readonly (readonly [string, ...string[]])[];
  /** Debian's names; the first that the system's archive knows is installed (Ubuntu 24.04 renamed some to …t64). */
  readonly apt: readonly string[];
  readonly brew?: string;
  readonly windows?: string;
  /** Only apt brings it; where it is missing otherwise, the tests that need it are skipped and say so. */
  readonly optional?: true;
}

const minimumCmake = [3, 25] as const;

const requirements: readonly Requirement[] = [
  { purpose: 'build', programs: ['c++', 'g++', 'clang++'], apt: ['g++'] },
  { purpose: 'build', programs: ['make', 'ninja'], apt: ['make'] },
  { purpose: 'build', programs: ['cmake'], apt: ['cmake'], brew: 'cmake', windows: 'winget install Kitware.CMake' },
  {
    purpose: 'build',
    programs: ['ninja'],
    apt: ['ninja-build'],
    brew: 'ninja',
    windows: 'winget install Ninja-build.Ninja',
  },
  {
    purpose: 'build',
    header: 'hwy/highway.h',
    apt: ['libhwy-dev'],
    brew: 'highway',
    windows: 'vcpkg install highway',
  },
  { purpose: 'run', library: 'libgtk-3.so.0', apt: ['libgtk-3-0t64', 'libgtk-3-0'] },
  { purpose: 'run', library: 'libnss3.so', apt: ['libnss3'] },
  { purpose: 'run', library: 'libasound.so.2', apt: ['libasound2t64', 'libasound2'] },
  { purpose: 'run', library: 'libgbm.so.1', apt: ['libgbm1'] },
  { purpose: 'run', library: 'libXss.so.1', apt: ['libxss1'] },
  { purpose: 'screen', programs: ['Xvfb'], apt: ['xvfb'] },
  { purpose: 'screen', folder: '/usr/share/fonts/truetype', apt: ['fonts-dejavu-core'] },
  {
    purpose: 'test',
    header: 'doctest/doctest.h',
    apt: ['doctest-dev'],
    brew: 'doctest',
    windows: 'vcpkg install doctest',
  },
  {
    purpose: 'test',
    header: 'nlohmann/json.hpp',
    apt: ['nlohmann-json3-dev'],
    brew: 'nlohmann-json',
    windows: 'vcpkg install nlohmann-json',
  },
  {
    purpose: 'test',
    programs: ['clang-format-14', 'clang-format'],
    apt: ['clang-format-14', 'clang-format'],
    brew: 'clang-format',
    windows: 'winget install LLVM.LLVM',
  },
  // Read exported pictures in tests.
  { purpose: 'test', programs: ['pngcheck'], apt: ['pngcheck'], optional: true },
  {
    purpose: 'test',
    probes: [
      ['python3', '-c', 'import cv2'],
      ['/usr/bin/python3', '-c', 'import cv2'],
    ],
    apt: ['python3-opencv'],
    optional: true,
  },
  // Reads exported metadata in tests.
  { purpose: 'test', programs: ['exiftool'], apt: ['libimage-exiftool-perl'], optional: true },
  // Run the code that kernels are written as.
  { purpose: 'test', programs: ['magick', 'convert'], apt: ['imagemagick'], optional: true },
  {
    purpose: 'test',
    probes: [
      ['python3', '-c', 'import scipy.ndimage'],
      // Debian's own, where another Python is first on the PATH.
      ['/usr/bin/python3', '-c', 'import scipy.ndimage'],
    ],
    apt: ['python3-scipy'],
    optional: true,
  },
  {
    purpose: 'peers',
    header: 'opencv4/opencv2/imgproc.hpp',
    apt: ['libopencv-imgproc-dev'],
    brew: 'opencv',
    windows: 'vcpkg install opencv4',
  },
];

const headerFolders = ['/usr/include', '/usr/local/include', '/opt/homebrew/include'];

async function isPresent(requirement: Requirement, libraries: string): Promise<boolean> {
  if (requirement.programs?.some((name) => findProgram(name) !== undefined)) return true;
  const { header, library, folder, probes = [] } = requirement;
  for (const [program, ...words] of probes)
    if (findProgram(program) !== undefined && (await command(program, words)).code === 0) return true;
  if (header && headerFolders.some((include) => existsSync(`${include}/${header}`))) return true;
  if (library && libraries.includes(`${library} `)) return true;
  return folder !== undefined && existsSync(folder);
}

/** What of `purposes` is missing on this system. Linux only: other systems bring Electron's libraries themselves. */
async function missingRequirements(purposes: readonly Purpose[]): Promise<readonly Requirement[]> {
  const wanted = requirements.filter((requirement) => purposes.includes(requirement.purpose));
  const ldconfig = findProgram('ldconfig') ?? '/sbin/ldconfig';
  const libraries = process.platform === 'linux' ? (await command(ldconfig, ['-p'])).stdout : '';
  const present = await Promise.all(wanted.map((requirement) => isPresent(requirement, libraries)));
  return wanted.filter((_, index) => !present[index]);
}

/** apt's way to run as root: nothing as root, `sudo -n` where it needs no password, undefined where neither works. */
async function rootPrefix(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  if (findProgram('sudo') && (await command('sudo', ['-n', 'true'])).code === 0) return ['sudo', '-n'];
  return undefined;
}

async function apt(prefix: readonly string[], parameters: readonly string[]): Promise<void> {
  const words = [...prefix, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-o', 'DPkg::Lock::Timeout=300'];
  const [program = 'apt-get', ...rest] = [...words, ...parameters];
  const result = await command(program, rest);
  if (result.code !== 0) {
    throw new TaskError(
      `apt-get ${parameters.join(' ')} failed:\n${lastLines(result.output, 8)}`,
      'Check the network and the sources in /etc/apt, then run this again.',
      3,
    );
  }
}

/** For each requirement the first of its names that the archive offers. */
async function offeredNames(missing: readonly Requirement[]): Promise<readonly string[]> {
  const { stdout } = await command('apt-cache', ['policy', ...missing.flatMap((requirement) => requirement.apt)], {
    environment: { ...process.env, LC_ALL: 'C' },
  });
  const offered = new Set(
    [...stdout.matchAll(/^(\S+):\n {2}Installed: .*\n {2}Candidate: (?!\(none\))/gm)].map((match) => match[1]),
  );
  return missing.map((requirement) => requirement.apt.find((name) => offered.has(name)) ?? requirement.apt[0] ?? '');
}

/** What only some tests need is not worth stopping for. */
async function installForTests(wanted: readonly Requirement[]): Promise<void> {
  await installWithApt(wanted).catch((thrown: unknown) => {
    if (!(thrown instanceof TaskError)) throw thrown;
    const names = wanted.map(({ apt: [name] }) => name).join(' ');
    say(
      'System packages',
      `without ${names}, as ${thrown.message.split('\n').at(-1)}; tests that need them are skipped`,
    );
  });
}

async function installWithApt(wanted: readonly Requirement[]): Promise<void> {
  const prefix = await rootPrefix();
  const missing = prefix ? wanted : wanted.filter(({ optional }) => !optional);
  if (missing.length === 0) return;
  if (!prefix) {
    const names = await offeredNames(missing);
    throw new TaskError(
      `These system packages are missing: ${names.join(' ')}.`,
      `Install them, then run this again:\nsudo apt-get update && sudo apt-get install --no-install-recommends ${names.join(' ')}`,
      3,
    );
  }
  say('System packages', 'reading the package lists');
  await apt(prefix, ['update', '-q']);
  const names = await offeredNames(missing);
  say('System packages', `installing ${names.join(' ')}`);
  await apt(prefix, ['install', '-q', '-y', '--no-install-recommends', ...names]);
}

function installByHand(missing: readonly Requirement[]): never {
  const nameOf = (requirement: Requirement): string =>
    requirement.programs?.[0] ?? requirement.header ?? requirement.library ?? requirement.apt[0] ?? '';
  const remedy =
    process.platform === 'darwin'
      ? `brew install ${missing.map((requirement) => requirement.brew ?? '').join(' ')}\n(and, for the compiler, xcode-select --install)`
      : process.platform === 'win32'
        ? `${missing.map((requirement) => requirement.windows ?? '').join('\n')}\n(and the C++ workload of Visual Studio Build Tools)`
        : `Install them with your system's package manager. On Debian they are: ${missing.map((requirement) => requirement.apt.at(-1)).join(' ')}`;
  throw new TaskError(`Missing on this system: ${missing.map(nameOf).join(', ')}.`, remedy.replaceAll(/ +/g, ' '), 3);
}

/** A header that only a package manager's own folder holds (vcpkg, a Homebrew prefix) is left to CMake to find. */
const leftToCmake = (requirement: Requirement): boolean =>
  process.platform !== 'linux' && requirement.header !== undefined;

async function checkCmake(): Promise<void> {
  const { stdout } = await command('cmake', ['--version']);
  const [, major = '0', minor = '0'] = stdout.match(/version (\d+)\.(\d+)/) ?? [];
  const old = Number(major) < minimumCmake[0] || (Number(major) === minimumCmake[0] && Number(minor) < minimumCmake[1]);
  if (old) {
    throw new TaskError(
      `CMake ${major}.${minor} is too old: Convolve needs ${minimumCmake.join('.')} or newer.`,
      'Install a newer one (Debian 12, Ubuntu 24.04, Homebrew and winget have it) and put it first on the PATH.',
      3,
    );
  }
}

/** Makes sure that everything `purposes` need from the system is there. Throws a TaskError (exit code 3) where it is not. */
export async function provideSystemRequirements(purposes: readonly Purpose[]): Promise<void> {
  const relevant = process.platform === 'linux' ? purposes : purposes.filter((p) => p === 'build' || p === 'test');
  const missing = (await missingRequirements(relevant)).filter((requirement) => !leftToCmake(requirement));
  if (missing.length > 0) {
    if (process.platform === 'linux' && findProgram('apt-get')) {
      const needed = missing.filter(({ optional }) => !optional);
      if (needed.length > 0) await installWithApt(needed);
      const useful = missing.filter(({ optional }) => optional);
      if (useful.length > 0) await installForTests(useful);
    } else if (missing.some(({ optional }) => !optional)) installByHand(missing.filter(({ optional }) => !optional));
  }
  if (purposes.includes('build')) await checkCmake();
}
