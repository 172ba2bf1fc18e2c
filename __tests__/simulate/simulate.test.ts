// Class: world, computes.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { isInside, type Share, share, shareTable } from './gates.ts';
import { MACHINE_NAMES } from './machine.ts';

/** It has what the other tests leave of the processors. */
const LIMIT_MS = 1_000_000;

const SIMULATE = new URL('./simulate.ts', import.meta.url).pathname;

describe('the protocol on simulated machines', () => {
  // Few experiments with wide limits; npm run simulate does it with 2,000 and the limits that count.
  it(
    'is right as often as it promises',
    async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [SIMULATE, '--experiments', '80', '--json'], {
        timeout: LIMIT_MS,
      });
      const { shares, missed } = JSON.parse(stdout) as { shares: Share[]; missed: Share[] };
      expect(missed).toEqual([]);
      for (const machine of MACHINE_NAMES)
        expect(shares.filter((s) => s.of === machine).length).toBeGreaterThanOrEqual(6);
    },
    LIMIT_MS,
  );

  it('would be found out', () => {
    const gate = { around: 0.05, most: 0.065 };
    expect(isInside(share('false alarms', 'iid', 130, 2000, gate))).toBe(true);
    const wrong = share('false alarms', 'iid', 131, 2000, gate);
    expect(isInside(wrong)).toBe(false);
    expect(shareTable([wrong])).toContain('6.6 % **missed** | ≤ 6.5 %');
    expect(isInside(share('power', 'harsh', 1759, 2000, { around: 0.93, least: 0.88 }))).toBe(false);
    expect(isInside(share('false alarms', 'iid', 8, 40, gate))).toBe(false);
  });
});
