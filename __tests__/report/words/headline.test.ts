// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Comparison, Verdict } from '../../../src/findings/comparison.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { byThemselves, fewText, headline } from '../../../src/report/words/headline.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const [template] = syntheticAnalysis().findings.comparisons as [Comparison];

function of(variant: string, verdict: Verdict, estimate: number): Comparison {
  return {
    ...template,
    variant,
    verdict,
    percent: { ...template.percent, estimate, ci95: [estimate - 1, estimate + 1] },
  };
}

describe('fewText', () => {
  it.each<[string, Comparison[], string]>([
    [
      'changes',
      [of('a', 'increase', 7.84), of('b', 'decrease', -3.5)],
      'a uses 7.8 % more energy than native, b 3.5 % less.',
    ],
    [
      'a change and an open one',
      [of('a', 'increase', 7.8), of('b', 'inconclusive', 1)],
      'a uses 7.8 % more energy than native; b is inconclusive.',
    ],
    ['equals', [of('a', 'equivalent', 0), of('b', 'equivalent', 0)], 'a and b are equivalent to native.'],
    ['open ones', [of('a', 'inconclusive', 2), of('b', 'inconclusive', 1)], 'a and b are inconclusive against native.'],
    [
      'all kinds',
      [of('a', 'changed-within-margin', 0.8), of('b', 'inconclusive', 1), of('c', 'equivalent', 0)],
      'a uses 0.8 % more energy than native, which is within the margin; c is equivalent; b is inconclusive.',
    ],
  ])('says %s as a person would', (_, comparisons, sentence) => {
    expect(plainText(fewText(comparisons))).toBe(sentence);
  });
});

it('says why the last run failed with what to do about it, to its end', () => {
  const { findings } = syntheticAnalysis();
  const advice = 'give run as a list, and leave prepare and cleanup out, or add a shell to the image';
  const reason = {
    kind: 'recorded',
    text: `its image has no shell "sh", and a command that is one string needs one: ${advice}.`,
  } as const;
  const [native, ...others] = findings.variants;
  const failed = headline({
    ...findings,
    comparisons: [of('container', 'failed', 0)],
    variants: [{ ...native!, excluded: [{ run: 3, status: 'failed', reason }] }, ...others],
  });
  expect(plainText(failed.detail)).toContain(`one: ${advice}. What it printed is in the folder`);
});

it('says of a change below the noise floor that it is', () => {
  const { findings } = syntheticAnalysis();
  const floor = { percent: 9, ci95: [-9, 4] as const, blocks: 30 };
  const facts = { ...floor, baseline: 'native', small: ['container'] };
  const quality = {
    ...findings.quality,
    noise_floor: { ...floor, source: 'stored', measured_at: null } as const,
    checks: [{ name: 'noise floor', state: 'warn', reason: 'small-change', facts } as const],
  };
  const one = headline({ ...findings, quality, comparisons: [of('container', 'increase', 1.4)] });
  expect(one.short).toMatch(/^\+1\.4 % energy, within the noise floor$/);
  expect(plainText(one.claim)).toMatch(
    /used 1\.4 % more energy than native \(.*\), no more than two identical variants may differ by on this machine \(noise floor ±9\.0 %\)\.$/,
  );
  const two = headline({
    ...findings,
    quality,
    comparisons: [of('container', 'increase', 1.4), of('alpine', 'increase', 30)],
  });
  expect(plainText(two.detail)).toContain('The change of container is no more than two identical variants');
  const pairs = headline({
    ...findings,
    quality,
    comparisons: [of('container', 'increase', 1.4), { ...of('container', 'increase', 30), baseline: 'alpine' }],
  });
  expect(plainText(pairs.detail)).toContain(
    'The change of container against native is no more than two identical variants',
  );
});

it('tells comparisons of one variant with several baselines apart', () => {
  const { findings } = syntheticAnalysis();
  const change = (estimate: number) => ({ estimate, ci95: [estimate - 0.5, estimate + 0.5] as const });
  const metrics = [{ name: 'requests', unit: 'requests', percent: change(-40), energy_per_unit_percent: change(38.9) }];
  const groups = [
    { blocks: 10, percent: 0 },
    { blocks: 20, percent: 30 },
  ];
  const changed = { ...of('debian', 'increase', 9), groups, metrics };
  const open = { ...of('debian', 'inconclusive', 3), reason: 'several', baseline: 'alpine' } as const;
  const detail = plainText(headline({ ...findings, comparisons: [changed, open] }).detail);
  expect(detail).toContain('By itself, debian against alpine would show a change');
  expect(detail).toContain('The blocks of debian against native fall into two groups');
  expect(detail).toContain('Counted by requests, debian used 38.9 % more energy than native (');
});

