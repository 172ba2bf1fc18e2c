import type { Passport, PassportCheckOf } from '../../src/findings/passport.ts';

export const follows: PassportCheckOf<'wiring'> = {
  name: 'wiring',
  state: 'ok',
  reason: 'follows',
  facts: { idle_w: 40, busy_w: 65, idle_sd_w: 0.12, up: 5, judged: 5, made: 5, serial: true },
};

/** Of a meter that passed, and reports more than a second late. */
export const passport: Passport = {
  schema: 'joulediff/passport/1',
  when: '2026-11-03T10:00:00.000Z',
  host: 'bench',
  type: 'pzem-004t',
  address: '/dev/serial/by-id/usb-1a86',
  source: 'measured',
  identity: {},
  channel: 'wall',
  duration_s: 110,
  readings: 110,
  gaps: 0,
  period_s: 1,
  nominal_period_s: 1,
  jitter_s: 0.002,
  longest_interval_s: 1.01,
  resolution_w: 0.1,
  latency: { mean_s: 1.3, sd_s: 0.2, max_s: 1.62, edges: 10 },
  guard_needed_s: 2.51,
  step: { idle_w: 40, busy_w: 65, step_w: 25, sd_w: 0.1, made: 5, judged: 5, seen: 5 },
  passed: true,
  checks: [follows],
};
