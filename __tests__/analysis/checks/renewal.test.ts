// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import type { MeterInfo } from '../../../src/contracts/reading.ts';
import { toldCheck } from '../../report/words/told.ts';
import { wallMeter } from '../../store/fixtures.ts';
import type { MeanPower } from '../simulated-meters.ts';
import { withSimulatedStore } from '../simulated-store.ts';

const plug: MeterInfo = {
  ...wallMeter,
  type: 'http-json',
  address: 'http://plug.lan',
  channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'host', resolutionW: 1 }],
};

const usage = { peakMemoryBytes: null, readBytes: null, writtenBytes: null, unread: [], counters: [] };

interface Given {
  readonly meter?: MeterInfo;
  readonly seenAs?: (power: MeanPower) => MeanPower;
  readonly lengthS?: number;
  readonly loadW?: number;
  readonly cpuS?: number;
  readonly guardS?: number;
  readonly readings?: number;
}

/** The check of an experiment of 40 runs on a machine that idles at 40 W. */
const found = ({
  meter = plug,
  seenAs = wholeWatts,
  lengthS = 12,
  loadW = 60,
  cpuS = 10,
  guardS = 3,
  readings = 1,
}: Given) =>
  withSimulatedStore(
    {
      blocks: Array.from({ length: 20 }, () =>
        ['native', 'container'].map((variant) => ({ variant, lengthS, loadW, usage: { ...usage, cpuS } })),
      ),
      // Not a multiple of a renewal, so that edges meet the meter at all its moments.
      experiment: { guardS, restS: Math.max(17.9, guardS + 7.9) },
      meters: [meter],
      seenAs,
      readings,
    },
    (reader) => analyzeStore(reader).findings.quality.checks.filter(({ name }) => name === 'renewal'),
  );

const wholeWatts =
  (power: MeanPower): MeanPower =>
  (a, b) =>
    Math.round(power(a, b));
/** The last second's mean in whole watts, renewed once in so many seconds. */
const renewed =
  (everyS: number) =>
  (power: MeanPower): MeanPower =>
  (_, b) => {
    const at = everyS * Math.floor(b / everyS);
    return Math.round(power(at - 1, at));
  };

describe('a meter that is asked', () => {
  it('renews its value soon enough: every second, on a quiet machine in whole watts, and where its mean is slow', () => {
    const told = found({}).map(toldCheck);
    expect(told).toMatchObject([
      { state: 'ok', detail: 'http-json:http://plug.lan renewed its value soon after the load changed.' },
    ]);
    const slowMean =
      (power: MeanPower): MeanPower =>
      (_, b) =>
        Math.round(power(b - 3, b));
    expect(found({ seenAs: slowMean })).toMatchObject([{ state: 'ok', reason: 'prompt' }]);
  });

  it('fails where it keeps a value for longer than the guard', () => {
    for (const everyS of [10, 60]) {
      const [check] = found({ seenAs: renewed(everyS) });
      expect(check).toMatchObject({ state: 'fail', reason: 'beyond-guard', facts: { guard_s: 3, resolution_w: 1 } });
      expect(check?.facts).toMatchObject({ renewal_s: expect.any(Number), shortest_s: 12 });
    }
    expect(found({ seenAs: renewed(10) }).map(toldCheck)[0]?.detail).toMatch(
      /^http-json:http:\/\/plug\.lan keeps a value for [\d.]+ s or longer \(up to [\d.]+ s\), beyond the guard of 3 s\.$/,
    );
  });

  it('fails likewise where a sample is the mean of an old value and a new one', () => {
    expect(found({ seenAs: renewed(10.5), readings: 2 })).toMatchObject([{ state: 'fail', reason: 'beyond-guard' }]);
    expect(found({ readings: 2 })).toMatchObject([{ state: 'ok', reason: 'prompt' }]);
  });

  it('fails in windows of few renewals, warns in those of some, and is right in those of many', () => {
    const slow = renewed(10);
    expect(found({ seenAs: slow, guardS: 12, lengthS: 31 }).map(toldCheck)).toMatchObject([
      {
        state: 'fail',
        detail: expect.stringMatching(/ and the shortest window holds 3 renewals of the meter’s value\.$/),
        advice: expect.stringContaining('make the workload run for at least'),
      },
    ]);
    expect(found({ seenAs: slow, guardS: 12, lengthS: 151, cpuS: 100 })).toMatchObject([
      { state: 'warn', reason: 'few' },
    ]);
    expect(found({ seenAs: slow, guardS: 12, lengthS: 331, cpuS: 200 })).toMatchObject([
      { state: 'ok', reason: 'enough' },
    ]);
  });

  it('is not blamed for a load below its step, for idle runs, or for work that begins late', () => {
    expect(found({ loadW: 40.3 })).toEqual([]);
    expect(found({ cpuS: 0 })).toEqual([]);
    const beginsLate =
      (power: MeanPower): MeanPower =>
      (a, b) =>
        Math.round(power(a - 7, b - 7) + power(a, b) > 100 ? 60 : 40);
    expect(found({ seenAs: beginsLate })).toMatchObject([{ state: 'ok', reason: 'prompt' }]);
  });
});

it('is not asked of a meter that sends by itself, or that counts', () => {
  expect(found({ meter: wallMeter, seenAs: renewed(10) })).toEqual([]);
  const counter = { ...plug, channels: [{ ...plug.channels[0]!, integration: 'counter' as const, edgeS: 0.001 }] };
  expect(found({ meter: counter, seenAs: renewed(10) })).toEqual([]);
});
