// The first step of every task and, with the launcher convolve.mjs, the only JavaScript: it runs before anything is
// installed, so it can use nothing but Node itself. It checks Node, installs the npm packages when they are not those of
// package-lock.json, and hands over to scripts/<task>.ts.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const minimumNode = [20, 19];
const tasks = {
  setup: 'setup.ts',
  start: 'start.ts',
  test: 'test.ts',
  package: 'package.ts',
  screenshots: 'screenshots.ts',
  'bench-cpu': 'benchCpu.ts',
  'format-check': 'formatCheck.ts',
};

function stop(cause, remedy) {
  console.error(`\n✗ ${cause}\n  ${remedy}`);
  process.exit(1);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < minimumNode[0] || (major === minimumNode[0] && minor < minimumNode[1])) {
    stop(
      `Node ${process.versions.node} is too old: Convolve needs Node ${minimumNode.join('.')} or newer.`,
      'Install a current Node, from your system or with a version manager such as nvm, and run this again.',
    );
  }
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm keeps what it installed in node_modules/.package-lock.json; comparing it with package-lock.json takes milliseconds. */
function packagesAreInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  const locked = wanted[''] ?? {};
  const asked = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const same = (a, b) => JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});
  if (!same(asked.dependencies, locked.dependencies) || !same(asked.devDependencies, locked.devDependencies))
    return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === '') return true;
    const present = installed[name];
    if (!present) return Boolean(entry.optional || entry.devOptional || entry.peer);
    return present.version === entry.version;
  });
}

function npm(...parameters) {
  return spawnSync('npm', [...parameters, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

function installPackages() {
  if (packagesAreInstalled()) return;
  console.log('• npm packages: installing (about a minute the first time)');
  const hasLock = existsSync(path.join(root, 'package-lock.json'));
  let result = hasLock ? npm('ci') : npm('install');
  // `npm ci` refuses when package.json asks for more than the lock file holds; `npm install` brings the two together.
  if (hasLock && result.status !== 0 && /npm ci.*can only install|EUSAGE/s.test(result.stderr ?? '')) {
    console.log('• npm packages: package-lock.json does not match package.json, so npm install brings them together');
    result = npm('install');
  }
  if (result.error) stop(`npm could not be started (${result.error.message}).`, 'Install npm, which comes with Node.');
  if (result.status !== 0) {
    process.stderr.write(result.stderr ?? '');
    stop(
      'The npm packages could not be installed.',
      'Check the network and, behind a proxy, `npm config get proxy` and `npm config get registry`; then run this again.',
    );
  }
}

const [task, ...parameters] = process.argv.slice(2);
if (!Object.hasOwn(tasks, task ?? ''))
  stop(`Unknown task “${task ?? ''}”.`, `Tasks: ${Object.keys(tasks).join(', ')}.`);
checkNode();
installPackages();

const child = spawn(process.execPath, ['--import', 'tsx', path.join(root, 'scripts', tasks[task]), ...parameters], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, CONVOLVE_CALLED_FROM: process.env.INIT_CWD ?? process.cwd() },
});
// Ctrl-C reaches the whole process group; the child cleans up and this process waits for it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
child.on('error', (error) =>
  stop(`The task could not be started (${error.message}).`, 'Remove node_modules and run this again.'),
);
child.on('exit', (code, signal) => process.exit(signal ? 130 : (code ?? 1)));
