import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** What the analysis is compared with, from PyPI. */
const PACKAGES = ['numpy==2.4.6', 'pandas==3.1.1', 'scipy==1.17.1'];

/** Python with pandas and SciPy in a virtual environment outside the checkout, made where it isn't there. Null: not possible here. */
export function pythonWithScipy(): string | null {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'joulediff', 'bench-python');
  const python = join(folder, 'bin', 'python');
  const has = (): boolean => existsSync(python) && spawnSync(python, ['-c', 'import pandas, scipy']).status === 0;
  if (has()) return python;
  mkdirSync(dirname(folder), { recursive: true });
  process.stderr.write(`installing ${PACKAGES.join(', ')} into ${folder}\n`);
  spawnSync('python3', ['-m', 'venv', folder], { stdio: 'inherit' });
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES], {
    stdio: 'inherit',
  });
  return has() ? python : null;
}
