// act, the workflow runner of the end-to-end tests.
import { ensureGoProgram } from './go-program.mjs';

/** Folder of an act of the version that the tests are written for. Throws SetupError. */
export const ensureAct = ({ signal } = {}) =>
  ensureGoProgram({ name: 'act', version: '0.2.89', path: 'github.com/nektos/act', signal });
