// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { passportCheck } from '../../../src/analysis/checks/meter-passport.ts';
import type { PassportCheck } from '../../../src/findings/passport.ts';
import { follows, passport } from '../../findings/passport.ts';
import { reportedCheck } from '../../report/words/reported.ts';

const noStep: PassportCheck = { ...follows, state: 'fail', reason: 'no-step', facts: { ...follows.facts, up: 0 } };

const reported = (...given: Parameters<typeof passportCheck>) => reportedCheck(passportCheck(...given));

describe('the check of the passport', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00.000Z');

  it('is content with a meter that passed and a guard that holds what it needs', () => {
    expect(reported(passport, 2.6, nowMs)).toEqual({
      name: 'meter passport',
      state: 'ok',
      detail: 'The meter was checked on 2026-11-03: it measures this machine and reports 1.30 s late.',
      advice: null,
    });
  });

  it('refuses a guard that is too short, with the number to use', () => {
    expect(reported(passport, 2.5, nowMs)).toMatchObject({ state: 'fail', advice: 'Set `guard: 2.6s` or longer.' });
    const late = { ...passport, latency: { mean_s: 3, sd_s: 0, max_s: 3.21, edges: 2 } };
    expect(reported(late, 3, nowMs)).toMatchObject({ state: 'fail', advice: 'Set `guard: 3.3s` or longer.' });
  });

  it('asks nothing of the guard for a counter', () => {
    const counter = { ...passport, latency: null, guard_needed_s: null };
    expect(reported(counter, 0, nowMs)).toMatchObject({ state: 'ok' });
  });

  it('warns of a meter that failed, not checked, or long ago', () => {
    const rate: PassportCheck = {
      name: 'rate',
      state: 'ok',
      reason: 'usual',
      facts: { period_s: 1, nominal_period_s: 1, serial: true },
    };
    const wrong = { ...passport, passed: false, checks: [rate, noStep] };
    expect(reported(wrong, 5, nowMs)).toMatchObject({
      state: 'warn',
      detail:
        "The meter failed its check on 2026-11-03: The power does not follow this machine's processors: 40.0 W idle, 65.0 W busy, with 0.12 W of fluctuation.",
      advice: '`joulediff meter check pzem-004t:/dev/serial/by-id/usb-1a86` shows what to do.',
    });
    const disturbed: PassportCheck = { ...noStep, reason: 'disturbed' };
    expect(reported({ ...passport, passed: false, step: null, checks: [rate, disturbed] }, 5, nowMs)).toMatchObject({
      state: 'warn',
      detail:
        "It isn't known whether this meter measures this machine: other programs disturbed every step of its check on 2026-11-03.",
      advice: 'Stop them, and run `joulediff meter check pzem-004t:/dev/serial/by-id/usb-1a86`.',
    });
    expect(reported(null, 5, nowMs)).toMatchObject({ state: 'warn' });
    expect(reported(passport, 5, nowMs + 200 * 86_400_000)).toMatchObject({
      state: 'warn',
      detail: 'The meter was checked 217 days ago.',
    });
  });
});
