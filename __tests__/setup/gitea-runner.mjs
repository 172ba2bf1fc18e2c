// The runner of the tests with a real Gitea, built by Go's own tool: Gitea's protocol and its executor in some 350 lines of our own.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, run, SetupError, say } from '../../runner-setup/command.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

const MINUTES = 15;

const source = fileURLToPath(new URL('./gitea-runner', import.meta.url));

/** The folder bears a digest of the sources: another runner is another program. */
function made() {
  const hash = createHash('sha256');
  for (const name of readdirSync(source).sort()) hash.update(readFileSync(join(source, name)));
  return join(cache(), `gitea-runner-${hash.digest('hex').slice(0, 12)}`);
}

/** The program, where it was built before; null: it was not. */
export function builtGiteaRunner() {
  const program = join(made(), 'gitea-runner');
  return statSync(program, { throwIfNoEntry: false }) ? program : null;
}

/** The program. Throws SetupError where it can't be built within some minutes. */
export async function ensureGiteaRunner({ signal } = {}) {
  const there = builtGiteaRunner();
  if (there !== null) {
    return there;
  }
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError('There is no Go 1.26 or later to build it: https://go.dev/doc/install');
  }
  say(`building the runner of Gitea Actions into ${made()} (go build, a minute or two)`);
  const scratch = join(cache(), `gitea-runner-${process.pid}`);
  const folder = join(scratch, 'made');
  mkdirSync(folder, { recursive: true });
  try {
    const words = [...BUILD, '-o', join(folder, 'gitea-runner'), '.'];
    await run(go, words, { env: goEnvironment(), cwd: source, signal, seconds: MINUTES * 60 });
    rmSync(made(), { recursive: true, force: true });
    renameSync(folder, made());
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return join(made(), 'gitea-runner');
}
