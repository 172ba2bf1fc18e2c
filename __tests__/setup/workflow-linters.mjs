// actionlint and zizmor, which read the workflows of this project and of its examples.
import { join } from 'node:path';
import { ensureGoProgram } from './go-program.mjs';
import { ensurePythonPackage } from './python-package.mjs';

/** Folder for PATH. Throws SetupError where it can't be had. */
export const ensureActionlint = ({ signal } = {}) =>
  ensureGoProgram({
    name: 'actionlint',
    version: '1.7.12',
    path: 'github.com/rhysd/actionlint/cmd/actionlint',
    signal,
  });

/** Folder for PATH. Throws SetupError where it can't be had. */
export async function ensureZizmor({ signal } = {}) {
  const wanted = { name: 'zizmor', version: '1.32.0', holds: 'bin/zizmor', size: '9 MB', signal };
  return join(await ensurePythonPackage(wanted), 'bin');
}
