// Class: system.
import { expect, it } from '@jest/globals';
import { IntervalCounts } from '../../../../../src/parts/explain/observers/perf/intervals.ts';
import { wholeCounters } from '../../../../../src/parts/explain/observers/perf-counters/whole.ts';

/** In perf's own form (perf-stat(1), `-x ,`), as processors of two kinds and counters that are too few for all make them; no such machine is at hand. */
function wholeCounts(lines: readonly string[]) {
  const counted = new IntervalCounts();
  for (const line of lines) counted.take(`     0.050000000,${line},,`);
  const { counts, isShared } = wholeCounters(counted, { fromNs: 0n, toNs: 0n }, { startNs: 0n, endNs: 1n });
  return { counts: counts.map(({ name, value }) => [name, value]), isShared };
}
const CLOCK = '20.00,msec,task-clock,group,20000000,100.00';

it('counters of processors of two kinds are told of each kind and of both together', () => {
  const reported = wholeCounts([
    CLOCK,
    '1000,,cpu_core/cycles/,group,15000000,100.00',
    '300,,cpu_atom/cycles/,group,5000000,100.00',
    '2000,,cpu_core/instructions/,group,15000000,100.00',
    '<not counted>,,cpu_atom/instructions/,group,0,100.00',
  ]);
  expect(reported).toEqual({
    counts: [
      ['cycles', 1000],
      ['cycles (cpu_core)', 1000],
      ['cycles', 300],
      ['cycles (cpu_atom)', 300],
      ['instructions', 2000],
      ['instructions (cpu_core)', 2000],
    ],
    isShared: false,
  });
});

it('what was extrapolated is no count, on whatever kind of processor, and the others are', () => {
  const reported = wholeCounts([
    CLOCK,
    '1000,,instructions,group,20000000,100.00',
    '1000,,cycles,group,15000000,75.00',
    '<not counted>,,branch-misses,group,0,0.00',
    '40,,cpu_core/cache-misses/,group,15000000,100.00',
    '7,,cpu_atom/cache-misses/,group,2500000,50.00',
  ]);
  expect(reported).toEqual({ counts: [['instructions', 1000]], isShared: true });
});

it('a kernel without them gives none', () => {
  expect(wholeCounts([CLOCK, '<not supported>,,instructions,group,0,100.00'])).toEqual({
    counts: [],
    isShared: false,
  });
});
