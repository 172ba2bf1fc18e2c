// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../src/contracts/reading.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { checkGuards, computeNeededGuard } from '../../src/measure/guards.ts';
import { writePassport } from '../../src/meters/passport.ts';
import { passport } from '../findings/passport.ts';

/** A program's meter with this period, which is estimated anew in every session. */
const meter = (periodS: number): MeterInfo => ({
  type: 'command',
  address: './mine',
  source: 'measured',
  identity: { reports: 'power_w' },
  accuracy: null,
  minimumGuardS: 3 * periodS,
  channels: [],
  remarks: [],
});
const withGuard = (guardS: number) => ({ guardS }) as Experiment;

let folder: string;
const environment = { ...process.env };
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-guards-'));
  process.env.XDG_STATE_HOME = folder;
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  process.env = { ...environment };
});

describe('the guard that a meter needs', () => {
  it('has no digits that come from floating point', () => {
    expect(3 * 1.3).not.toBe(3.9);
    expect(computeNeededGuard(meter(1.3))).toBe(3.9);
    expect(() => checkGuards(withGuard(3.9), [meter(1.3)])).not.toThrow();
    expect(() => checkGuards(withGuard(3.9), [meter(1.4)])).toThrow(
      'guard: 3.9 s is too short for the meter command, which needs 4.2 s to show a change of power in full.',
    );
  });

  it('was long enough for an experiment that is resumed, however the rate is estimated now', () => {
    expect(() => checkGuards(withGuard(3.9), [meter(1.4)], true)).not.toThrow();
  });

  it('is what a newer check of the meter found, for a resumed experiment as well', async () => {
    await writePassport(meter(1.3), { ...passport, host: hostname(), guard_needed_s: 5.04 });
    for (const isResumed of [false, true]) {
      expect(() => checkGuards(withGuard(4.2), [meter(1.3)], isResumed)).toThrow(
        'guard: 4.2 s is too short for this command: its check on 2026-11-03 found that it needs 5.1 s.',
      );
    }
  });
});
