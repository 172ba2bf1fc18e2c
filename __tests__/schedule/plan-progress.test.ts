// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { planProgress, type RecordedPlan } from '../../src/schedule/plan-progress.ts';

const PLANNED = [1, 2, 3].flatMap((block) =>
  ['native', 'container'].map((variant, i) => {
    const run = 2 * (block - 1) + i + 1;
    return { run, block, position: i + 1, variant, warmup: false };
  }),
);

/** Good runs of the first so many planned ones, in their order. */
function recorded(runs: number, more: Partial<RecordedPlan> = {}): RecordedPlan {
  const good = PLANNED.slice(0, runs).map(
    ({ run }) => ({ run, planned: run, attempt: 1, status: 'ok', cause: null }) as const,
  );
  return { planned: PLANNED, runs: good, looks: [], repetitions: 3, ...more };
}

describe('the progress of a plan', () => {
  it.each([
    ['nothing was run', recorded(0), { complete: false, blocks: 0, stoppedAt: null, stoppedBecause: null }],
    ['a block was begun', recorded(3), { complete: false, blocks: 1, stoppedAt: null, stoppedBecause: null }],
    ['all was run', recorded(6), { complete: true, blocks: 3, stoppedAt: null, stoppedBecause: null }],
  ])('is told when %s', (_, plan, progress) => {
    expect(planProgress(plan)).toEqual({ ...progress, dropped: new Map() });
  });

  it('does not count a block with an interrupted or a bad run', () => {
    const last = { run: 6, planned: 6, attempt: 1, status: 'invalid' } as const;
    for (const cause of ['stopped', 'missing-readings'] as const) {
      const plan = recorded(5);
      expect(planProgress({ ...plan, runs: [...plan.runs, { ...last, cause }] })).toMatchObject({
        complete: false,
        blocks: 2,
      });
    }
  });

  it('is complete after a look that ended it, and says where unless it was the last', () => {
    const looks = [
      { blocks: 1, because: null },
      { blocks: 2, because: 'settled' as const },
    ];
    expect(planProgress(recorded(4, { looks }))).toEqual({
      complete: true,
      blocks: 2,
      stoppedAt: 2,
      stoppedBecause: 'settled',
      dropped: new Map(),
    });
    expect(planProgress(recorded(6, { looks: [{ blocks: 3, because: 'complete' }] }))).toEqual({
      complete: true,
      blocks: 3,
      stoppedAt: null,
      stoppedBecause: null,
      dropped: new Map(),
    });
  });
});
