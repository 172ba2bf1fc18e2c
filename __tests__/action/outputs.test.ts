// Class: system.
import { describe, expect, it } from '@jest/globals';
import { OUTPUT_NAMES, outputsOf } from '../../src/action/outputs.ts';
import type { ThresholdResult } from '../../src/findings/goals.ts';
import { findings } from './fixture.ts';

const locations = {
  reportPath: '/out/report.html',
  databasePath: '/out/experiment.db',
  commentUrl: null,
  artifactUrl: 'https://example.test/artifact',
  reportUrl: null,
};

describe('outputsOf', () => {
  it('sets every declared output from the first comparison, exactly, and leaves empty what is not known', () => {
    const outputs = outputsOf(findings(), locations);
    expect(outputs).toEqual({
      verdict: 'inconclusive',
      'failed-checks': '',
      'delta-percent': '2.5',
      'delta-joules': '1e-7',
      'ci-low': '-0.25',
      'ci-high': '5',
      'p-value': '0.15625',
      'cliffs-delta': '0',
      'hedges-g': '',
      'noise-floor-percent': '',
      'threshold-crossed': '',
      changed: '',
      worst: '',
      'report-path': '/out/report.html',
      'database-path': '/out/experiment.db',
      'comment-url': '',
      'artifact-url': 'https://example.test/artifact',
      'report-url': '',
    });
    expect(Object.keys(outputs)).toEqual([...OUTPUT_NAMES]);
  });

  it('names the benchmarks of a suite that changed, and the one that rose most', () => {
    const [template] = findings().comparisons;
    const of = (variant: string, verdict: 'increase' | 'decrease' | 'equivalent', estimate: number) => ({
      ...template!,
      variant,
      verdict,
      percent: { ...template!.percent, estimate },
    });
    const comparisons = [
      of('a/head', 'increase', 3),
      of('b/head', 'decrease', -9),
      of('c/head', 'equivalent', 0),
      of('d/head', 'increase', 5),
    ];
    const suite = { variants: ['base', 'head'], benchmarks: [], means: [], false_discovery_rate: 0.05 };
    const outputs = outputsOf({ ...findings(), comparisons, suite }, locations);
    expect([outputs.changed, outputs.worst]).toEqual(['b/head\nd/head\na/head', 'd/head']);
    const [less, both] = [comparisons.slice(1, 2), comparisons].map((some) => ({
      ...findings(),
      comparisons: some,
      suite,
    }));
    const of2 = outputsOf(less!, locations, [less!, both!, findings()]);
    expect([of2.changed, of2.worst]).toEqual(['b/head\nd/head\na/head', 'd/head']);
  });

  it('says whether a threshold fails the job, where there are any', () => {
    const threshold = { fails: false, state: 'kept' } as ThresholdResult;
    const crossed = (thresholds: ThresholdResult[]) =>
      outputsOf({ ...findings(), thresholds }, locations)['threshold-crossed'];
    expect(crossed([threshold])).toBe('false');
    expect(crossed([threshold, { ...threshold, fails: true, state: 'crossed' }])).toBe('true');
    const failing = { ...findings(), thresholds: [{ ...threshold, fails: true }] };
    expect(outputsOf(findings(), locations, [findings(), failing])['threshold-crossed']).toBe('true');
  });

  it('takes the two-sample p where there are no blocks', () => {
    const { tests } = findings().comparisons[0]!;
    const unpaired = findings({ tests: { ...tests, wilcoxon_signed_rank: null } }, 0.9);
    expect(outputsOf(unpaired, locations)).toMatchObject({ 'p-value': '0.0649', 'noise-floor-percent': '0.9' });
  });

  it('gives the p that decides: adjusted for interim analyses and for other comparisons', () => {
    const look = {
      number: 1,
      of: 2,
      most_blocks: 60,
      nominal_p: 0.03,
      repeated_p: 0.2,
      stopped_because: null,
    };
    expect(outputsOf(findings({ look }), locations)['p-value']).toBe('0.2');
    expect(outputsOf(findings({ look, p_holm: 0.4, p_benjamini_hochberg: 0.3 }), locations)['p-value']).toBe('0.4');
    const suite = { look, p_holm: 0.4, p_benjamini_hochberg: 0.3, benchmark: 'sort' };
    expect(outputsOf(findings(suite), locations)['p-value']).toBe('0.3');
  });

  it('gives no interval that holds with less than 95 %', () => {
    const { percent } = findings().comparisons[0]!;
    const few = outputsOf(findings({ percent: { ...percent, confidence: 0.9375 } }), locations);
    expect(few).toMatchObject({ 'delta-percent': '2.5', 'ci-low': '', 'ci-high': '' });
  });

  it('is empty, not 0 or NaN, without a result', () => {
    const none = { reportPath: null, databasePath: null, commentUrl: null, artifactUrl: null, reportUrl: null };
    expect(new Set(Object.values(outputsOf(null, none)))).toEqual(new Set(['']));
    expect(outputsOf({ ...findings(), comparisons: [] }, none).verdict).toBe('');
  });
});
