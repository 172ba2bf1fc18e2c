// act, the workflow runner of the end-to-end tests: built by Go's own tool where it isn't installed.
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

const VERSION = '0.2.89';

function isWanted(program) {
  return output(program, ['--version'])?.includes(VERSION) ?? false;
}

/** Folder of an act of the version that the tests are written for. Throws SetupError. */
export async function ensureAct({ signal } = {}) {
  const folder = join(cache(), `act-${VERSION}`);
  const known = [find('act'), find('act', join(homedir(), 'go', 'bin')), find('act', folder)];
  const found = known.find((program) => program !== null && isWanted(program));
  if (found) {
    return dirname(found);
  }
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError(`There is no act ${VERSION}, and no Go 1.24 or later to build it: https://go.dev/doc/install`);
  }
  say(`building act ${VERSION} into ${folder} (go install)`);
  mkdirSync(folder, { recursive: true });
  const env = { ...goEnvironment(), GOBIN: folder };
  const words = ['install', ...BUILD.slice(1), `github.com/nektos/act@v${VERSION}`];
  await run(go, words, { env, seconds: 900, signal });
  return folder;
}
