// Who may import whom, as tables: every import in the TypeScript folders and every #include in native/ and its tests is
// read, and a forbidden one fails by name. Also the rules that a reader would otherwise have to remember: file names, words
// that do not belong in the repository, and the error codes that two languages share.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { preProcessFile } from 'typescript';
import { describe, expect, it } from 'vitest';
import { engineErrorCodes } from '../../core/errors';

const root = path.resolve(import.meta.dirname ?? __dirname, '..', '..');
const notOurs = new Set(['.git', 'node_modules', 'build', 'dist', 'release', '.cache', 'out']);

function filesUnder(folder: string): readonly string[] {
  const absolute = path.join(root, folder);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute).flatMap((name) => {
    const file = path.posix.join(folder, name);
    if (notOurs.has(name)) return [];
    return statSync(path.join(root, file)).isDirectory() ? filesUnder(file) : [file];
  });
}
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const isTypeScript = (file: string): boolean => /\.(ts|tsx|mts|mjs)$/.test(file);
const isNative = (file: string): boolean => /\.(h|hpp|cpp|cc|cu|cuh)$/.test(file);

// ---- TypeScript -----------------------------------------------------------------------------------------------------

interface Layer {
  /** Folders of the project it may import from. */
  readonly folders: readonly string[];
  /** npm packages, by name; a name that ends in `/` allows the whole scope. */
  readonly packages: readonly string[];
  /** Whether Node's own modules may be imported. */
  readonly node: boolean;
}

const typescriptLayers: Readonly<Record<string, Layer>> = {
  core: { folders: ['core'], packages: ['zod', 'ml-matrix', 'jsep', 'fft.js'], node: false },
  main: {
    folders: ['core', 'main'],
    packages: ['zod', 'sharp', 'icc', 'commander', 'electron', 'fast-glob'],
    node: true,
  },
  renderer: {
    folders: ['core', 'renderer'],
    packages: [
      'react',
      'react-dom',
      'react-aria-components',
      'react-i18next',
      'i18next',
      'zustand',
      'lucide-react',
      '@fontsource-variable/',
    ],
    node: false,
  },
  scripts: {
    folders: ['scripts', 'core'],
    packages: ['esbuild', 'playwright', 'electron-builder', '@electron/fuses', 'sharp', 'zod'],
    node: true,
  },
  test: {
    folders: ['test', 'core', 'main', 'renderer', 'scripts'],
    packages: [
      'vitest',
      'typescript',
      'esbuild',
      'playwright',
      'axe-core',
      'sharp',
      'zod',
      'ml-matrix',
      'react',
      'react-dom',
      'react-aria-components',
      'i18next',
      'react-i18next',
      'electron',
      '@electron/fuses',
      '@electron/asar',
    ],
    node: true,
  },
};

interface Import {
  readonly file: string;
  readonly name: string;
  /** Path in the project that a relative import leads to, without its extension. */
  readonly target: string | undefined;
}

function importsOf(file: string): readonly Import[] {
  return preProcessFile(read(file), true, true).importedFiles.map(({ fileName: name }) => ({
    file,
    name,
    target: name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : undefined,
  }));
}

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
const isNodeModule = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

function isAllowed({ name, target }: Import, layer: Layer): boolean {
  if (target !== undefined) return layer.folders.includes(target.split('/')[0] ?? '');
  if (isNodeModule(name)) return layer.node;
  return layer.packages.some((allowed) =>
    allowed.endsWith('/') ? name.startsWith(allowed) : packageOf(name) === allowed,
  );
}

/** The file that a relative import means, or undefined when it is a style sheet, a picture or the like. */
function resolveTarget(target: string): string | undefined {
  const endings = ['', '.ts', '.tsx', '.mts', '.mjs', '/index.ts'];
  return endings
    .map((ending) => target + ending)
    .find((file) => isTypeScript(file) && existsSync(path.join(root, file)));
}

/** Every file that `start` reaches through relative imports, with the way there. */
function closure(start: string): ReadonlyMap<string, string> {
  const ways = new Map([[start, start]]);
  for (const [file, way] of ways) {
    for (const { target } of importsOf(file)) {
      const next = target === undefined ? undefined : resolveTarget(target);
      if (next !== undefined && !ways.has(next)) ways.set(next, `${way} → ${next}`);
    }
  }
  return ways;
}

