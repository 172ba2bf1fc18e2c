// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Check } from '../../../../src/findings/checks.ts';
import { Merged } from '../../../../src/findings/merged.ts';
import { merge, mergeWhatMayBe } from '../../../../src/parts/fleet/analysis/merge.ts';
import { differsWords, machinesWords } from '../../../../src/parts/fleet/report/words/merged.ts';
import { plainText } from '../../../../src/report/document/text.ts';
import { resultOf } from '../../../report/machines.ts';

const four = [resultOf('a', 2), resultOf('b', 3), resultOf('c', 4), resultOf('d', 5)];

describe('merging machines', () => {
  it('takes each machine’s mean log ratio and its standard error', () => {
    const [merged] = merge(four, 'machine');
    expect(Merged.parse(merged)).toEqual(merged);
    expect(merged!.machines.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    for (const [i, machine] of merged!.machines.entries()) {
      const { percent, tests } = four[i]!.findings.comparisons[0]!;
      expect(machine.percent).toBeCloseTo(100 * Math.log1p(percent.mean_log! / 100), 10);
      // A t test of the same mean has the same standard error.
      expect(machine.percent / machine.se_percent).toBeCloseTo(tests.paired_t_log!.t, 6);
    }
    const { pooled, leave_one_out: left } = merged!;
    expect(pooled.percent).toBeGreaterThan(100 * Math.log(1.03));
    expect(pooled.percent).toBeLessThan(100 * Math.log(1.04));
    expect(pooled.tau_percent).toBeGreaterThan(1);
    expect(pooled.p).toBeLessThan(1e-6);
    expect(left.map(({ without }) => without)).toEqual(['a', 'b', 'c', 'd']);
    expect(left[0]!.percent).toBeGreaterThan(pooled.percent);
    expect(left[3]!.percent).toBeLessThan(pooled.percent);
  });

  it('counts a machine once, however many results it has', () => {
    const again = { ...resultOf('a', 2.4), name: 'a again' };
    const [merged] = merge([...four, again], 'machine');
    expect(merged!.machines.map(({ results }) => results)).toEqual([['a', 'a again'], ['b'], ['c'], ['d']]);
    expect(merge([...four, again], 'result')[0]!.machines).toHaveLength(5);
    expect(() => merge([four[0]!, again], 'machine')).toThrow('All 2 comparisons are of one machine (a).');
  });

  it('pools nothing that is of another kind', () => {
    const modelled = resultOf('m', 3, { source: 'modelled' });
    expect(() => merge([...four, modelled], 'machine')).toThrow(
      'These results are of different kinds, which are never pooled (measured: a and 3 more; modelled: m).',
    );
    expect(mergeWhatMayBe([...four, modelled], 'machine')).toEqual([]);
  });

  it('refuses one result twice, and pools nothing then', () => {
    const copy = { ...four[0]!, name: 'copy' };
    expect(() => merge([...four, copy], 'machine')).toThrow('a and copy are the same result.');
    expect(mergeWhatMayBe([...four, copy], 'result')).toEqual([]);
  });

  it('does not take two results without a good run for copies', () => {
    const broken = ['e', 'f'].map((name) => {
      const { findings } = resultOf(name, 0, {
        variants: [
          { name: 'native', energiesJ: [] },
          { name: 'container', energiesJ: [] },
        ],
      });
      const comparisons = findings.comparisons.map((one) => ({ ...one, verdict: 'failed', reason: 'failed' }) as const);
      return { name, findings: { ...findings, comparisons } };
    });
    const leftOut = [
      { result: 'e', because: 'failed' },
      { result: 'f', because: 'failed' },
    ];
    expect(merge([...four, ...broken], 'machine')[0]!.left_out).toEqual(leftOut);
    expect(mergeWhatMayBe([...four, ...broken], 'machine')[0]!.left_out).toEqual(leftOut);
  });

  it('counts each machine by its own verdict, so that one within the margin is not open', () => {
    const within = [resultOf('a', 0.3), resultOf('b', 0.4)];
    const [merged] = merge(within, 'machine');
    expect(merged!.machines.map(({ verdict }) => verdict)).toEqual(
      within.map(({ findings }) => findings.comparisons[0]!.verdict),
    );
    expect(plainText(machinesWords(merged!))).toBe(
      'On both machines the change from native to container stays within the margin.',
    );
  });

  it('says what else is not the same', () => {
    expect(merge(four, 'machine')[0]!.differs).toEqual([]);
    const other = resultOf('e', 3.1, { name: 'another' });
    const { findings } = other;
    const rapl = {
      ...other,
      findings: { ...findings, meter: { ...findings.meter, type: 'rapl', part: 'package' as const } },
    };
    expect(merge([...four, rapl], 'machine')[0]!.differs).toEqual(['experiment', 'meter', 'part']);
  });

  it('says that results are partial, also where all are', () => {
    const partial = four.map(({ name, findings }) => {
      return { name, findings: { ...findings, experiment: { ...findings.experiment, complete: false } } };
    });
    for (const some of [partial, [...four.slice(1), partial[0]!]]) {
      const [merged] = merge(some, 'machine');
      expect(merged!.differs).toEqual(['partial']);
      expect(differsWords(merged!)).toContain('partial experiments lack some of their planned runs');
    }
  });

  it('leaves out what has no error of its own, and says so', () => {
    const same = resultOf('same', 0, {
      variants: [
        { name: 'native', energiesJ: Array(8).fill(5) },
        { name: 'container', energiesJ: Array(8).fill(6) },
      ],
      runs: 8,
    });
    const [merged] = merge([...four, same], 'machine');
    expect(merged!.left_out).toEqual([{ result: 'same', because: 'no-spread' }]);
    expect(merged!.machines).toHaveLength(4);
  });

  it('leaves out what can’t be trusted, and what no measurement gives', () => {
    const { findings } = resultOf('e', 3.1);
    const failed: Check = { name: 'machine load', state: 'fail', reason: 'busy', facts: {} } as unknown as Check;
    const untrusted = { name: 'e', findings: { ...findings, quality: { ...findings.quality, checks: [failed] } } };
    expect(merge([...four, untrusted], 'machine')[0]!.left_out).toEqual([{ result: 'e', because: 'untrusted' }]);
    const [comparison] = findings.comparisons;
    for (const [meanLog, meanLogCi95] of [
      [-150, [-2, 5]],
      [1, [-100, 5]],
      [1, [0, 1e-300]],
    ] as const) {
      const percent = { ...comparison!.percent, mean_log: meanLog, mean_log_ci95: meanLogCi95 };
      const odd = { name: 'e', findings: { ...findings, comparisons: [{ ...comparison!, percent }] } };
      expect(merge([...four, odd], 'machine')[0]!.left_out).toEqual([{ result: 'e', because: 'no-spread' }]);
    }
  });

  it('takes containers of one machine for one', () => {
    const ids = ['0123456789ab', 'ba9876543210', 'aaaaaaaaaaaa'].map((id, i) => resultOf(id, 2 + i));
    expect(() => merge(ids, 'machine')).toThrow(/^All 3 comparisons are of one machine/);
  });

  it('refuses results without a comparison in common', () => {
    const other = resultOf('z', 1, { variants: [{ name: 'native' }, { name: 'alpine', meanJ: 260 }] });
    expect(() => merge([four[0]!, other], 'machine')).toThrow(
      'There is no comparison that two machines have in common. They compare container against native, alpine against native.',
    );
  });
});
