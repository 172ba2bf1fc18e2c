import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const ROOT = new URL('..', import.meta.url).pathname;
let house: string;
beforeEach(() => {
  house = mkdtempSync(join(tmpdir(), 'joulediff-floors-'));
});
afterEach(() => rmSync(house, { recursive: true, force: true }));

/** What `npm run floors` says of a house of these files, a line for each violation. */
function violations(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
  const words = [join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', '-T', 'err'];
  const config = ['--config', join(ROOT, '.dependency-cruiser.mjs')];
  const { status, stdout } = spawnSync(process.execPath, [...words, ...config], { cwd: house, encoding: 'utf8' });
  const lines = stdout.replaceAll(/\s*→\s*/g, ' → ').match(/^ {2}error .*$/gm) ?? [];
  expect(status).toBe(lines.length);
  return lines.map((line) => line.trim());
}

test('imports that go down or stay are let be', () => {
  const files = {
    'src/cli.ts': "import { report } from './report/report.ts';\nreport();\n",
    'src/report/report.ts': "import { other } from './other.ts';\nexport const report = other;\n",
    'src/report/other.ts': "import type { Sum } from '../stats/sum.ts';\nexport const other = (): Sum => 1;\n",
    'src/stats/sum.ts': 'export type Sum = number;\n',
  };
  expect(violations(files)).toEqual([]);
});

test.each([
  ['a value', "import { report } from '../report/report.ts';\nexport const sum = report;\n"],
  ['a type', "import type { Report } from '../report/report.ts';\nexport const sum: Report = 1;\n"],
  ['a type that is handed on', "export type { Report } from '../report/report.ts';\n"],
])('an import of %s that runs up a floor is told with both files', (_, text) => {
  const files = {
    'src/stats/sum.ts': text,
    'src/report/report.ts': 'export type Report = number;\nexport const report = 1;\n',
  };
  expect(violations(files)).toEqual(['error up-a-floor: src/stats/sum.ts → src/report/report.ts']);
});

test('what a variable with `using` imports is seen too', () => {
  const files = {
    'src/stats/sum.ts':
      "export async function sum() {\n  await using x = (await import('../report/report.ts')).report;\n  return x;\n}\n",
    'src/report/report.ts': 'export const report = { async [Symbol.asyncDispose]() {} };\n',
  };
  expect(violations(files)).toEqual(['error up-a-floor: src/stats/sum.ts → src/report/report.ts']);
});

test('a circle is told, of types alone too', () => {
  const files = {
    'src/stats/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
    'src/stats/b.ts': "import type { C } from './c.ts';\nexport type B = C | 2;\n",
    'src/stats/c.ts': "import type { A } from './a.ts';\nexport type C = A | 3;\n",
  };
  const [circle, ...others] = violations(files);
  expect(circle).toMatch(/^error circle: src\/stats\/(\w)\.ts →/);
  expect(others).toEqual([]);
});

test('a new room needs a floor', () => {
  const files = {
    'src/attic/box.ts': "import { sum } from '../stats/sum.ts';\nexport const box = sum;\n",
    'src/stats/sum.ts': 'export const sum = 1;\n',
  };
  expect(violations(files)).toEqual(['error no-floor: src/attic/box.ts → src/stats/sum.ts']);
});
