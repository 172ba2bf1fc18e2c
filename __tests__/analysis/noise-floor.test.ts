// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Analysis } from '../../src/analysis/results.ts';
import { withSecondBaseline } from '../../src/experiment/noise.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { plainText } from '../../src/report/document/text.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { headline } from '../../src/report/words/headline.ts';
import { reportedCheck } from '../report/words/reported.ts';
import { nativeAndContainer } from '../store/fixtures.ts';
import { type SimulatedRun, withSimulatedStore } from './simulated-store.ts';

const AGAIN = 'native (again)';
const LENGTH_S = 40;
const run = (variant: string, loadW: number): SimulatedRun => ({ variant, lengthS: LENGTH_S, loadW });

/** `again`: percent that the second arm of the baseline draws more than the first, block by block. */
function analysisOf(again: readonly number[], variants = ['native', 'container', AGAIN]): Analysis {
  const blocks = again.map((percent, i) => {
    const nativeW = 60 + (i % 4);
    const all: Record<string, number> = {
      native: nativeW,
      container: nativeW * 1.05,
      [AGAIN]: nativeW * (1 + percent / 100),
    };
    return variants.map((variant) => run(variant, all[variant] as number));
  });
  const shown = nativeAndContainer.variants.filter(({ name }) => variants.includes(name));
  const experiment = { variants: withSecondBaseline(shown, 'native') };
  return withSimulatedStore({ blocks, experiment }, analyzeStore);
}

const check = ({ findings }: Analysis) =>
  findings.quality.checks.map(reportedCheck).find(({ name }) => name === 'noise floor');

describe('a second arm of the baseline', () => {
  // Six differences: the exact 95 % interval reaches from the least to the largest (2/2^6 = 0.031).
  const alike = [-0.9, 0.5, 0.1, -0.2, 0.3, -0.4];

  it('gives the noise floor: the larger end of the interval of identical arms', () => {
    const { findings } = analysisOf(alike);
    const floor = findings.quality.noise_floor;
    expect(floor).toMatchObject({ blocks: 6, source: 'inline', measured_at: '2026-01-02T03:04:05.000Z' });
    expect(floor?.ci95[0]).toBeCloseTo(-0.9, 6);
    expect(floor?.ci95[1]).toBeCloseTo(0.5, 6);
    expect(floor?.percent).toBeCloseTo(0.9, 6);
    expect(findings.quality.noise_floor_percent).toBe(floor?.percent);
    expect(check(analysisOf(alike))).toMatchObject({ state: 'ok', advice: null });
  });

  it('is recorded with every run, and compared with nothing', () => {
    const { findings, runs } = analysisOf(alike);
    expect(runs.filter(({ variant }) => variant === AGAIN)).toHaveLength(6);
    expect(findings.variants.map(({ name }) => name)).toEqual(['native', 'container']);
    expect(findings.comparisons.map(({ variant, p_holm }) => [variant, p_holm])).toEqual([['container', null]]);
    expect(findings.comparisons[0]?.percent.estimate).toBeCloseTo(5, 6);
    const reported = findings.quality.checks.map(reportedCheck).filter(({ detail }) => detail.includes(AGAIN));
    expect(reported).toEqual([]);
  });

  it('warns of a machine that tells identical things apart, and counts that into the floor', () => {
    const analysis = analysisOf([0.9, 1.5, 1.1, 0.8, 1.3, 1.4]);
    expect(analysis.findings.quality.noise_floor_percent).toBeCloseTo(1.5, 6);
    expect(check(analysis)).toMatchObject({ state: 'warn' });
    expect(check(analysis)?.detail).toContain('0.8 to 1.5 %, 6 blocks');
  });

  it('gives no floor from too few blocks for an interval of 95 %, and says so', () => {
    const analysis = analysisOf(alike.slice(1));
    expect(analysis.findings.quality).toMatchObject({ noise_floor_percent: null, noise_floor: null });
    expect(check(analysis)).toMatchObject({ state: 'warn', advice: 'Run more repetitions.' });
  });

  it('alone is an A/A experiment, and its floor the headline', () => {
    const analysis = analysisOf(alike, ['native', AGAIN]);
    expect(analysis.findings.experiment.complete).toBe(true);
    expect(analysis.findings.comparisons).toEqual([]);
    expect(headline(analysis.findings)).toMatchObject({ verdict: null, short: 'noise floor ±0.90 %' });
    expect(plainText(headline(analysis.findings).sentence)).toContain('two identical variants of native');
    expect(commentMarkdown(analysis.findings)).toContain('noise floor ±0.90\u00a0% (measured within this experiment)');
    expect(commentMarkdown(analysis.findings)).toContain('joulediff noise experiment.yml');
    expect(terminalReport(analysis, { color: false })).toMatch(/the noise floor is ±0\.90 %/i);
  });
});

describe('a noise floor of before', () => {
  const stored = {
    measuredAt: '2025-12-31T23:00:00.000Z',
    percent: 0.7,
    ci95: [-0.7, 0.2],
    blocks: 30,
  } as const;
  const blocks = Array.from({ length: 6 }, (_, i) => [run('native', 60 + i), run('container', 63 + i)]);

  it('is in the findings with its date', () => {
    const { findings } = withSimulatedStore({ blocks, noiseFloor: stored }, analyzeStore);
    expect(findings.quality).toMatchObject({
      noise_floor_percent: 0.7,
      noise_floor: { percent: 0.7, ci95: [-0.7, 0.2], blocks: 30, source: 'stored', measured_at: stored.measuredAt },
    });
  });

  it('warns of a change that is shown, but is no larger', () => {
    // By 5 % in six blocks of six.
    const twenty = { ...stored, percent: 20, ci95: [-20, 3] } as const;
    const floorChecks = (noiseFloor: typeof stored | typeof twenty) => {
      const { findings } = withSimulatedStore({ blocks, noiseFloor }, analyzeStore);
      expect(findings.comparisons[0]?.verdict).toBe('increase');
      return findings.quality.checks.map(reportedCheck).filter(({ name }) => name === 'noise floor');
    };
    expect(floorChecks(stored)).toEqual([]);
    expect(floorChecks(twenty)).toMatchObject([{ state: 'warn' }]);
    expect(floorChecks(twenty)[0]?.detail).toBe(
      'The change of container is no larger than the difference that two identical variants may show on this machine (±20 %).',
    );
  });

  it('gives way to one that was measured within the experiment', () => {
    const twice = blocks.map((runs, i) => [...runs, run(AGAIN, (60 + i) * (1 + (i - 2) / 500))]);
    const experiment = { variants: withSecondBaseline(nativeAndContainer.variants, 'native') };
    const { findings } = withSimulatedStore({ blocks: twice, experiment, noiseFloor: stored }, analyzeStore);
    expect(findings.quality.noise_floor?.source).toBe('inline');
  });

  it('is not there where none was measured', () => {
    const { findings } = withSimulatedStore({ blocks }, analyzeStore);
    expect(findings.quality).toMatchObject({ noise_floor_percent: null, noise_floor: null });
  });
});
