// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { withResources } from '../../src/analysis/resources.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import { withSwitches } from '../../src/analysis/switches.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { counted, type RecordedCounter } from '../../src/findings/resources.ts';
import { findings } from '../action/fixture.ts';

const [comparison] = findings().comparisons as [Comparison];

const recorded = (all: number | null, before: number | null, after: number | null) => [
  counted<RecordedCounter>('machine_context_switches', all, 'not-counted'),
  counted<RecordedCounter>('idle_switches_before_per_s', before, 'not-counted'),
  counted<RecordedCounter>('idle_switches_after_per_s', after, 'not-counted'),
];

/** Runs of 10 s on a machine that has `idle` switches a second, and `more` in the guard after them. */
function difference(native: number, container: number, more: number) {
  const runs = Array.from({ length: 12 }, (_, block) =>
    Object.entries({ native, container }).map(([variant, own], i) => {
      const idle = 300 + 10 * ((7 * block + i) % 5);
      const counts = recorded(own + 300 * (((i + 2) * block) % 5) + 10 * idle, idle, idle + more);
      const run = { run: 2 * block + i + 1, block: block + 1, variant, status: 'ok', energyJ: 250, resources: null };
      return { ...run, channel: comparison.channel, ...withSwitches(counts, 10) } as unknown as RunResult;
    }),
  ).flat();
  const [made] = withResources([comparison], runs, comparison.channel);
  return made?.resources?.find(({ resource }) => resource === 'switches_above_idle');
}

describe('context switches above idle', () => {
  it('are the machine’s less those of as long an idleness, and leave open what its two sides differ by', () => {
    const { counters = [], openSwitches } = withSwitches(recorded(52_000, 100, 300), 10);
    expect(counters).toEqual([
      { counter: 'machine_context_switches', value: 52_000, missing: null },
      { counter: 'switches_above_idle', value: 50_000, missing: null },
    ]);
    expect(openSwitches).toBe(1000);
  });

  it.each([
    [recorded(null, 100, 300)],
    [recorded(52_000, null, 300)],
    [recorded(52_000, 100, null)],
  ])('are not known where a part is not: %j', (counts) => {
    const { counters = [], openSwitches } = withSwitches(counts, 10);
    expect(counters.at(-1)).toEqual({ counter: 'switches_above_idle', value: null, missing: 'not-counted' });
    expect(openSwitches).toBeUndefined();
  });

  it('differ clearly where the two sides of the windows leave no doubt, with an interval around what it is', () => {
    const found = difference(40_000, 60_000, 0);
    expect(found).toMatchObject({ blocks: 12, clear: true, open: 0 });
    expect(Math.abs((found?.difference ?? 0) - 20_000)).toBeLessThan(1000);
    const doubtful = difference(40_000, 60_000, 400);
    expect(doubtful).toMatchObject({ clear: true, open: 4000 });
    expect(doubtful?.ci95?.[0]).toBeCloseTo((found?.ci95?.[0] ?? 0) - 4000, 6);
    expect(doubtful?.ci95?.[1]).toBeCloseTo((found?.ci95?.[1] ?? 0) + 4000, 6);
  });

  it('do not where the machine was less idle on one side than they differ, nor where the interval says so', () => {
    expect(difference(40_000, 60_000, 2500)).toMatchObject({ clear: false, open: 25_000 });
    const more = Math.floor((difference(40_000, 60_000, 0)?.difference ?? 0) / 10 - 1);
    const within = difference(40_000, 60_000, more);
    expect(within).toMatchObject({ clear: false, open: 10 * more });
    expect(within?.difference).toBeGreaterThan(10 * more);
  });
});
