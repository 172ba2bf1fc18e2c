// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Comparison } from '../../../src/findings/comparison.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import type { SuiteFindings } from '../../../src/findings/suite.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { methodsText } from '../../../src/report/sections/methods.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { headline } from '../../../src/report/words/headline.ts';
import { measuredText } from '../../../src/report/words/measured.ts';
import { othersText, suiteCounts, suiteDetail } from '../../../src/report/words/suite.ts';
import { render, visible } from '../render.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const analysis = syntheticAnalysis({ name: 'strings' });
const [template] = analysis.findings.comparisons as [Comparison];

function suiteWith(
  changes: readonly (readonly [Comparison['verdict'], number])[],
  more: SuiteFindings['benchmarks'] = [],
): Findings {
  const comparisons = changes.map(
    ([verdict, estimate], i): Comparison => ({
      ...template,
      benchmark: `bench ${i}`,
      baseline: `bench ${i}/base`,
      variant: `bench ${i}/head`,
      verdict,
      reason: verdict === 'inconclusive' ? 'open' : null,
      percent: { ...template.percent, estimate, ci95: [estimate - 1, estimate + 1] },
    }),
  );
  const percent = { estimate: 0.6, ci95: [0.2, 1] as const, ci90: [0.3, 0.9] as const, confidence: 0.95 };
  const counted = { benchmarks: changes.length, blocks: 30, p: 0.01 };
  const mean = {
    baseline: 'base',
    variant: 'head',
    ...counted,
    percent,
    verdict: 'changed-within-margin',
    reason: null,
  } as const;
  const benchmarks = [
    ...comparisons.map(({ benchmark }) => ({ name: benchmark!, state: 'compared' as const })),
    ...more,
  ];
  const suite = {
    variants: ['base', 'head'],
    benchmarks,
    means: changes.length === 0 ? [] : [mean],
    false_discovery_rate: 0.05,
  };
  return { ...analysis.findings, comparisons, suite };
}

const FORTY = suiteWith(
  [
    ...([
      ['increase', 9],
      ['decrease', -4],
      ['increase', 3],
      ['increase', 12],
    ] as const),
    ...Array.from({ length: 36 }, (_, i) => [i < 30 ? 'equivalent' : 'inconclusive', 0] as const),
  ],
  [
    { name: 'lost', state: 'gone' },
    { name: 'tiny', state: 'too-short' },
    { name: 'tiny too', state: 'too-short' },
  ],
);

