// Class: unit.
import { expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { meterTypes } from '../../../src/meters/registry.ts';
import { passport } from '../../findings/passport.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { wallMeter } from '../../store/fixtures.ts';
import type { MeanPower } from '../simulated-meters.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const plug = { ...wallMeter, type: 'tasmota', address: 'plug.lan' };

/** The check where the machine takes so many watts idle and loaded, and the plug shows 0 below 5 W. */
const found = (
  idleW: number,
  loadW: number,
  meter: Parameters<typeof withSimulatedStore>[0]['meters'] = [plug],
  lengthS = 12,
) => {
  const small =
    (power: MeanPower): MeanPower =>
    (a, b) => {
      const watts = power(a, b) - 40 + idleW;
      return watts < 5 ? 0 : watts;
    };
  const run = (variant: string) => ({ variant, lengthS, loadW: 40 + loadW - idleW });
  return withSimulatedStore(
    {
      blocks: Array.from({ length: 6 }, () => ['native', 'container'].map(run)),
      experiment: { guardS: 3, restS: 10 },
      meters: meter,
      seenAs: small,
    },
    (reader) => analyzeStore(reader).findings.quality.checks.filter(({ name }) => name === 'smallest load'),
  );
};

it('is above what the meter can measure, idle and loaded', () => {
  expect(found(6, 20).map(reportedCheck)).toEqual([
    {
      name: 'smallest load',
      state: 'ok',
      detail: 'tasmota:plug.lan read more than its smallest load of 5 W, idle and loaded.',
      advice: null,
    },
  ]);
});

it('warns where only the idle machine is below it, though the meter shows each edge late', () => {
  expect(found(3, 20)).toMatchObject([{ state: 'warn', reason: 'idle', facts: { loaded_percent: 0 } }]);
  expect(found(3, 20).map(reportedCheck)[0]).toMatchObject({
    detail:
      '100 % of the idle readings of tasmota:plug.lan are below the 5 W from which it can measure: there it shows 0, or an older value.',
    advice: expect.stringContaining('Energies above idle are wrong then'),
  });
});

it('fails where the loaded machine is below it', () => {
  expect(found(2, 4)).toMatchObject([
    { state: 'fail', reason: 'loaded', facts: { smallest_w: 5, idle_percent: 100, loaded_percent: 100 } },
  ]);
});

it.each([
  6, -4,
])('holds for readings as the meter gave them, whatever a calibration of %i W makes of them', (offset) => {
  const point = { when: '2026-01-01T00:00:00.000Z', true_w: 60, true_u_w: 0, read_w: 54, read_u_w: 0, readings: 9 };
  const calibration = {
    by: null,
    points: [point],
    gain: 1,
    offset_w: offset,
    pivot_w: 54,
    level_u_w: 0.1,
    gain_u: null,
    common_gain_u: 0,
    common_offset_u_w: 0,
  };
  const calibrated = { ...plug, passport: { ...passport, type: 'tasmota', calibration } };
  expect(found(3, 20, [calibrated])).toMatchObject([{ reason: 'idle' }]);
});

it('says nothing where no window is longer than the guard', () => {
  expect(found(3, 20, [plug], 2)).toEqual([]);
});

it('is not asked of a meter without such a limit', () => {
  expect(found(2, 4, [{ ...plug, type: 'scpi' }])).toEqual([]);
  expect(meterTypes.flatMap(({ type, sheet }) => (sheet.smallestLoadW === undefined ? [] : [type]))).toEqual([
    'watts-up-pro',
    'pzem-004t',
    'sdm120',
    'shelly',
    'tasmota',
  ]);
});
