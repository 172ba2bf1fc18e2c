// Docker Compose for the tests of Compose projects, built by Go's own tool from the module proxy where it isn't there already.
import { cpSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { find, output, run, SetupError, say } from '../../runner-setup/command.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

const VERSION = '2.40.3';
/** Upper bound on the build, which takes four minutes or so on two processors that do nothing else. */
const MINUTES = 15;

const made = () => join(cache(), `compose-${VERSION}`);

/** Folder with a plug-in `docker-compose` that was built before; null: there is none. */
export function builtCompose() {
  return statSync(join(made(), 'docker-compose'), { throwIfNoEntry: false }) ? made() : null;
}

/** Folder with a plug-in `docker-compose`. Throws SetupError where it can't be built within some minutes. */
export async function ensureCompose({ signal } = {}) {
  const there = builtCompose();
  if (there !== null) {
    return there;
  }
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError('There is no Go 1.24 or later to build it: https://go.dev/doc/install');
  }
  say(`building Docker Compose ${VERSION} into ${made()} (go build, some minutes)`);
  const scratch = join(cache(), `compose-${process.pid}`);
  const folder = join(scratch, 'made');
  mkdirSync(folder, { recursive: true });
  const env = goEnvironment();
  try {
    const module = `github.com/docker/compose/v2@v${VERSION}`;
    await run(go, ['mod', 'download', module], { env, signal, cwd: scratch, seconds: 400 });
    // Its go.mod has excludes, which `go install` refuses: it is built as a module of its own.
    const source = join(scratch, 'source');
    cpSync(join(output(go, ['env', 'GOMODCACHE'], { env }).trim(), module), source, { recursive: true });
    const words = [...BUILD, '-o', join(folder, 'docker-compose'), './cmd'];
    await run(go, words, { env, signal, cwd: source, seconds: MINUTES * 60 });
    rmSync(made(), { recursive: true, force: true });
    renameSync(folder, made());
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return made();
}
