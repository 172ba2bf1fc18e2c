// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { counterEnergy, guardEnergy, type RunEnergy } from '../../src/analysis/energy.ts';
import { ASSUMED_MACHINE, type ForeseenRuns, smallestVisible } from '../../src/analysis/smallest-visible.ts';
import type { UncertainChannel } from '../../src/analysis/uncertainty.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { walshEstimate } from '../../src/stats/hodges-lehmann.ts';
import { createPrng } from '../../src/stats/prng.ts';
import type { SampleColumns } from '../../src/store/records.ts';
import { restlessPower } from './restless-power.ts';
import {
  asMetered,
  type MeanPower,
  momentsOf,
  polledReadings,
  SDM,
  type SimulatedLoad,
  sentReadings,
  type Uniform,
} from './simulated-meters.ts';

interface Simulated {
  readonly channel: UncertainChannel;
  readonly guardS: number;
  readings(power: MeanPower, load: SimulatedLoad, untilS: number, uniform: Uniform): SampleColumns;
}

/** One meter for all runs: its gain and offset are in the headline's two arms alike. */
const SAME = { gainPercent: 0, offsetW: 0 };
const guarded = { integration: 'guard', clock: 'host', samplingPeriodS: 1, meter: { accuracy: null } } as const;
/** Renewed every second with the mean of that second, asked twice a second; steps of 0.1 W, or of 1 W. */
const PLUG = { ...SDM, pollS: 0.5 };
const plug = (resolutionW: number): Simulated => ({
  channel: { ...guarded, edgeS: 0.5, resolutionW },
  guardS: 3,
  readings: (power, _load, untilS, uniform) =>
    asMetered(polledReadings(power, untilS, PLUG, uniform), { ...SAME, resolutionW }, uniform),
});
const METERS: Record<string, Simulated> = {
  'a Shelly plug': plug(0.1),
  'a Tasmota plug in whole watts': plug(1),
  'a Watts Up?': {
    channel: { ...guarded, clock: 'meter', resolutionW: 0.1 },
    guardS: 3,
    readings: (power, _load, untilS, uniform) =>
      asMetered(
        sentReadings(power, untilS, { periodS: 1, latencyS: uniform(), phaseS: uniform() }),
        { ...SAME, resolutionW: 0.1 },
        uniform,
      ),
  },
  'a counter that is renewed every 0.1 s': {
    channel: { integration: 'counter', clock: 'host', samplingPeriodS: 1, edgeS: 0.1, meter: { accuracy: null } },
    guardS: 0,
    readings: (power, { startS, endS }, _untilS, uniform) => {
      // What it shows at an edge was counted up to a moment before.
      const at = [startS - 10, startS, endS, endS + 10].map((s) => s - 0.1 * uniform());
      const edges = [startS - 10, startS, endS, endS + 10];
      const energies = at.slice(1).map((s, i) => power(at[i] as number, s) * (s - (at[i] as number)));
      const spans = edges.slice(1).map((s, i) => s - (edges[i] as number));
      return {
        tNs: Float64Array.from(edges.slice(1), (s) => s * 1e9),
        powerW: Float64Array.from(energies, (energyJ, i) => energyJ / (spans[i] as number)),
        durationS: Float64Array.from(spans),
      };
    },
  },
};

/** Gross energy of one run by the estimator of the analysis. */
function energyOf({ channel, guardS, readings }: Simulated, runs: ForeseenRuns, loadW: number, uniform: Uniform) {
  const startS = 15 + uniform();
  const load = { idleW: runs.idleW, loadW, startS, endS: startS + runs.lengthS };
  // Steps of 0.1 s that don't remember each other: a second of them has the standard deviation that is assumed.
  const how = { noiseW: runs.fluctuationW * Math.sqrt(10), memoryS: 1e-3, driftW: 0 };
  const { power } = restlessPower(load, load.endS + 20, how, uniform);
  const columns = readings(power, load, load.endS + 18, uniform);
  const moments = momentsOf(load, guardS, channel.samplingPeriodS, runs.restS);
  if (channel.integration === 'counter') return (counterEnergy(columns, moments) as RunEnergy).energyJ;
  const periodS = channel.clock === 'meter' ? 1 : (channel.edgeS as number);
  return (guardEnergy(columns, sampleTimes(channel.clock, columns.tNs, periodS), moments, guardS * 1e9) as RunEnergy)
    .energyJ;
}

/** The share of so many experiments with that change whose interval leaves zero out. */
function visibleShare(experiments: number, meter: Simulated, runs: ForeseenRuns, percent: number): number {
  const random = createPrng(17);
  const uniform = () => random.u32() / 2 ** 32;
  const shown = Array.from({ length: experiments }, () => {
    const ratios = Array.from({ length: runs.blocks }, () => {
      const baselineJ = energyOf(meter, runs, runs.powerW, uniform);
      return Math.log(energyOf(meter, runs, runs.powerW * (1 + percent / 100), uniform) / baselineJ);
    });
    const [low, high] = walshEstimate(ratios)?.ci95?.interval ?? [Number.NaN, Number.NaN];
    return low > 0 || high < 0;
  });
  return shown.filter(Boolean).length / experiments;
}

const RUNS: ForeseenRuns = { ...ASSUMED_MACHINE, blocks: 10, lengthS: 20, restS: 12, guardS: 3 };

describe('smallestVisible', () => {
  it.each(Object.entries(METERS))('is shown by about 80 of 100 experiments: %s', (_name, meter) => {
    const runs = { ...RUNS, guardS: meter.guardS || 3 };
    const found = smallestVisible(meter.channel, runs);
    const percent = 'percent' in found ? found.percent : Number.NaN;
    const shown = visibleShare(100, meter, runs, percent);
    expect(shown).toBeGreaterThan(0.7);
    expect(shown).toBeLessThan(0.95);
  });

  it('says why there is none', () => {
    const { channel } = plug(0.1);
    expect(smallestVisible(channel, { ...RUNS, blocks: 5 })).toEqual({ unseen: 'few-blocks' });
    expect(smallestVisible(channel, { ...RUNS, blocks: 7, family: 4 })).toEqual({ unseen: 'few-blocks' });
    const percents = [1, 4].map((family) => smallestVisible(channel, { ...RUNS, family }) as { percent: number });
    // (z₀.₉₉₃₇₅ + z₀.₈₀)/(z₀.₉₇₅ + z₀.₈₀), by tables.
    expect(percents[1]!.percent / percents[0]!.percent).toBeCloseTo((2.4977 + 0.8416) / (1.96 + 0.8416), 2);
    expect(smallestVisible(channel, { ...RUNS, lengthS: 9 })).toEqual({ unseen: 'short-runs' });
    const counter = { ...channel, integration: 'counter', edgeS: undefined } as const;
    expect(smallestVisible(counter, RUNS)).toEqual({ unseen: 'unknown-edges' });
  });
});
