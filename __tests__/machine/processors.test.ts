// Class: unit.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MachineFiles } from '../../src/machine/files.ts';
import { governors, processorsIn, turbo } from '../../src/machine/processors.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-machine-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function lay(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
}

it.each([
  ['0', [0]],
  ['0,2-5', [0, 2, 3, 4, 5]],
  ['', []],
])('reads the list %j', (list, numbers) => {
  expect(processorsIn(list)).toEqual(numbers);
});

it('names each governor once', () => {
  const policy = (n: number): string => `sys/devices/system/cpu/cpufreq/policy${n}/scaling_governor`;
  lay({ [policy(0)]: 'powersave', [policy(1)]: 'performance', [policy(2)]: 'powersave' });
  expect(governors(new MachineFiles(root))).toEqual(['performance', 'powersave']);
});

it.each([
  ['Intel, on', 'intel_pstate/no_turbo', '0', true, '1'],
  ['Intel, off', 'intel_pstate/no_turbo', '1', false, '1'],
  ['AMD, on', 'cpufreq/boost', '1', true, '0'],
  ['AMD, off, one file a processor', 'cpu0/cpufreq/boost', '0', false, '0'],
])('tells whether processors may exceed their base frequency: %s', (_, file, text, on, offValue) => {
  expect(turbo(new MachineFiles(root))).toBeNull();
  const path = `sys/devices/system/cpu/${file}`;
  lay({ [path]: text });
  expect(turbo(new MachineFiles(root))).toEqual({ on, file: path, offValue });
});
