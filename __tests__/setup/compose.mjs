// Docker Compose for the tests of Compose projects, built by Go's own tool from the module proxy where it isn't there already.
import { cpSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { find, output, SetupError, say } from '../../runner-setup/command.mjs';
import { runBeside } from './beside.mjs';
import { BUILD, cache, goEnvironment } from './go.mjs';

const VERSION = '2.40.3';
/** What runs beside gets little of a busy machine; alone it takes three. */
const MINUTES = 25;

const made = () => join(cache(), `compose-${VERSION}`);

/** Folder with a plug-in `docker-compose` that was built before; null: there is none. */
export function builtCompose() {
  return statSync(join(made(), 'docker-compose'), { throwIfNoEntry: false }) ? made() : null;
}

/** Folder with a plug-in `docker-compose`. Compilers begin when `ready` is fulfilled. Throws SetupError where it can't be built within some minutes. */
export async function ensureCompose({ signal, ready } = {}) {
  const there = builtCompose();
  if (there !== null) {
    return there;
  }
  const go = find('go') ?? find('go', '/usr/local/go/bin');
  if (go === null) {
    throw new SetupError('There is no Go 1.24 or later to build it: https://go.dev/doc/install');
  }
  say(`building Docker Compose ${VERSION} into ${made()} beside the first tests (go build, some minutes)`);
  const scratch = join(cache(), `compose-${process.pid}`);
  const folder = join(scratch, 'made');
  mkdirSync(folder, { recursive: true });
  const env = goEnvironment();
  const nicely = (priority, words, options) => runBeside(priority, [go, ...words], { env, signal, ...options });
  try {
    const module = `github.com/docker/compose/v2@v${VERSION}`;
    await nicely('idle', ['mod', 'download', module], { cwd: scratch, seconds: 400 });
    // Its go.mod has excludes, which `go install` refuses: it is built as a module of its own.
    const source = join(scratch, 'source');
    cpSync(join(output(go, ['env', 'GOMODCACHE'], { env }).trim(), module), source, { recursive: true });
    const words = [...BUILD, '-o', join(folder, 'docker-compose'), './cmd'];
    await ready;
    await nicely('low', words, { cwd: source, seconds: MINUTES * 60 });
    rmSync(made(), { recursive: true, force: true });
    renameSync(folder, made());
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return made();
}
