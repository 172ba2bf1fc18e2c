// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { gatheredComment, gatheredSummary } from '../../../../../src/parts/fleet/report/gathered/gathered.ts';
import { gatheredSentence, gravest, type Result } from '../../../../../src/parts/fleet/report/gathered/result.ts';
import { COMMENT_BUDGET, commentMarkdown } from '../../../../../src/report/comment.ts';
import { SUMMARY_BUDGET } from '../../../../../src/report/summary.ts';
import { hostileNames, limits } from '../../../../report/fixtures.ts';
import { resultOf } from '../../../../report/machines.ts';
import { elements, render, visible } from '../../../../report/render.ts';
import {
  type SyntheticOptions,
  type SyntheticVariant,
  syntheticAnalysis,
} from '../../../../report/synthetic/analysis.ts';
import { suiteWithout } from '../../../../report/synthetic/suite.ts';

const pair = (more: Partial<SyntheticVariant> = {}): SyntheticVariant[] => [
  { name: 'native', sdJ: 0.5 },
  { name: 'container', meanJ: 257.9, sdJ: 0.5, ...more },
];
const result = (name: string, options: SyntheticOptions = {}): Result => ({
  name,
  findings: syntheticAnalysis({ name, traces: false, runs: 8, ...options }).findings,
});

const three = (): Result[] => [
  result('same', { variants: pair({ meanJ: 250 }) }),
  result('worse', { variants: pair({}) }),
  result('open', { variants: pair({ meanJ: 251, sdJ: 9 }) }),
];

/** What many experiments have found: the first of them no change. */
const models = [250, ...Array.from({ length: 20 }, (_, i) => 255 + 2 * i)].map((meanJ) =>
  result('model', { variants: pair({ meanJ }) }),
);

const rows = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('| `'));

