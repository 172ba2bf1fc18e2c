// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { ChannelInfo, MeterInfo, Sample } from '../../../../src/contracts/reading.ts';
import { blandAltmanChart } from '../../../../src/parts/bench/charts/bland-altman/bland-altman.ts';
import { compareMeters, type Recorded } from '../../../../src/parts/bench/tools/compare.ts';
import type { Phase } from '../../../../src/parts/bench/tools/steps.ts';
import { paper } from '../../../../src/report/charts/canvas/theme.ts';
import { chartFile } from '../../../../src/report/charts/draw.ts';
import { createPrng } from '../../../../src/stats/prng.ts';

const wall: ChannelInfo = {
  channel: 'wall',
  integration: 'guard',
  samplingPeriodS: 1,
  clock: 'meter',
  resolutionW: 0.1,
};
const infoOf = (type: string, accuracy: MeterInfo['accuracy']): MeterInfo => {
  const rest = { address: null, source: 'measured', identity: {}, minimumGuardS: 3, remarks: [] } as const;
  return { ...rest, type, accuracy, channels: [wall] };
};
const PLUG = infoOf('shelly', null);
const BETTER = infoOf('scpi', { gainPercent: 0.2, offsetW: 0.05 });

const PHASE_S = 12;
const STEPS = 5;
const SETTINGS = { settleS: 5, periodS: 1 };

/** A meter of a known gain and offset on a machine that takes 40 W and 75 W by turns, and fluctuates. */
interface Truth {
  readonly gain: number;
  readonly offsetW: number;
  readonly latencyS: number;
}

type Uniform = () => number;

/** What two meters of these truths give of the same power, and when the load was switched. */
function recorded(
  first: Truth,
  better: Truth,
  uniform: Uniform,
): { first: Recorded; better: Recorded; phases: Phase[] } {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const ns = (s: number) => BigInt(Math.round(s * 1e9));
  const starts = Array.from({ length: 2 * STEPS + 2 }, (_, i) => 20 + i * PHASE_S + uniform());
  const phases = starts.slice(1).map((endS, i): Phase => {
    return {
      busy: i % 2 === 1,
      startNs: ns(starts[i] as number),
      endNs: ns(endS),
      share: { settling: null, level: null },
    };
  });
  // Steps of 0.1 s: a second has a standard deviation of 0.5 W.
  const tenths = Array.from(
    { length: Math.ceil((starts.at(-1) as number) * 10) + 20 },
    () => 0.5 * Math.sqrt(10) * gauss(),
  );
  const powerAt = (s: number): number => {
    const busy = starts.findLastIndex((startS) => startS <= s) % 2 === 1;
    return (busy ? 75 : 40) + (tenths[Math.floor(s * 10)] ?? 0);
  };
  const samplesOf = ({ gain, offsetW, latencyS }: Truth): Sample[] => {
    const phaseS = uniform();
    return Array.from({ length: Math.floor(starts.at(-1) as number) - 16 }, (_, k): Sample => {
      const endS = 16 + k + phaseS;
      let sum = 0;
      for (let i = 0; i < 50; i++) sum += powerAt(endS - 1 + (i + 0.5) / 50) / 50;
      const powerW = Math.round((gain * sum + offsetW) * 10) / 10;
      return { tNs: ns(endS + latencyS), powerW, durationS: 1 };
    });
  };
  return {
    phases,
    first: { info: PLUG, channel: wall, samples: samplesOf(first) },
    better: { info: BETTER, channel: wall, samples: samplesOf(better) },
  };
}

