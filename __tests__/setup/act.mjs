// act, the workflow runner of the end-to-end tests: built by Go's own tool where it isn't installed.
import { mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';

const VERSION = '0.2.89';

function isWanted(program) {
  return output(program, ['--version'])?.includes(VERSION) ?? false;
}

/** Folder of an act of the version that the tests are written for. Throws SetupError. */
export async function ensureAct({ signal } = {}) {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');
  const folder = join(cache, `act-${VERSION}`);
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
  // Sources and objects go to a folder that is removed afterwards, writable so that it can be.
  const scratch = join(cache, 'go');
  const env = { ...process.env, GOBIN: folder, GOPATH: scratch, GOCACHE: join(scratch, 'build') };
  env.GOFLAGS = `${env.GOFLAGS ?? ''} -modcacherw`.trim();
  delete env.GOMODCACHE;
  try {
    await run(go, ['install', `github.com/nektos/act@v${VERSION}`], { env, seconds: 900, signal });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}
