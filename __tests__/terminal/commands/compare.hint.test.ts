// Class: unit.
import { expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { moreCertainty } from '../../../src/terminal/commands/compare.ts';

it('asks for the time of all blocks, since a new comparison measures them again, and says what is added to it', () => {
  const open = (blocks: number, more: object | null) => ({ blocks, to_settle: more });
  const hint = (...comparisons: object[]) =>
    moreCertainty({ comparisons, experiment: { looks: {} } } as unknown as Findings);
  // 20 more blocks take 10 minutes, so 60 take 30.
  expect(hint(open(40, { blocks: 20, minutes: 10 }), open(40, { blocks: 5, minutes: 2.5 }))).toBe(
    'For more certainty: the same with --within 37min (all blocks, warm-up and a fifth more). For a narrower interval: --precision 2%.',
  );
  expect(hint(open(40, { blocks: 20, minutes: null }))).toContain('More time would probably not settle it');
});