describe('compareMeters', () => {
  const random = createPrng(23);
  const uniform = () => random.u32() / 2 ** 32;
  const between = (low: number, high: number) => low + (high - low) * uniform();
  const tries = Array.from({ length: 100 }, () => {
    const better: Truth = {
      gain: 1 + between(-0.002, 0.002),
      offsetW: between(-0.05, 0.05),
      latencyS: between(0.05, 0.3),
    };
    const first: Truth = { gain: between(0.9, 1.1), offsetW: between(-1, 1), latencyS: between(0.1, 1.2) };
    const { phases, ...both } = recorded(first, better, uniform);
    const found = compareMeters(both.first, both.better, phases, SETTINGS);
    if (found === null) throw new Error('nothing was found');
    return { first, better, found };
  });
  const share = (holds: (one: (typeof tries)[number]) => boolean) => tries.filter(holds).length;

  it('finds the power, from idle to twice the load, within its stated uncertainty in at least 95 of 100 comparisons', () => {
    for (const trueW of [20, 40, 60, 75, 150]) {
      expect(
        share(({ first, found: { calibration } }) => {
          const readW = first.gain * trueW + first.offsetW;
          const foundW = calibration.gain * readW + calibration.offset_w;
          const slopeW = (calibration.gain_u ?? 0) * (readW - calibration.pivot_w);
          const common = [calibration.common_gain_u * trueW, calibration.common_offset_u_w];
          return Math.abs(foundW - trueW) <= 2 * Math.hypot(calibration.level_u_w, slopeW, ...common);
        }),
      ).toBeGreaterThanOrEqual(95);
    }
  });

  it('finds gain and lag between the two within what it states in at least 95 of 100, and is not much wider than its errors', () => {
    const gains = tries.map(({ first, better, found }) => {
      const missed = found.calibration.gain - better.gain / first.gain;
      return missed / (2 * (found.calibration.gain_u ?? Number.NaN));
    });
    const lags = tries.map(({ first, better, found }) => {
      return (
        ((found.lag?.meanS ?? Number.NaN) - (first.latencyS - better.latencyS)) / (found.lag?.limitS ?? Number.NaN)
      );
    });
    for (const missed of [gains, lags]) {
      expect(missed.filter((one) => Math.abs(one) <= 1).length).toBeGreaterThanOrEqual(95);
      expect(Math.sqrt(missed.reduce((sum, one) => sum + one * one, 0) / missed.length)).toBeGreaterThan(0.1);
    }
  });

  it('draws the differences as SVG and as PNG', async () => {
    const names = { first: 'shelly:plug.lan', better: 'scpi:lab', subtitle: 'today' };
    const spec = blandAltmanChart(tries[0]!.found, names, paper);
    const svg = await chartFile(spec, 'picture.svg');
    expect(svg).toContain('shelly:plug.lan against scpi:lab');
    expect(svg).toContain('Difference (W)');
    const png = (await chartFile(spec, 'picture.png')) as Uint8Array;
    expect(Buffer.from(png.subarray(1, 4)).toString()).toBe('PNG');
  });

  it('says that others disturbed the steps, and tells no lag by them; gain and offset stand', () => {
    const { first, better, phases } = recorded(
      { gain: 1.1, offsetW: 0, latencyS: 0.5 },
      { gain: 1, offsetW: 0, latencyS: 0 },
      uniform,
    );
    const restless = phases.map((phase) => ({ ...phase, share: { settling: 0.7, level: 0.7 } }));
    const found = compareMeters(first, better, restless, SETTINGS);
    expect(found).toMatchObject({
      lag: null,
      disturbances: [
        { name: 'idle', reason: 'disturbed', facts: { most_share: 0.7 } },
        { name: 'load', reason: 'hindered', facts: { least_share: 0.7 } },
      ],
    });
    expect(found?.calibration.gain).toBeCloseTo(1 / 1.1, 1);
    expect(compareMeters(first, better, phases, SETTINGS)?.disturbances).toEqual([]);
  });

  it('finds nothing where a meter gave no readings', () => {
    const { first, better, phases } = recorded(
      { gain: 1, offsetW: 0, latencyS: 0 },
      { gain: 1, offsetW: 0, latencyS: 0 },
      uniform,
    );
    expect(compareMeters({ ...first, samples: [] }, better, phases, SETTINGS)).toBeNull();
  });
});