describe('a suite in words', () => {
  it('counts what changed, and tells the mean and what was not compared', () => {
    expect(plainText(suiteCounts(FORTY, FORTY.suite!))).toBe(
      '3 of 40 benchmarks use more energy, 1 less; geometric mean +0.6 %',
    );
    expect(plainText(suiteDetail(FORTY.suite!))).toBe(
      'Geometric mean of head against base: 95 % CI 0.2 to 1.0 %, over 30 blocks. tiny and tiny too are too short to measure. lost is gone.',
    );
    expect(othersText(FORTY)).toBe('36 others: 30 within the margin, 6 inconclusive');
  });

  it('counts in its title only the benchmarks that ran', () => {
    expect(plainText(measuredText(FORTY))).toBe('42 benchmarks with base and head');
  });

  it.each<[readonly (readonly [Comparison['verdict'], number])[], string]>([
    [
      [
        ['decrease', -3],
        ['equivalent', 0],
      ],
      '1 of 2 benchmarks uses less energy; geometric mean +0.6 %',
    ],
    [[['inconclusive', 0]], 'no change shown in 1 benchmark; geometric mean +0.6 %'],
    [[], 'no benchmark could be compared'],
  ])('says so of %j', (changes, words) => {
    const findings = suiteWith(changes);
    expect(plainText(suiteCounts(findings, findings.suite!))).toBe(words);
  });

  it('says first how many benchmarks failed', () => {
    const findings = suiteWith([['equivalent', 0]], [{ name: 'crash', state: 'failed' }]);
    const words = '1 benchmark failed; no change shown in 1 benchmark; geometric mean +0.6 %';
    expect(plainText(suiteCounts(findings, findings.suite!))).toBe(words);
    expect(commentMarkdown(findings).split('\n')[0]).toContain('1 benchmark failed; no change shown');
  });

  it('says apart from failures what could not be measured', () => {
    const gaps = { name: 'gaps', state: 'invalid' } as const;
    const findings = suiteWith([['equivalent', 0]], [{ name: 'crash', state: 'failed' }, gaps]);
    expect(plainText(suiteCounts(findings, findings.suite!))).toMatch(
      /^1 benchmark failed; 1 benchmark could not be measured; no change/,
    );
    expect(plainText(suiteDetail(findings.suite!))).toMatch(/ crash failed\. gaps could not be measured\.$/);
  });

  it('shows the changed rows alone, worst first', () => {
    const comment = visible(render(commentMarkdown(FORTY)).split('<details')[0]!);
    expect(comment).toContain('3 of 40 benchmarks use more energy, 1 less; geometric mean +0.6 %');
    const rows = [...comment.matchAll(/bench (\d+)\s[^\n]*?/g)].map(([, number]) => number);
    expect(rows.slice(0, 4)).toEqual(['3', '0', '1', '2']);
    expect(comment).not.toContain('bench 10');
    const terminal = terminalReport({ findings: FORTY }, { color: false });
    expect(terminal).toContain('36 others: 30 within the margin, 6 inconclusive.');
    const printed = { name: 'time', unit: 'ns', runs: 1, value: null, counts: null, energy_per_unit_j: null };
    const variants = FORTY.comparisons.map(({ variant }) => ({
      ...FORTY.variants[0]!,
      name: variant,
      metrics: [printed],
    }));
    const long = terminalReport({ findings: { ...FORTY, variants } }, { color: false });
    expect(long.match(/^time +bench \d+\/head/gm)).toHaveLength(4);
  });

  it('says what a comment has no room for', () => {
    const many = suiteWith(Array.from({ length: 200 }, (_, i) => ['increase', i] as const));
    const comment = visible(render(commentMarkdown(many, 12_000)));
    const left = Number(/(\d+) of the 200 changes are left out because of the size/.exec(comment)?.[1]);
    expect(left).toBeGreaterThan(0);
    expect(new Set(comment.match(/bench \d+/g)).size).toBe(200 - left);
    const gone = Array.from({ length: 8 }, (_, i) => ({ name: `b${i}`, state: 'gone' as const }));
    expect(plainText(suiteDetail({ ...FORTY.suite!, benchmarks: gone }))).toContain(
      'b0, b1, b2, b3, b4 and 3 more are gone.',
    );
  });

  it('stays within a comment and a page with two hundred benchmarks', () => {
    const many = suiteWith(Array.from({ length: 200 }, (_, i) => [i < 60 ? 'increase' : 'equivalent', i] as const));
    expect(Buffer.byteLength(commentMarkdown(many))).toBeLessThan(56_000);
    const html = reportHtml({ ...analysis, findings: many });
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
    expect(html).toContain('All 200 comparisons');
    expect(
      html.match(/<summary><span class="mark [^>]+>.<\/span> <code><bdi>bench \d+<\/bdi><\/code>: /g),
    ).toHaveLength(200);
  });

  it('leaves the names of several variants as they are, and counts the benchmarks of all of them', () => {
    const { suite, comparisons } = FORTY;
    const next = comparisons.slice(0, 20).map((one) => ({ ...one, variant: `${one.benchmark}/iOS` }));
    const means = ['head', 'iOS'].map((variant, i) => ({ ...suite!.means[0]!, variant, benchmarks: 40 - 20 * i }));
    const names = ['base', 'head', 'iOS'];
    const all = { ...FORTY, comparisons: [...comparisons, ...next], suite: { ...suite!, variants: names, means } };
    expect(commentMarkdown(all).split('\n')[0]).toMatch(/: `head`: 3 of 40 benchmarks use more.*\. `iOS`: 3 of 20/);
    const swapped = { ...all, suite: { ...all.suite, means: means.toReversed() } };
    expect(plainText(methodsText(swapped).paragraph)).toContain('head and iOS with that of base in 40 benchmarks');
    expect(reportHtml({ ...analysis, findings: all })).toMatch(
      /bench 0<\/bdi><\/code>, <code><bdi>iOS<\/bdi><\/code>: /,
    );
  });

  it.each<[number, Comparison['verdict'][], string]>([
    [-20, ['increase', 'decrease'], 'increase'],
    [-20, ['decrease', 'equivalent'], 'decrease'],
    [20, ['inconclusive', 'equivalent'], 'inconclusive'],
  ])('has the mark of what its title says first, whichever change is larger: %j %j', (largest, verdicts, mark) => {
    const findings = suiteWith(verdicts.map((verdict) => [verdict, verdict === 'increase' ? 2 : largest] as const));
    expect(headline(findings).verdict).toBe(mark);
  });

  it('marks each benchmark in the report by what its numbers are', () => {
    const { quality, meter } = FORTY;
    const page = (findings: Findings) =>
      /<summary>(<span class="mark (?:(?!<\/summary>).)*bench 3<.*?)<\/summary>/.exec(
        reportHtml({ ...analysis, findings }),
      )![1];
    expect(page(FORTY)).toMatch(/^<span class="mark increase".*: \+12\.0\s% \(\+11\.0 to \+13\.0\)$/);
    expect(page({ ...FORTY, meter: { ...meter, source: 'modelled' } })).toMatch(
      /class="mark unmeasured-increase".* — estimated, not measured$/,
    );
    const facts = { channel: null, shortest_s: 1.2, enough_s: 30, readings: 1, edge_s: null, uncertain_percent: null };
    const check = { name: 'run length', state: 'fail', reason: 'few-readings', facts } as const;
    const doubted = { ...FORTY, quality: { ...quality, checks: [check] } };
    expect(page(doubted)).toMatch(/class="mark untrusted".* — can(&#39;|')t be trusted$/);
  });
});
