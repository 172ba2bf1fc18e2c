// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { restsCheck } from '../../../src/analysis/checks/rests.ts';
import { reportedCheck } from '../../report/words/reported.ts';

const rests = { up_to_s: 60, median_s: 1.4, least_s: 1, most_s: 60, longest: 0, runs: 64 };

describe('the check of rests that end by themselves', () => {
  it('is none where rests had a given length', () => {
    expect(restsCheck(undefined)).toEqual([]);
  });

  it('tells how long the machine took to settle', () => {
    expect(restsCheck(rests).map(reportedCheck)).toMatchObject([
      { name: 'rests', state: 'ok', detail: 'The machine had settled before every run, after 1.4 s (median).' },
    ]);
  });

  it('warns where it did not settle before more than a tenth of the runs', () => {
    expect(restsCheck({ ...rests, longest: 6 })).toMatchObject([{ state: 'ok' }]);
    expect(restsCheck({ ...rests, longest: 7 }).map(reportedCheck)).toMatchObject([
      {
        state: 'warn',
        detail:
          'Before 7 of 64 runs, the idle machine had not settled after 60 s: its power or its temperature still changed.',
        advice: expect.stringContaining('joulediff doctor'),
      },
    ]);
  });
});
