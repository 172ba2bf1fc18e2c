// A program in Go: built by Go's own tool where it isn't installed.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

/** Folder of a program of just this version, as it says itself; `path`: of its package in its module. Throws SetupError. */
export async function ensureGoProgram({ name, version, path, signal }) {
  const folder = join(cache(), `${name}-${version}`);
  const known = [find(name), find(name, join(homedir(), 'go', 'bin')), find(name, folder)];
  const found = known.find((program) => program !== null && output(program, ['--version'])?.includes(version));
  if (found) {
    return dirname(found);
  }
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError(
      `There is no ${name} ${version}, and no Go 1.24 or later to build it: https://go.dev/doc/install`,
    );
  }
  say(`building ${name} ${version} into ${folder} (go install)`);
  mkdirSync(folder, { recursive: true });
  const env = { ...goEnvironment(), GOBIN: folder };
  await run(go, ['install', ...BUILD.slice(1), `${path}@v${version}`], { env, seconds: 900, signal });
  return folder;
}
