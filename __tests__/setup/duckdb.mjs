// DuckDB, in which docs/other-tools.md asks exported files: its Python package, from PyPI, where it isn't there already.
import { ensurePythonPackage } from './python-package.mjs';

/** Folder for PYTHONPATH. Throws SetupError where it can't be had. */
export const ensureDuckdb = ({ signal } = {}) =>
  ensurePythonPackage({ name: 'duckdb', version: '2.0.0', holds: 'duckdb', size: '24 MB', signal });
