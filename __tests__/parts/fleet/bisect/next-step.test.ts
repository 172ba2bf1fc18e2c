// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { CommitRange } from '../../../../src/parts/fleet/bisect/commits.ts';
import { credibleSet, nextSearch, nextStep, suspects } from '../../../../src/parts/fleet/bisect/next-step.ts';
import type { Posterior } from '../../../../src/parts/fleet/bisect/posterior.ts';
import { line } from '../../../simulate/bisect.ts';

const believing = (probability: readonly number[], scatter = 0.005): Posterior => ({
  probability: Float64Array.from([0, ...probability]),
  step: 0.01,
  scatter,
});
const between = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const equally = (n: number): Posterior => believing(between(1, n).map(() => 1 / n));

describe('the next step of a bisection', () => {
  it('tries the commits that cut what is possible into quarters', () => {
    expect(nextSearch(equally(32), line(32), between(1, 31)).commits).toEqual([8, 16, 24]);
  });

  it('measures more blocks where runs scatter more, within limits', () => {
    const blocks = (scatter: number) =>
      nextSearch(
        believing(
          between(1, 8).map(() => 1 / 8),
          scatter,
        ),
        line(8),
        between(1, 7),
      ).blocks;
    expect([0.0001, 0.005, 1].map(blocks)).toEqual([3, 4, 12]);
  });

  it('does not try commits that can’t be measured, and names all that they hide', () => {
    const range = line(8);
    const testable = [1, 2, 6, 7];
    const found = believing([0, 0, 0.2, 0.3, 0.3, 0.2, 0, 0]);
    expect(nextSearch(equally(8), range, testable).commits.every((of) => testable.includes(of))).toBe(true);
    expect(suspects(found, range, testable)).toMatchObject({ commits: [3, 4, 5, 6], neighbors: [2, 6] });
    const seen = { testable, shown: [[0, 8]], left: null, measured: 1 };
    expect(nextStep(found, range, seen)).toEqual({ kind: 'neighbors', pair: [2, 6] });
    expect(nextStep(found, range, { ...seen, shown: [[2, 6]] })).toEqual({ kind: 'found' });
  });

  it('moves away from commits that failed, and goes on with what was to be measured beside them', () => {
    const range = line(32);
    const testable = between(1, 31).filter((of) => of !== 16);
    const { commits } = nextSearch(equally(32), range, testable);
    expect(commits).toContain(8);
    expect(commits.every((of) => Math.abs(of - 16) >= 4)).toBe(true);
    const left = { commits: [8, 24], blocks: 5 };
    const seen = { testable, shown: [[0, 32]], left, measured: 1 };
    expect(nextStep(equally(32), range, seen)).toEqual({ kind: 'search', ...left });
    expect(nextStep(equally(32), range, { ...seen, measured: 40 })).toEqual({ kind: 'open' });
  });

  it('knows that a commit on one side of a merge tells nothing of the other side', () => {
    // 0 ─ 1 ─ 2 ─ 5 (merge), 0 ─ 3 ─ 4 ─ 5
    const rows = [[], [1], [1, 2], [3], [3, 4], [1, 2, 3, 4, 5]];
    const range: CommitRange = {
      commits: rows.map((_, i) => ({ sha: String(i), subject: '', committedAt: '' })),
      has: rows.map((row) => Uint8Array.from(rows, (_, k) => (row.includes(k) ? 1 : 0))),
    };
    const sure = believing([0, 0, 0.01, 0.98, 0.01]);
    expect(suspects(sure, range, [1, 2, 3, 4])).toMatchObject({ commits: [4], neighbors: [3, 4] });
    const first = believing([0, 0, 0.98, 0.01, 0.01]);
    expect(suspects(first, range, [1, 2, 3, 4])).toMatchObject({ commits: [3], neighbors: [0, 3] });
  });

  it('lists the fewest commits that hold the step', () => {
    expect(credibleSet(believing([0.01, 0.6, 0.38, 0.01]))).toEqual([2, 3]);
    expect(credibleSet(equally(4))).toHaveLength(4);
  });
});