describe('gatheredComment', () => {
  it('of one experiment is its own comment', () => {
    const [one] = three();
    expect(gatheredComment([one!])).toBe(commentMarkdown(one!.findings));
  });

  it('has one table with a row a comparison, the worst first, and counts them in its heading', () => {
    const text = gatheredComment(three());
    const [open] = text.split('<details>');
    expect(open).toContain('### 🔺 3 experiments: 1 uses more energy, 1 within margin, 1 inconclusive\n');
    expect(rows(open!).map((line) => line.split('|')[1]?.trim())).toEqual(['`worse`', '`open`', '`same`']);
    expect(open).not.toContain('3 comparisons');
  });

  it('has energies of an execution in its table, as in each experiment’s own text', () => {
    const batched = three().map((one) => ({
      ...one,
      findings: { ...one.findings, variants: one.findings.variants.map((of) => ({ ...of, executions_per_run: 100 })) },
    }));
    const [open, ...folded] = gatheredComment(batched).split('<details>');
    expect(rows(open!)[0]).toContain('2.5');
    expect(rows(open!).join()).not.toMatch(/2[45]\d\.\d J/);
    expect(folded.join()).not.toMatch(/2[45]\d\.\d J/);
    expect(gravest(batched)?.comparisons[0]?.difference).toEqual(gravest(three())?.comparisons[0]?.difference);
  });

  it('has each experiment’s own text folded, in the same order', () => {
    const text = gatheredComment(three());
    const heads = [...text.matchAll(/<details><summary>. <code>(\w+)<\/code>/gu)].map((match) => match[1]);
    expect(heads).toEqual(['worse', 'open', 'same']);
    for (const { findings } of three()) expect(text).toContain(commentMarkdown(findings).trimEnd());
  });

  it('names the commit that was measured, and whose was another', () => {
    expect(visible(render(gatheredComment(three())))).toContain('Measured at commit 4f2a9c1.');
    const changed = result('changed', { variants: pair({}), dirty: true });
    expect(visible(render(gatheredComment([...three(), changed])))).toContain(
      'Measured at commit 4f2a9c1 (same, worse, open); commit 4f2a9c1, with changes that are not committed (changed).',
    );
  });

  it('says which thresholds failed, of which experiment, before the table', () => {
    const failed = result('<b>@worse', { variants: pair({}), goals: { failOn: limits } });
    const text = gatheredComment([...three(), failed]);
    expect(text.split('\n')[0]).toContain(' — 1 threshold not kept');
    const [before = ''] = text.split('\n| ');
    expect(before).toMatch(/^> - `<b>@worse`: The limit of \+2\u00a0% is crossed\. `container` against `native`: \+/m);
    expect(before).not.toMatch(/\+20.J/);
    expect(gatheredComment(three())).not.toMatch(/threshold/i);
  });

  it('says in its heading and sentence that a benchmark of one failed', () => {
    const suite = { name: 'suite', findings: suiteWithout('failed') };
    const text = gatheredComment([...three(), suite]);
    expect(text.split('\n')[0]).toContain(' — 1 benchmark failed');
    expect(gatheredSentence([...three(), suite])).toContain('4 experiments, 1 benchmark failed. ');
    expect(gatheredSentence(three())).not.toMatch(/partial|failed/);
  });

  it('calls experiments by their artifact too where that says more', () => {
    const text = gatheredComment([
      { ...result('sort'), name: 'joulediff-amd' },
      { ...result('sort'), name: 'joulediff-arm' },
    ]);
    expect(rows(text.split('<details>')[0]!).map((line) => line.split('|')[1]?.trim())).toEqual([
      '`sort (joulediff-amd)`',
      '`sort (joulediff-arm)`',
    ]);
  });

  it('never mixes measured, modelled and emulated numbers in silence', () => {
    const text = gatheredComment([
      result('a'),
      result('b', { source: 'modelled' }),
      result('c', { source: 'emulated' }),
    ]);
    const [open] = text.split('<details>');
    expect(open!.split('\n')[0]).toContain(' — 1 estimated, not measured — 1 emulated meter');
    expect(open!.indexOf('[!CAUTION]')).toBeLessThan(open!.search(/\d\sJ \|/));
    expect(open).toMatch(/> `b`: \*\*Energy and power here are estimated by a model/);
    expect(open).toMatch(/> `c`: \*\*Energy and power here come from an emulated meter/);
    const meters = rows(open!).map((line) => line.split('|').at(-2)?.trim());
    expect(meters.filter((meter) => meter?.includes('estimated by a model, not measured'))).toHaveLength(1);
    expect(meters.filter((meter) => meter?.includes('emulated meter, not a measurement'))).toHaveLength(1);
    expect(open).toContain('The experiments ran with different meters: compare within a row');
  });

  it('names no meter in the table where all are one instrument, and each where they differ', () => {
    expect(gatheredComment(three()).split('<details>')[0]).not.toContain('| Meter');
    const [first, second] = three() as [Result, Result];
    const meter = { ...second.findings.meter, type: 'rapl' };
    const text = gatheredComment([first, { ...second, findings: { ...second.findings, meter } }]);
    expect(rows(text.split('<details>')[0]!).map((line) => /`rapl`/.test(line))).toEqual([true, false]);
  });

  it('names the machines where they differ', () => {
    const [first, second] = three() as [Result, Result];
    const conditions = { ...second.findings.conditions!, hostname: 'other-host' };
    const [open] = gatheredComment([first, { ...second, findings: { ...second.findings, conditions } }]).split(
      '<details>',
    );
    expect(open).toContain('with different machines: compare within a row');
    expect(rows(open!).filter((line) => line.includes('other-host'))).toHaveLength(1);
  });

  it('tells of experiments that have nothing to compare', () => {
    const text = gatheredComment([result('lone', { variants: [{ name: 'native' }] }), ...three()]);
    expect(text).toMatch(/^- `lone`: Only `native` has an energy/m);
    expect(
      gatheredComment([result('a', { variants: [{ name: 'x' }] }), result('b', { variants: [{ name: 'x' }] })]),
    ).toMatch(/^### ⚪ 2 experiments: nothing to compare\n/);
  });

  it.each([10, 60, 400])('of %i experiments stays in its budget, and drops whole parts only', (count) => {
    const long = 'experiment-with-<!-- -->-|a|-`long`-name-'.repeat(3);
    const many = Array.from({ length: count }, (_, i): Result => {
      const name = `${long}${i}`;
      const { findings } = structuredClone(models[i % 2 === 0 ? 0 : 1 + (i % 20)]!);
      return { name, findings: { ...findings, experiment: { ...findings.experiment, name } } };
    });
    const text = gatheredComment(many);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(COMMENT_BUDGET);
    expect(text.match(/<details>/g)?.length ?? 0).toBe(text.match(/<\/details>/g)?.length ?? 0);
    expect(text.trimEnd()).toMatch(/<\/sub>$/);
    expect(rows(text.split('<details>')[0]!).length).toBeGreaterThan(5);
    if (count === 400) expect(text).toMatch(/\d+ of 400 comparisons are left out of this table/);
    expect(Buffer.byteLength(gatheredSummary(many))).toBeLessThanOrEqual(SUMMARY_BUDGET);
    expect(Buffer.byteLength(gatheredComment(many, 4000))).toBeLessThanOrEqual(4000);
  });

  it('lets nothing out of hostile names', () => {
    const hostile = hostileNames.map((name) => ({ ...result('x'), name }));
    const named = hostileNames.map((name) => result(name));
    const text = gatheredComment([...hostile, ...named]);
    const plainly = gatheredComment([...hostile.map((r) => ({ ...r, name: 'y' })), ...named.map(() => result('x'))]);
    expect(elements(render(text))).toEqual(elements(render(plainly)));
    expect(text).not.toMatch(/<!-- ?joulediff/);
    // In code nothing is a mention, a link or an emoji.
    const prose = visible(render(text).replace(/<code>.*?<\/code>/gs, ''));
    expect(prose).not.toMatch(/@octocat|:\/\/evil|:smile:/);
  });
});

describe('gravest', () => {
  it('is an increase, whatever decreases more, in the heading too', () => {
    const mixed = [result('less', { variants: pair({ meanJ: 175 }) }), result('worse', { variants: pair() })];
    expect(gravest(mixed)?.experiment.name).toBe('worse');
    expect(gravest(mixed)?.comparisons.map(({ verdict }) => verdict)).toEqual(['increase']);
    expect(gatheredComment(mixed)).toMatch(/^### 🔺 2 experiments/);
  });
});

describe('gatheredSummary', () => {
  it('holds the longer text of each experiment', () => {
    const text = gatheredSummary(three());
    expect(text.match(/#### Variants/g)).toHaveLength(3);
    expect(text.split('\n')[0]).toBe(gatheredComment(three()).split('\n')[0]);
  });
});

describe('several machines in one comment', () => {
  const machines = ['shelf', 'rack', 'cellar'].map((host, i) => resultOf(host, 2 + i));

  it('are pooled below their table', () => {
    const text = gatheredComment(machines);
    expect(text).toContain('`sort` on 3 machines');
    expect(text).toContain('On all 3 machines `container` used more energy than `native`.');
    expect(text.indexOf('| `sort (cellar)` |')).toBeLessThan(text.indexOf('On all 3 machines'));
  });

  it('are not, where models are among them, nor where the experiments are not the same', () => {
    const mixed = gatheredComment([machines[0]!, machines[1]!, resultOf('m', 3, { source: 'modelled' })]);
    expect(mixed).not.toContain('3 machines');
    expect(mixed).toContain(
      'The results of `sort` are not pooled: 2 are measured, 1 is estimated by a model, and these are never mixed.',
    );
    expect(gatheredComment([machines[0]!, resultOf('other', 3, { name: 'other' })])).not.toContain('2 machines');
  });
});
