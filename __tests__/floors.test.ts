// Class: unit.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const ROOT = new URL('..', import.meta.url).pathname;

/** A house of which the first files keep the rules, and the others break one each. */
const FILES = {
  'src/cli.ts': "import { report } from './report/report.ts';\nreport();\n",
  'src/report/report.ts':
    "import { other } from './other.ts';\nexport type Report = number;\nexport const report = other;\n",
  'src/report/other.ts': "import type { Sum } from '../stats/sum.ts';\nexport const other = (): Sum => 1;\n",
  'src/stats/sum.ts': 'export type Sum = number;\nexport const sum = 1;\n',
  'src/executors/registry.ts': "import { native } from './native/kind.ts';\nexport const kinds = [native];\n",
  'src/executors/native/kind.ts': "import { pins } from '../pins.ts';\nexport const native = pins;\n",
  'src/executors/pins.ts': 'export const pins = 1;\n',
  'src/meters/meter.ts': 'export const meter = 1;\n',
  'src/stats/value.ts': "import { report } from '../report/report.ts';\nexport const value = report;\n",
  'src/stats/type.ts': "import type { Report } from '../report/report.ts';\nexport const type: Report = 1;\n",
  'src/stats/handed.ts': "export type { Report } from '../report/report.ts';\n",
  'src/stats/using.ts':
    "export async function sum() {\n  await using x = (await import('../report/report.ts')).report;\n  return x;\n}\n",
  'src/hosts/beside.ts': "import { meter } from '../meters/meter.ts';\nexport const beside = meter;\n",
  'src/executors/limits.ts': "import { kinds } from './registry.ts';\nexport const limits = kinds;\n",
  'src/text/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;\n",
  'src/text/b.ts': "import type { C } from './c.ts';\nexport type B = C | 2;\n",
  'src/text/c.ts': "import type { A } from './a.ts';\nexport type C = A | 3;\n",
  'src/attic/box.ts': "import { sum } from '../stats/sum.ts';\nexport const box = sum;\n",
};

let house: string;
let status: number | null;
let reported: string[];
beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'joulediff-floors-'));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  }
  const words = [join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs'), 'src', '-T', 'err'];
  const config = ['--config', join(ROOT, '.dependency-cruiser.mjs')];
  const ended = spawnSync(process.execPath, [...words, ...config], { cwd: house, encoding: 'utf8' });
  status = ended.status;
  reported = (ended.stdout.replaceAll(/\s*→\s*/g, ' → ').match(/^ {2}error .*$/gm) ?? []).map((line) => line.trim());
});
afterAll(() => rmSync(house, { recursive: true, force: true }));

test('whoever breaks a rule is told, and fails the check; whoever keeps them is let be', () => {
  expect(status).toBe(reported.length);
  expect(reported.map((line) => line.split(':')[0]).sort()).toEqual([
    'error circle',
    'error no-floor',
    ...Array.from({ length: 6 }, () => 'error up-or-sideways'),
  ]);
});

test.each([
  ['a value', 'stats/value.ts → src/report/report.ts'],
  ['a type', 'stats/type.ts → src/report/report.ts'],
  ['a type that is handed on', 'stats/handed.ts → src/report/report.ts'],
  ['a variable with `using`', 'stats/using.ts → src/report/report.ts'],
  ['a room on its own floor', 'hosts/beside.ts → src/meters/meter.ts'],
  ['the registry, by what its kinds share', 'executors/limits.ts → src/executors/registry.ts'],
])('an import of %s that runs up or sideways is told with both files', (_, files) => {
  expect(reported).toContain(`error up-or-sideways: src/${files}`);
});

test('a circle is told, of types alone too', () => {
  expect(reported.filter((line) => line.startsWith('error circle'))).toEqual([
    expect.stringMatching(/^error circle: src\/text\/(\w)\.ts →/),
  ]);
});

test('a new room needs a floor', () => {
  expect(reported).toContain('error no-floor: src/attic/box.ts → src/stats/sum.ts');
});