it('says the energy per unit of work where the work of a run differs', () => {
  const { findings } = syntheticAnalysis();
  const change = (estimate: number) => ({ estimate, ci95: [estimate - 0.5, estimate + 0.5] as const });
  const metrics = [
    { name: 'requests', unit: 'requests', percent: change(-40), energy_per_unit_percent: change(38.9) },
    { name: 'speed', unit: 'requests/s', percent: change(0.1), energy_per_unit_percent: change(-16.6) },
  ];
  const said = (metric: (typeof metrics)[number], estimate: number): string =>
    plainText(
      headline({ ...findings, comparisons: [{ ...of('container', 'decrease', estimate), metrics: [metric] }] }).detail,
    );
  expect(said(metrics[0]!, -16.7)).toContain(
    'Counted by requests, 38.9 % more energy (95 % CI 38.4 to 39.4 %): a run has 40.0 % fewer requests.',
  );
  expect(said(metrics[1]!, -16.7)).not.toContain('Counted by');
  expect(said({ ...metrics[0]!, percent: change(0.1), energy_per_unit_percent: change(-16.6) }, -16.7)).not.toContain(
    'Counted',
  );
});

describe('a result without a meter', () => {
  const { findings } = syntheticAnalysis({ source: 'modelled' });
  const timed = (low: number, high: number, changes: object = {}) => {
    const logTime = { mean: (low + high) / 2, ci95: [low, high] as const };
    const comparison = {
      ...of('a', 'increase', 7.84),
      why: { ...template.why, log_time: logTime },
      ...changes,
    } as Comparison;
    return { ...findings, comparisons: [comparison] };
  };

  it('begins with the time, which was measured, and tells the estimate below it', () => {
    const { claim, estimate, sentence } = headline(timed(Math.log(1.05), Math.log(1.15)));
    expect(plainText(claim)).toBe('a took 9.9 % longer than native (95 % CI 5.0 to 15.0 %).');
    expect(plainText(estimate!)).toBe('a used 7.8 % more energy than native (95 % CI 6.8 to 8.8 %).');
    expect(plainText(sentence)).toContain('7.8 % more energy');
    const unclear = headline(timed(Math.log(0.99), Math.log(1.03)));
    expect(plainText(unclear.claim)).toBe('The times of a and native don’t differ clearly (95 % CI −1.0 to 3.0 %).');
  });

  it('calls no time longer that several comparisons show by chance, and takes no plain interval after interim analyses', () => {
    const typical = (p: object) => ({
      typical: {
        ...template.typical!,
        duration_s: { ...template.typical!.energy_j!, percent: { estimate: 9, ci95: [4, 15] as const, ...p } },
      },
    });
    const saidWith = (p: object): string => plainText(headline(timed(0.1, 0.2, typical(p))).claim);
    expect(saidWith({ p_holm: 0.049 })).toBe('a took 9.0 % longer than native (95 % CI 4.0 to 15.0 %).');
    expect(saidWith({ p_holm: 0.07 })).toBe(
      'By itself, a took 9.0 % longer than native (95 % CI 4.0 to 15.0 %), but chance could explain that among several comparisons (p = 0.070 by Holm’s method).',
    );
    const look = { number: 1, of: 3, most_blocks: 12, nominal_p: 0.01, repeated_p: 0.3, stopped_because: null };
    const changes = { ...typical({ ci95: null }), look };
    expect(headline(timed(0.1, 0.2, changes)).estimate).toBeNull();
  });

  it('speaks of energy where the time has no interval, the numbers were measured, or can’t be trusted', () => {
    expect(headline(timed(0, 0, { why: template.why })).estimate).toBeNull();
    expect(headline({ ...timed(0.1, 0.2), meter: { ...findings.meter, source: 'measured' } }).estimate).toBeNull();
    const facts = { channel: null, period_s: 2, nominal_s: 1, jitter_s: 0, longest_s: 2 };
    const checks = [{ name: 'sample clock', state: 'fail', reason: 'wrong-rate', facts }] as never;
    expect(headline({ ...timed(0.1, 0.2), quality: { ...findings.quality, checks } }).estimate).toBeNull();
  });
});

describe('byThemselves', () => {
  const itself = (comparisons: readonly Comparison[]): string => plainText(byThemselves(comparisons));
  const off = (variant: string, estimate: number): Comparison => ({
    ...of(variant, 'inconclusive', estimate),
    p_holm: 0.09,
    reason: 'several',
  });

  it('tells why an interval off zero is inconclusive', () => {
    expect(itself([off('a', 3), of('b', 'inconclusive', 0.5), of('c', 'increase', 9)])).toBe(
      'By itself, a would show a change, but one of 3 comparisons could too easily be due to chance (Holm’s method). More blocks would settle it.',
    );
    expect(itself([{ ...off('a', 3), blocks: 6 }, of('b', 'inconclusive', 0.5), of('c', 'increase', 9)])).toMatch(
      /\. To show it among 3 comparisons takes at least 7 blocks\.$/,
    );
    expect(itself([off('a', 3), off('b', -4)])).toMatch(/^By themselves, a and b would show a change, but one of 2 /);
  });

  it('says nothing of those that are inconclusive for another reason', () => {
    const open = of('a', 'inconclusive', 0.5);
    expect(
      itself([
        { ...open, reason: 'open' },
        { ...open, reason: 'too-few' },
      ]),
    ).toBe('');
  });
});
