// Class: system.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { renewal } from '../../../src/analysis/checks/renewal.ts';
import type { MeterInfo } from '../../../src/contracts/reading.ts';
import { PASSWORD, RedfishEmulator, USER } from '../../../src/meters/redfish/emulator.ts';
import { sampleTimes } from '../../../src/sampling/sample-clock.ts';
import { DEVICE, Network } from '../../meters/network/runs.ts';
import { reportedCheck } from '../../report/words/reported.ts';
import { wallMeter } from '../../store/fixtures.ts';
import { bareRun } from '../bare-run.ts';
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
    const reported = found({}).map(reportedCheck);
    expect(reported).toMatchObject([
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
    expect(found({ seenAs: renewed(10) }).map(reportedCheck)[0]?.detail).toMatch(
      /^http-json:http:\/\/plug\.lan keeps a value for [\d.]+ s or longer \(up to [\d.]+ s\), beyond the guard of 3 s\.$/,
    );
  });

  it('fails likewise where a sample is the mean of an old value and a new one', () => {
    expect(found({ seenAs: renewed(10.5), readings: 2 })).toMatchObject([{ state: 'fail', reason: 'beyond-guard' }]);
    expect(found({ readings: 2 })).toMatchObject([{ state: 'ok', reason: 'prompt' }]);
  });

  it('fails in windows of few renewals, and is right in those of many', () => {
    const slow = renewed(10);
    expect(found({ seenAs: slow, guardS: 12, lengthS: 31 }).map(reportedCheck)).toMatchObject([
      {
        state: 'fail',
        detail: expect.stringMatching(/ and the shortest window holds 3 renewals of the meter’s value\.$/),
        advice: expect.stringContaining('make the workload run for at least'),
      },
    ]);
    expect(found({ seenAs: slow, guardS: 12, lengthS: 131, cpuS: 100 })).toMatchObject([
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

process.env.JOULEDIFF_TEST_BMC = PASSWORD;
const BMC = `redfish:${DEVICE}?user=${USER}&password-env=JOULEDIFF_TEST_BMC`;
const BMC_RUNS = Array.from({ length: 12 }, (_, i) => i + 1);

/** Runs on a server of 200 W, loaded 400 W, whose controller renews its value once in so many seconds. */
async function onServer(lagS: number, seconds: number) {
  const network = new Network((settings) => new RedfishEmulator(settings, { form: 'Power', lagS }), {
    idleW: 200,
    loadW: 400,
  });
  const { host, load, collected } = network;
  const originNs = host.clock.nowNs();
  const at = () => Number(host.clock.nowNs() - originNs);
  const records: { run: number; startNs: number; endNs: number }[] = [];
  const info = await network.run(async () => {
    const meter = await network.open(BMC);
    await meter.start(collected);
    for (const run of BMC_RUNS) {
      // Rests differ, so that edges meet the controller at all its moments.
      await network.wait(170_000 + ((run * 37) % 60) * 1000);
      const startNs = at();
      load.switch({ tNs: host.clock.nowNs(), on: true });
      await network.wait(seconds * 1000);
      load.switch({ tNs: host.clock.nowNs(), on: false });
      records.push({ run, startNs, endNs: at() });
    }
    await network.wait(170_000);
    await meter.stop();
    return meter.info;
  });
  const { samples } = collected;
  const tNs = Float64Array.from(samples, (sample) => Number(sample.tNs - originNs));
  const columns = {
    tNs,
    powerW: Float64Array.from(samples, ({ powerW }) => powerW),
    durationS: Float64Array.from(samples, ({ durationS }) => durationS),
    readings: new Map(samples.flatMap(({ readings }, i) => (readings ? [[i, readings] as const] : []))),
  };
  const [own] = info.channels;
  const channel = { ...own!, primary: true, meter: { ...info, name: 'redfish:bmc', passport: null } };
  const resources = { ...usage, cpuS: seconds };
  const runs = BMC_RUNS.map((run) =>
    bareRun({ run, variant: run % 2 ? 'native' : 'container', energyJ: 1, durationS: seconds, resources }),
  );
  const times = sampleTimes(channel.clock, tNs, channel.samplingPeriodS);
  const channels = [{ session: 1, channel, columns, times, records }];
  return renewal({ runs, channels, traces: [], foundPhases: null }, info.minimumGuardS);
}

describe('a server’s controller', () => {
  it.each([
    [1, 200, { state: 'ok', reason: 'prompt' }],
    [10, 200, { state: 'ok', reason: 'prompt' }],
    [60, 200, { state: 'fail', reason: 'few', facts: { meter: 'redfish:bmc', shortest_s: 200 } }],
    [60, 600, { state: 'ok', reason: 'enough' }],
  ])('that renews its value every %s s, in runs of %s s', async (lagS, seconds, check) => {
    const checks = await onServer(lagS, seconds);
    expect(checks).toMatchObject([check]);
    if (lagS === 60) expect(Math.abs((checks[0]?.facts as { renewal_s: number }).renewal_s - 52)).toBeLessThan(10);
  });
});
