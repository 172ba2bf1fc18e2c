// Node.js 24, the runtime of the action, where the machine has an older one: it is an npm package of this checkout.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, output, run, SetupError, say } from './command.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = join(root, 'node_modules', '.bin');

function isNode24(program) {
  return Number.parseInt(output(program, ['-p', 'process.versions.node']) ?? '0', 10) >= 24;
}

/** Runs `npm ci` in the checkout. Throws SetupError. */
export async function npmCi(args = [], { signal } = {}) {
  if (find('npm') === null) {
    throw new SetupError(
      'npm is not on PATH. Install Node.js 18 or later with npm (Debian: apt-get install nodejs npm).',
    );
  }
  say(['installing what package-lock.json names: npm ci', ...args].join(' '));
  await run('npm', ['ci', '--no-audit', '--no-fund', ...args], { cwd: root, signal });
}

/** Is node_modules what package-lock.json says? Packages that are optional, and not for this platform, may be missing. */
export function installedAsLocked() {
  const parsePackages = (file) => JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
    return false;
  }
  const { '': _, ...locked } = parsePackages('package-lock.json');
  const installed = parsePackages('node_modules/.package-lock.json');
  const differs = ([path, { version, optional }]) =>
    installed[path] === undefined ? !optional : installed[path].version !== version;
  return !Object.entries(locked).some(differs) && Object.keys(installed).every((path) => path in locked);
}

/**
 * Full path of a Node.js 24 or later: the one that runs this, the checkout's, or else the checkout's after
 * `npm ci --omit=dev`. Throws SetupError.
 */
export async function ensureNode24(options) {
  const own = join(bin, 'node');
  for (const program of [process.execPath, own]) {
    if (existsSync(program) && isNode24(program)) {
      return program;
    }
  }
  await npmCi(['--omit=dev'], options);
  if (!existsSync(own) || !isNode24(own)) {
    throw new SetupError(
      `Node.js 24 is needed; this is ${process.version} on ${process.platform}-${process.arch}, for which npm has brought none. ` +
        'Install Node.js 24 or later.',
    );
  }
  return own;
}
