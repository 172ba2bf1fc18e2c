// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import { measuringCost } from '../../src/analysis/measuring-cost.ts';
import type { ChannelSession } from '../../src/analysis/run-energies.ts';
import { sampleTimes } from '../../src/sampling/sample-clock.ts';
import { wallMeter } from '../store/fixtures.ts';
import { withSimulatedStore } from './simulated-store.ts';

const IDLE_W = 40;

/** Blocks of a run of 60 W and one of `otherW`, 12 s each, no two alike. */
const blocks = (otherW: number) =>
  [0, 3, 1, 7, 2, 9, 4, 8].map((more) => [
    { variant: 'native', lengthS: 12, loadW: 60 + more / 50 },
    { variant: 'container', lengthS: 12, loadW: otherW + more / 60 },
  ]);

const findingsWith = (otherW: number) => withSimulatedStore({ blocks: blocks(otherW) }, analyzeStore).findings;

describe('the cost of measuring', () => {
  it('is all that the meter saw, rests and idle included, and what a saving pays back', () => {
    const { cost, comparisons } = findingsWith(50);
    const aboveJ = blocks(50)
      .flat()
      .reduce((sum, { lengthS, loadW }) => sum + lengthS * (loadW - IDLE_W), 0);
    expect(cost!.energy_j).toBeCloseTo(IDLE_W * cost!.duration_s + aboveJ, 3);
    expect(cost!.duration_s).toBeGreaterThan(16 * (20 + 12 + 3));
    expect(comparisons[0]!.verdict).toBe('decrease');
    expect(cost).toMatchObject({ unknown: null, saving: { baseline: 'native', variant: 'container' } });
    const { baseline, variant } = comparisons[0]!.mean_energy_j;
    expect(cost!.pays_back_runs).toBe(Math.ceil(cost!.energy_j! / (baseline! - variant!)));
  });

  it.each([
    ['an increase', 70],
    ['no change', 60],
  ])('is paid back by nothing where the verdict is %s', (_, otherW) => {
    expect(findingsWith(otherW).cost).toMatchObject({ saving: null, pays_back_runs: null });
  });

  it('counts executions where a window holds several', () => {
    const several = blocks(50).map((runs) => runs.map((run) => ({ ...run, executions: 4 })));
    const { cost } = withSimulatedStore({ blocks: several, experiment: { batch: 4 } }, analyzeStore).findings;
    expect(cost!.pays_back_runs! / findingsWith(50).cost!.pays_back_runs!).toBeCloseTo(4, 1);
  });

  it('is told of each channel by itself', () => {
    const [wall] = wallMeter.channels;
    const meters = [wallMeter, { ...wallMeter, address: '/dev/y', channels: [{ ...wall!, channel: 'desk' }] }];
    const { cost } = withSimulatedStore({ blocks: blocks(50), meters }, analyzeStore).findings;
    expect(cost!.other_channels).toEqual({ desk: expect.closeTo(cost!.energy_j!, 6) });
  });
});

/** A session of a meter of 10 W that is read at these seconds. */
function session(seconds: readonly number[], integration: 'guard' | 'counter' = 'guard'): ChannelSession {
  const tNs = Float64Array.from(seconds, (s) => s * 1e9);
  const durationS = Float64Array.from(seconds, (s, i) => (i === 0 ? 1 : s - seconds[i - 1]!));
  const channel = { ...wallMeter.channels[0]!, integration, clock: 'host' } as unknown as ChannelSession['channel'];
  return {
    session: 1,
    channel,
    columns: { tNs, powerW: tNs.map(() => 10), durationS },
    times: sampleTimes('host', tNs, 1),
    records: [],
  };
}

const costOf = (...sessions: readonly ChannelSession[]) => {
  const { meter, variants } = findingsWith(60);
  return measuringCost({ meter, variants, comparisons: [] }, sessions);
};

describe('readings that are missing', () => {
  const seconds = Array.from({ length: 1001 }, (_, i) => i);

  it('count as the mean of the others where they are few', () => {
    expect(costOf(session(seconds.filter((s) => s < 500 || s > 504)))).toMatchObject({
      duration_s: 1001,
      energy_j: expect.closeTo(10_010, 6),
      unknown: null,
    });
  });

  it('leave the energy unknown where they are many, but that of a counter', () => {
    const some = seconds.filter((s) => s < 500 || s > 520);
    expect(costOf(session(some))).toMatchObject({ duration_s: 1001, energy_j: null, unknown: 'gaps' });
    expect(costOf(session(some, 'counter'))).toMatchObject({ energy_j: expect.closeTo(10_010, 6), unknown: null });
  });

  it('are none between two sessions: the pause is nobody’s', () => {
    const again = session(seconds.map((s) => s + 100_000));
    expect(costOf(session(seconds), again)).toMatchObject({ duration_s: 2002, energy_j: expect.closeTo(20_020, 6) });
    expect(costOf()).toMatchObject({ duration_s: 0, energy_j: null, unknown: 'no-readings' });
  });
});
