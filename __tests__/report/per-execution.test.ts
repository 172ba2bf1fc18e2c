// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../src/analysis/analyze.ts';
import type { Analysis } from '../../src/analysis/results.ts';
import { page } from '../../src/report/charts/canvas/theme.ts';
import { CHART_IDS, chartSpec } from '../../src/report/charts/charts.ts';
import { commentMarkdown } from '../../src/report/comment.ts';
import { renderHtml } from '../../src/report/document/html.ts';
import { pageSections } from '../../src/report/html/sections.ts';
import { analysisPerExecution } from '../../src/report/per-execution.ts';
import { summaryMarkdown } from '../../src/report/summary.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { withSimulatedStore } from '../analysis/simulated-store.ts';

const EXECUTIONS = 8;
const usage = { cpuS: 24, peakMemoryBytes: 3e6, readBytes: 8e6, writtenBytes: 0, unread: [] };
const analysisOf = (executions: number): Analysis => {
  const run = (variant: string, lengthS: number) => ({
    variant,
    lengthS,
    executions,
    usage,
    loadW: 65,
    phases: [{ phase: 'load', lengthS: 16, loadW: 60 }],
  });
  const blocks = Array.from({ length: 8 }, (_, i) => [run('native', 31 + (i % 3)), run('container', 33 + (i % 2))]);
  return withSimulatedStore({ blocks }, analyzeStore);
};
const [whole, batched] = [analysisOf(1), analysisOf(EXECUTIONS)];
const texts = (analysis: Analysis): string[] => [
  commentMarkdown(analysis.findings),
  summaryMarkdown(analysis.findings, analysis.runs),
  terminalReport(analysis, { color: false, width: 200 }),
  renderHtml(pageSections(analysis).groups.flatMap(({ sections }) => sections)),
];

describe('numbers per execution', () => {
  it('are those of the runs, divided; percentages, powers, peaks and tests stay', () => {
    const { findings } = analysisPerExecution(batched);
    const [of, each] = [whole.findings.variants[0]!, findings.variants[0]!];
    expect(each.energy_j?.mean).toBeCloseTo(of.energy_j!.mean / EXECUTIONS, 9);
    expect(each.duration_s?.sd).toBeCloseTo(of.duration_s!.sd! / EXECUTIONS, 9);
    expect(each.energy_uncertainty_j?.of_mean).toBeCloseTo(of.energy_uncertainty_j!.of_mean! / EXECUTIONS, 9);
    expect(each.energy_uncertainty_j?.coverage_factor).toBe(2);
    expect(each.resources).toMatchObject({
      cpu_s: { mean: 3 },
      read_bytes: { mean: 1e6 },
      peak_memory_bytes: { mean: 3e6 },
    });
    expect(each.phases?.[0]).toMatchObject({ phase: 'load', duration_s: { mean: expect.closeTo(2, 9) } });
    expect(each).toMatchObject({ mean_power_w: of.mean_power_w, shapiro_wilk: of.shapiro_wilk });
    const [compared, shown] = [whole.findings.comparisons[0]!, findings.comparisons[0]!];
    for (const key of ['percent', 'tests', 'effect', 'why', 'verdict'] as const)
      expect(shown[key]).toEqual(compared[key]);
    expect(shown.joules?.estimate).toBeCloseTo(compared.joules!.estimate! / EXECUTIONS, 9);
    expect(shown.typical?.energy_j?.percent).toEqual(compared.typical?.energy_j?.percent);
    expect(shown.typical?.energy_j?.baseline).toBeCloseTo(compared.typical!.energy_j!.baseline / EXECUTIONS, 9);
  });

  it('divide a warm-up run by its own executions, which may be fewer', () => {
    const warmup = {
      ...batched.runs[0]!,
      run: 99,
      status: 'warmup' as const,
      executions: 1,
      energyJ: 4,
      durationS: 0.5,
    };
    const { runs } = analysisPerExecution({ ...batched, runs: [...batched.runs, warmup] });
    expect(runs.at(-1)).toMatchObject({ energyJ: 4, durationS: 0.5 });
    expect(runs[0]?.energyJ).toBeCloseTo(batched.runs[0]!.energyJ! / EXECUTIONS, 9);
  });

  it('stand in everything that is read: no energy of a whole run is left', () => {
    const joules = whole.findings.variants.flatMap(({ energy_j: e }) => [e!.mean, e!.median]);
    const shown = (text: string) =>
      joules.filter((value) => new RegExp(`\\b${value.toPrecision(4)}[ \u00a0]J`).test(text));
    for (const text of texts(whole)) expect(shown(text)).not.toEqual([]);
    for (const text of texts(batched)) {
      expect(shown(text)).toEqual([]);
      expect(text).toMatch(/Median run, per execution|Energy per execution/);
    }
  });

  it('are named so at the axes of the charts', () => {
    const titles = (analysis: Analysis) =>
      CHART_IDS.map((id) => JSON.stringify(chartSpec(id, analysis, page)?.config.options?.scales ?? null)).join();
    expect(titles(whole)).toContain('per run');
    expect(titles(batched)).toContain('per execution');
    expect(titles(batched)).not.toContain('per run');
  });
});
