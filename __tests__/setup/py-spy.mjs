// py-spy, which looks into programs in Python: from PyPI, where it isn't there already.
import { join } from 'node:path';
import { ensurePythonPackage } from './python-package.mjs';

/** Folder for PATH. Throws SetupError where it can't be had. */
export async function ensurePySpy({ signal } = {}) {
  const size = '3 MB';
  return join(
    await ensurePythonPackage({ name: 'py-spy', version: '0.4.3', holds: 'bin/py-spy', size, signal }),
    'bin',
  );
}
