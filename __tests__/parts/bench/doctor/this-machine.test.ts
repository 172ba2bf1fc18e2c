// Class: system.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { thisMachine } from '../../../../src/parts/bench/doctor/this-machine.ts';
import { eventually, isRunning } from '../../../executors/bench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['hangs', 'exec sleep 300'],
  ['floods', 'exec yes'],
])('a program that %s when it is asked gives no answer, and leaves nothing', async (name, line) => {
  const program = join(folder, name);
  writeFileSync(program, `#!/bin/sh\nsleep 300 > /dev/null 2>&1 &\necho $! > ${folder}/left\n${line}\n`);
  chmodSync(program, 0o755);
  expect(await thisMachine('estimate').output(program, [])).toBeNull();
  const left = Number(readFileSync(join(folder, 'left'), 'utf8'));
  await eventually(() => !isRunning(left));
});

it('names a meter with its options, so that its commands open the same one', async () => {
  expect(await thisMachine('estimate?idle=3&max=9').meter()).toMatchObject({ name: "'estimate?idle=3&max=9'" });
  expect(await thisMachine('estimate').meter()).toMatchObject({ name: 'estimate' });
});

it.each([
  ['', 'which part of the machine it sees isn’t known'],
  ['?part=machine', 'the whole machine'],
  ['?part=core', 'one core of the processor'],
])('says what a meter sees: %j', async (option, sees) => {
  const program = join(folder, 'meter');
  writeFileSync(program, '#!/bin/sh\nwhile :; do echo \'{"power_w": 40}\'; sleep 0.2; done\n', { mode: 0o755 });
  expect(await thisMachine(`command:${program}${option}`).meter()).toMatchObject({ sees });
});
