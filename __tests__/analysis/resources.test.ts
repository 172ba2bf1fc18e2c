// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { variantCounters, withResources } from '../../src/analysis/resources.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { type Counter, counted } from '../../src/findings/resources.ts';
import { findings } from '../action/fixture.ts';
import { gaussian } from '../report/synthetic/random.ts';

type Amounts = Partial<Record<Counter, number | null>>;

const [comparison] = findings().comparisons as [Comparison];

/** Blocks of one run of each, with what is counted of it. */
function runs(blocks: number, amounts: (variant: 'native' | 'container', block: number) => Amounts): RunResult[] {
  return Array.from({ length: blocks }, (_, block) =>
    (['native', 'container'] as const).map((variant, i): RunResult => {
      const counters = Object.entries(amounts(variant, block)).map(([counter, value]) =>
        counted(counter as Counter, value, 'gone'),
      );
      const run = { run: 2 * block + i + 1, block: block + 1, variant, status: 'ok', energyJ: 250 } as const;
      return { ...run, channel: comparison.channel, resources: null, counters } as unknown as RunResult;
    }),
  ).flat();
}

const compared = (all: readonly RunResult[]) =>
  withResources([comparison], all, comparison.channel)[0]?.resources ?? [];

describe('what else differs between the runs', () => {
  const g = gaussian(3);
  const noisy = (mean: number, sd: number): number => mean + sd * g();

  it('is clear where all blocks say so, with an interval around what it is', () => {
    const all = runs(12, (variant) => ({
      system_s: noisy(variant === 'native' ? 1 : 1.4, 0.02),
      minor_faults: noisy(50_000, 500),
    }));
    const [system, faults] = compared(all);
    expect(system).toMatchObject({ resource: 'system_s', blocks: 12, clear: true });
    expect(system?.ci95?.[0]).toBeGreaterThan(0.35);
    expect(system?.ci95?.[1]).toBeLessThan(0.45);
    expect(faults).toMatchObject({ resource: 'minor_faults', clear: false });
  });

  it('is not clear where it is sure but small, or next to nothing', () => {
    const all = runs(12, (variant, block) => ({
      // 2 %, in every block.
      user_s: (variant === 'native' ? 1 : 1.02) + block / 1e6,
      // Twice as many, of a few.
      machine_context_switches: (variant === 'native' ? 300 : 600) + block,
    }));
    expect(compared(all).map(({ q, clear }) => [q < 0.01, clear])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('compares what none had with what all have, and what is known of both alone', () => {
    const all = runs(10, (variant, block) => ({
      throttled_s: variant === 'native' ? 0 : 2 + block / 100,
      major_faults: 0,
      received_bytes: variant === 'native' ? null : 1e9,
    }));
    expect(compared(all)).toEqual([
      expect.objectContaining({ resource: 'throttled_s', baseline_mean: 0, blocks: 10, clear: true }),
    ]);
  });

  it('raises a false alarm in no more than about one of twenty experiments without any difference', () => {
    const names = ['user_s', 'system_s', 'minor_faults', 'throttled_s', 'io_stall_s', 'sent_bytes'] as const;
    let alarmed = 0;
    const experiments = 300;
    for (let i = 0; i < experiments; i++) {
      // Large enough to count as large by chance alone.
      const all = runs(10, () => Object.fromEntries(names.map((name) => [name, 1e8 * Math.exp(g())])));
      if (compared(all).some(({ clear }) => clear)) alarmed++;
    }
    // 5 % of 300, and three standard deviations.
    expect(alarmed).toBeLessThanOrEqual(27);
  });
});

it('tells of each variant what was counted in how many runs, and why not in the others', () => {
  const all = runs(3, (_, block) => ({ user_s: block === 0 ? null : 2, sent_bytes: null }));
  const { counters = [] } = variantCounters(all.filter(({ variant }) => variant === 'native'));
  const of = (name: Counter) => counters.find(({ counter }) => counter === name);
  expect(of('user_s')).toMatchObject({ runs: 2, value: { mean: 2 }, missing: 'gone' });
  expect(of('sent_bytes')).toEqual({ counter: 'sent_bytes', runs: 0, value: null, missing: 'gone' });
  expect(variantCounters([{}])).toEqual({});
});
