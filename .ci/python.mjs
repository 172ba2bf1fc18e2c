// Lints the Python program of src/hosts/helper, and compiles it, as the one text that it is sent as.
//   node .ci/python.mjs
import { spawnSync } from 'node:child_process';
import { PositionEncoding, Workspace } from '@astral-sh/ruff-wasm-nodejs';
import { helperProgram } from '../src/hosts/helper.ts';

// pyflakes, errors of pycodestyle, bugbear and simplify. E401 and E731 are a matter of style, and E402 comes from putting files together; SIM105 costs an import,
// SIM115 forbids what stays open on purpose, and B023 is for functions that outlive their loop.
const SETTINGS = {
  'line-length': 160,
  'target-version': 'py37',
  lint: { select: ['F', 'E', 'B', 'SIM'], ignore: ['E401', 'E402', 'E731', 'SIM105', 'SIM115', 'B023'] },
};

const program = helperProgram({ nonce: '', token: '', asker: '', what: null });
const found = new Workspace(SETTINGS, PositionEncoding.Utf16)
  .check(program)
  // The schemas of the questions are one long line.
  .filter(
    ({ code, start_location: { row } }) => code !== 'E501' || !program.split('\n')[row - 1].startsWith('QUESTIONS'),
  );
for (const {
  code,
  message,
  start_location: { row },
} of found) {
  console.log(`${code} ${message}\n  ${row}: ${program.split('\n')[row - 1].trim()}`);
}
const COMPILE = 'import sys; compile(sys.stdin.buffer.read(), "helper", "exec", dont_inherit=True)';
const compiled = spawnSync('python3', ['-I', '-W', 'error', '-c', COMPILE], { input: program, encoding: 'utf8' });
const isMissing = compiled.error?.code === 'ENOENT';
if (isMissing)
  console.log('There is no python3 on this machine: the helper is not compiled. The tests install one, and run it.');
else if (compiled.status !== 0) console.log(compiled.error?.message ?? compiled.stderr);
if (found.length > 0 || (compiled.status !== 0 && !isMissing)) process.exitCode = 1;
