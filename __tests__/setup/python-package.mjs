// A package of PyPI, without what it needs of others, in a folder of its own where it isn't there already.
import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { find, run, SetupError, say } from '../../runner-setup/command.mjs';

const cache = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joulediff');

/** Folder with the package; `holds`: what is in it then. Throws SetupError where it can't be had. */
export async function ensurePythonPackage({ name, version, holds, size, signal }) {
  const made = join(cache(), `${name}-${version}`);
  if (statSync(join(made, holds), { throwIfNoEntry: false })) {
    return made;
  }
  const python = find('python3');
  if (python === null) {
    throw new SetupError(`There is no Python to install ${name} with.`);
  }
  say(`installing ${name} ${version} into ${made} (pip, ${size})`);
  const scratch = join(cache(), `${name}-${process.pid}`);
  mkdirSync(scratch, { recursive: true });
  try {
    const words = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--only-binary', ':all:', '--target', scratch];
    await run(python, [...words, '--disable-pip-version-check', `${name}==${version}`], { signal, seconds: 180 });
    rmSync(made, { recursive: true, force: true });
    renameSync(scratch, made);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return made;
}
