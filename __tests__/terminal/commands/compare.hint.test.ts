// Class: unit.
import { expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { moreCertainty } from '../../../src/terminal/commands/compare.ts';

it('asks for the time of all blocks, since a new comparison measures them again, and says what is added to it', () => {
  const open = (blocks: number, more: object | null) => ({ blocks, to_settle: more });
  const within = (mostBlocks: number, ...comparisons: object[]) =>
    moreCertainty({ comparisons, experiment: { looks: {} } } as unknown as Findings, mostBlocks);
  const hint = (...comparisons: object[]) => within(500, ...comparisons);
  // 20 more blocks take 10 minutes, so 60 take 30.
  expect(hint(open(40, { blocks: 20, minutes: 10 }), open(40, { blocks: 5, minutes: 2.5 }))).toBe(
    'For more certainty: the same with --within 37min (all blocks, warm-up and a fifth more). For a narrower interval: --precision 2%.',
  );
  const never = 'More time would probably not settle it';
  expect(hint(open(40, { blocks: 20, minutes: null }))).toContain(never);
  // No longer time is taken than a day, and no more blocks than the most.
  expect(hint(open(40, { blocks: 40, minutes: 700 }))).toContain('--within 1440min');
  expect(hint(open(40, { blocks: 40, minutes: 730 }))).toContain(never);
  expect(hint(open(40, { blocks: 460, minutes: 10 }))).toContain('--within');
  expect(hint(open(40, { blocks: 461, minutes: 10 }))).toContain(never);
  // A lower limit is the user's own.
  expect(within(12, open(12, { blocks: 10, minutes: 2 }))).toBe(
    'For more certainty: raise repetitions.most from 12 to about 22 blocks, with --within 7min.',
  );
  expect(within(12, open(12, { blocks: 10, minutes: 2 }), open(12, { blocks: 10, minutes: null }))).toContain(never);
  expect(within(12, open(12, { blocks: 400, minutes: 60_000 }))).toContain(never);
});

it('advises nothing that the precision that was asked for rules out', () => {
  const hint = (want_percent: number, stopped_because: string | null) => {
    const comparisons = [{ blocks: 40, to_settle: { blocks: 20, minutes: 10 } }];
    return moreCertainty(
      { comparisons, experiment: { looks: { want_percent, stopped_because } } } as unknown as Findings,
      500,
    );
  };
  // With the same precision it would end at that width, before the block that it takes.
  const all = /the same with --within 37min instead of --precision \(.* interval: --precision 2%/;
  expect(hint(5, 'precise')).toMatch(all);
  expect(hint(5, null)).toMatch(all);
  // ±2 % is no narrower.
  expect(hint(1, null)).toMatch(/the same with --within 37min instead of --precision \([^)]*\)\.$/);
  expect(hint(2, 'precise')).toMatch(/instead of --precision \([^)]*\)\.$/);
});
