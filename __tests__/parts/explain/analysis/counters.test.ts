// Class: unit.
import { expect, it } from '@jest/globals';
import type { Count, ObservedRun } from '../../../../src/contracts/observed-run.ts';
import { explain } from '../../../../src/parts/explain/analysis/explain.ts';

const RUNS = 5;
/** A little different from run to run. */
const scatter = (i: number): number => 1 + 0.001 * ((i % 3) - 1);

/** Of each variant: millions of instructions and of cycles. */
function counterWork(a: readonly [number, number], b: readonly [number, number], leftOut?: number) {
  const runs = Array.from({ length: 2 * RUNS }, (_, i): ObservedRun => {
    const [instructions, cycles] = i % 2 === 0 ? a : b;
    const counts = [
      { kind: 'counter', name: 'instructions', value: 1e6 * instructions * scatter(i), errors: null },
      { kind: 'counter', name: 'cycles', value: 1e6 * cycles * scatter(i + 1), errors: null },
    ] satisfies Count[];
    const profile = { phase: null, wallS: 1, cpuS: 1, stacks: [], counts: i === leftOut ? counts.slice(0, 1) : counts };
    return { variant: i % 2 === 0 ? 'a' : 'b', run: i + 1, phases: [profile] };
  });
  return explain({ runs, pairs: [{ baseline: 'a', variant: 'b' }], variants: ['a', 'b'], rungs: [], stretch: [] });
}

it('more cycles are of more instructions, or of more time for each', () => {
  const story = (...of: Parameters<typeof counterWork>) => counterWork(...of).work?.[0]?.story;
  expect(story([100, 50], [140, 70])).toBe('instructions');
  expect(story([100, 50], [100.01, 70])).toBe('speed');
  expect(story([100, 50], [120, 72])).toBe('both');
  expect(story([100, 50], [120, 40])).toBe('opposite');
  expect(story([100, 50], [100, 50])).toBe('no-difference');
  const [work] = counterWork([100, 50], [100, 75]).work!;
  expect(work!.cycles.percent).toBeCloseTo(50, 0);
  expect(work!.cycles.ci95[0]).toBeLessThan(work!.cycles.percent);
  expect(work!.per_cycle.baseline).toBeCloseTo(2, 2);
  expect(work!.per_cycle.variant).toBeCloseTo(4 / 3, 2);
});

it('instructions per cycle are a line of their own, and no sum of phases', () => {
  const { lines, counters } = counterWork([100, 50], [100, 75]);
  expect(lines.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
    'counter cycles',
    'ratio instructions-per-cycle',
  ]);
  expect(lines.find(({ kind }) => kind === 'ratio')?.difference).toBeCloseTo(4 / 3 - 2, 2);
  expect(counters).toEqual(['cycles', 'instructions']);
});

it('a run in which others had a counter has not none of it', () => {
  const { lines } = counterWork([100, 50], [100, 75], 1);
  expect(lines.find(({ name }) => name === 'cycles')?.variant).toBeCloseTo(75e6, -6);
});

it('without counters nothing is told of them', () => {
  const profile = { phase: null, wallS: 1, cpuS: 1, stacks: [], counts: [] };
  const runs = [1, 2, 3, 4].map((run) => ({ variant: run % 2 === 0 ? 'a' : 'b', run, phases: [profile] }));
  const reported = explain({
    runs,
    pairs: [{ baseline: 'a', variant: 'b' }],
    variants: ['a', 'b'],
    rungs: [],
    stretch: [],
  });
  expect(reported).not.toHaveProperty('work');
  expect(reported).not.toHaveProperty('counters');
});
