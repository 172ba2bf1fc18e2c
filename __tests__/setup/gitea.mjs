// A real Gitea for the tests of the comment, built by Go's own tool from the module proxy: there is no other way to know how it answers.
import { cpSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

const VERSION = '1.26.0';
/** Upper bound on the build, which takes four minutes or so on two processors that do nothing else. */
const MINUTES = 15;

/** Folder of a Gitea that was built before; null: there is none. */
export function builtGitea() {
  const folder = join(cache(), `gitea-${VERSION}`);
  return statSync(folder, { throwIfNoEntry: false }) ? folder : null;
}

/** Folder with a program `gitea` and what it reads at run time. Throws SetupError where it can't be built within some minutes. */
export async function ensureGitea({ signal } = {}) {
  const there = builtGitea();
  if (there !== null) {
    return there;
  }
  const folder = join(cache(), `gitea-${VERSION}`);
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError('There is no Go 1.26 or later to build it: https://go.dev/doc/install');
  }
  say(`building Gitea ${VERSION} into ${folder} (go build, some minutes)`);
  const scratch = join(cache(), `gitea-${process.pid}`);
  const made = join(scratch, 'made');
  mkdirSync(made, { recursive: true });
  const env = goEnvironment();
  try {
    const module = `code.gitea.io/gitea@v${VERSION}`;
    await run(go, ['mod', 'download', module], { env, signal, cwd: scratch, seconds: 400 });
    const source = join(scratch, 'source');
    cpSync(join(output(go, ['env', 'GOMODCACHE'], { env }).trim(), module), source, { recursive: true });
    const words = [...BUILD, '-mod=mod', '-tags', 'sqlite sqlite_unlock_notify', '-o', join(made, 'gitea'), '.'];
    await run(go, words, { env, signal, cwd: source, seconds: MINUTES * 60 });
    for (const part of ['options', 'public', 'templates']) {
      cpSync(join(source, part), join(made, part), { recursive: true });
    }
    renameSync(made, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}