describe('TypeScript imports', () => {
  for (const [folder, layer] of Object.entries(typescriptLayers)) {
    const allowed = [...layer.folders.map((name) => `${name}/`), ...(layer.node ? ['Node'] : []), ...layer.packages];
    it(`${folder}/ imports only ${allowed.join(', ')}`, () => {
      const files = filesUnder(folder).filter(isTypeScript);
      expect(files.length).toBeGreaterThan(0);
      const forbidden = files.flatMap(importsOf).filter((entry) => !isAllowed(entry, layer));
      expect(forbidden.map(({ file, name }) => `${file} imports ${name}`)).toEqual([]);
    });
  }

  it('sees static, type-only, re-exported, dynamic and required imports', () => {
    const source = `import a from 'a'; import type { B } from 'b'; export * from 'c'; import('d'); require('e');`;
    const names = preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName);
    expect(names.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  for (const entry of ['main/handlers.ts', 'main/cli.ts']) {
    it(`${entry} reaches no Electron`, () => {
      const ways = [...closure(entry)];
      expect(ways.length).toBeGreaterThan(3);
      const withElectron = ways.filter(([file]) => importsOf(file).some(({ name }) => packageOf(name) === 'electron'));
      expect(withElectron.map(([, way]) => way)).toEqual([]);
    });
  }

  it('only main/engine.ts names the addon', () => {
    const loaders = ['core', 'main', 'renderer'].flatMap(filesUnder).filter(isTypeScript);
    expect(loaders.filter((file) => /\.node['"`]/.test(read(file)))).toEqual(['main/engine.ts']);
  });

  it('only renderer/bridge.ts uses window.bridge', () => {
    const users = filesUnder('renderer').filter((file) => isTypeScript(file) && /\bwindow\.bridge\b/.test(read(file)));
    expect(users).toEqual(['renderer/bridge.ts']);
  });
});

// ---- C++ ------------------------------------------------------------------------------------------------------------

interface NativeLayer {
  /** Folders of native/ whose headers it may include. */
  readonly folders: readonly string[];
  /** Other people's headers, by what their path starts with. */
  readonly foreign: readonly string[];
  /** Another folder whose files it includes by a path from its own. */
  readonly beside?: string;
}

const nativeLayers: Readonly<Record<string, NativeLayer>> = {
  'native/engine': { folders: ['engine'], foreign: [] },
  'native/reference': { folders: ['engine', 'reference'], foreign: [] },
  'native/cpu': { folders: ['engine', 'cpu'], foreign: ['hwy/'] },
  'native/cuda': { folders: ['engine', 'cuda'], foreign: ['cuda', 'cub/', 'cooperative_groups', 'cufft', 'mma'] },
  'native/addon': { folders: ['engine', 'reference', 'cpu', 'cuda', 'addon'], foreign: ['napi.h', 'node_api.h'] },
  'native/tools': { folders: ['engine', 'reference', 'cpu', 'cuda', 'tools'], foreign: ['nlohmann/'] },
  'test/bench/cpu': { folders: ['engine'], foreign: ['nlohmann/', 'opencv2/', 'vips/'] },
  'test/fuzz': { folders: ['engine', 'cpu'], foreign: ['nlohmann/'], beside: 'test/native' },
  'test/native': { folders: ['engine', 'reference', 'cpu', 'cuda'], foreign: ['doctest/', 'nlohmann/', 'hwy/'] },
};

/** Files that may speak to the operating system, and the headers they may use for it. */
const systemHeaders: Readonly<Record<string, readonly string[]>> = {
  // Pages of their own for pixels, and huge-page advice.
  'native/engine/pages.cpp': ['sys/mman.h', 'windows.h'],
  // Threads that stand behind those of the window.
  'native/addon/workers.cpp': ['sys/resource.h'],
  // Instructions that the vector library of this age has no words for.
  'native/cpu/vnni_round-inl.h': ['immintrin.h'],
  // The machine's own speed, and memory that stays warm while a bench runs.
  'test/bench/cpu/floors.cpp': ['immintrin.h'],
  'test/bench/cpu/main.cpp': ['malloc.h'],
  // A test of too little memory lowers the process's own limit.
  'test/native/memory_limit.h': ['sys/resource.h'],
};

/** A header of the C++ standard library has a plain name: no folder, no ending. */
const isStandardHeader = (name: string): boolean => /^[a-z_]+$/.test(name);

function forbiddenIncludes(folder: string, layer: NativeLayer): readonly string[] {
  return filesUnder(folder)
    .filter(isNative)
    .flatMap((file) =>
      [...read(file).matchAll(/^\s*#\s*include\s+["<]([^">]+)[">]/gm)]
        .map((match) => match[1] ?? '')
        .filter((name) => {
          if (isStandardHeader(name) || systemHeaders[file]?.includes(name)) return false;
          if (layer.foreign.some((start) => name.startsWith(start))) return false;
          const beside = path.posix.join(path.posix.dirname(file), name);
          const near = [folder, layer.beside].some((where) => where && beside.startsWith(`${where}/`));
          if (near && existsSync(path.join(root, beside))) return false;
          return !layer.folders.includes(name.split('/')[0] ?? '') || !existsSync(path.join(root, 'native', name));
        })
        .map((name) => `${file} includes ${name}`),
    );
}

describe('C++ includes', () => {
  for (const [folder, layer] of Object.entries(nativeLayers)) {
    if (!filesUnder(folder).some(isNative)) continue;
    it(`${folder}/ includes only the standard library, ${[...layer.folders, ...layer.foreign].join(', ')}`, () => {
      expect(forbiddenIncludes(folder, layer)).toEqual([]);
    });
  }

  it('every folder of native/ with sources is in the table', () => {
    const folders = new Set(filesUnder('native').filter(isNative).map(path.posix.dirname));
    const known = Object.keys(nativeLayers);
    expect([...folders].filter((folder) => !known.some((name) => `${folder}/`.startsWith(`${name}/`)))).toEqual([]);
  });
});

// ---- What a reader would have to remember ---------------------------------------------------------------------------

const everyFile = filesUnder('.');
const isText = (file: string): boolean =>
  /\.(ts|tsx|mjs|js|json|md|h|cpp|cc|cu|txt|yml|yaml|html|css|sh|cmake)$|(^|\/)(run|LICENSE|\.[a-z-]+)$/.test(file);

describe('the repository', () => {
  it('has no file named utils, helpers, common or misc', () => {
    const vague = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'misc']);
    const partsOf = (file: string): readonly string[] => file.split('/').map((part) => part.replace(/\..*$/, ''));
    expect(everyFile.filter((file) => partsOf(file).some((part) => vague.has(part.toLowerCase())))).toEqual([]);
  });

  it('names no package registry host and no folder of a particular machine', () => {
    // Put together from pieces so that this file does not hold them itself.
    const words = [
      'registry' + '.npmjs',
      'npmjs' + '.org',
      'deb' + '.debian',
      '/work' + '/',
      '/root' + '/',
      '/home' + '/',
    ];
    const found = everyFile.filter(isText).flatMap((file) => {
      const text = read(file);
      return words
        .filter((word) => new RegExp(`(^|[^\\w.])${word.replaceAll('.', '\\.')}`, 'm').test(text))
        .map((word) => `${file} holds ${word}`);
    });
    expect(found).toEqual([]);
  });

  it('has the same engine error codes in native/engine/error.h as in core/errors.ts', () => {
    const header = read('native/engine/error.h');
    const list = header.match(/enum class ErrorCode \{([^}]*)\}/)?.[1] ?? '';
    const enumerators = [...list.matchAll(/\bk([A-Z]\w*)/g)].map((match) => match[1] ?? '');
    const names = [...header.matchAll(/case ErrorCode::k(\w+):\s*return "(\w+)";/g)];
    expect(enumerators.map((name) => name.charAt(0).toLowerCase() + name.slice(1))).toEqual([...engineErrorCodes]);
    expect(names.map((match) => match[1])).toEqual(enumerators);
    expect(names.map((match) => match[2])).toEqual([...engineErrorCodes]);
  });
});
