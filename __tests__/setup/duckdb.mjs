// DuckDB, in which docs/export.md asks exported files: its Python package, from PyPI, where it isn't there already.
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { find, run, SetupError, say } from '../../runner-setup/command.mjs';

const VERSION = '2.0.0';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

/** Folder for PYTHONPATH. Throws SetupError where it can't be had. */
export async function ensureDuckdb({ signal } = {}) {
  const made = join(cache(), `duckdb-${VERSION}`);
  if (statSync(join(made, 'duckdb'), { throwIfNoEntry: false })) {
    return made;
  }
  const python = find('python3');
  if (python === null) {
    throw new SetupError('There is no Python to ask DuckDB with.');
  }
  say(`installing DuckDB ${VERSION} into ${made} (pip, 24 MB)`);
  const scratch = join(cache(), `duckdb-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', '--target', scratch];
    await run(python, [...words, '--disable-pip-version-check', `duckdb==${VERSION}`], { signal, seconds: 180 });
    rmSync(made, { recursive: true, force: true });
    renameSync(scratch, made);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return made;
}
