// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import type { ChannelInfo } from '../../../src/contracts/reading.ts';
import { OUTSIDE_PHASES } from '../../../src/executors/phases/phase-lines.ts';
import type { Threshold } from '../../../src/experiment/experiment.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { phaseText } from '../../../src/report/words/why.ts';
import { wallMeter } from '../../store/fixtures.ts';
import { type SimulatedRun, withSimulatedStore } from '../simulated-store.ts';

const BLOCKS = 8;

/** Loading costs 20 s of 60 W in both; sorting costs 30 s, in the container 5 W more. A second is left outside. */
function run(variant: string, block: number, extra: Partial<SimulatedRun> = {}): SimulatedRun {
  const wobble = 0.01 * ((block * 7) % 5);
  const sortW = variant === 'container' ? 85 : 80;
  return {
    variant,
    lengthS: 51,
    loadW: 50,
    phases: [
      { phase: 'load', lengthS: 20, loadW: 60 + wobble },
      { phase: 'sort', lengthS: 30, loadW: sortW + wobble + 0.003 * block },
    ],
    ...extra,
  };
}

function analyze(change: (run: SimulatedRun, block: number) => SimulatedRun = (r) => r) {
  const blocks = Array.from({ length: BLOCKS }, (_, b) => [
    change(run('native', b), b),
    change(run('container', b), b),
  ]);
  return withSimulatedStore({ blocks }, analyzeStore);
}

describe('phases in the findings', () => {
  const { findings, runs } = analyze();
  const [comparison] = findings.comparisons;

  it('add up to the run, with what is outside of them', () => {
    for (const variant of findings.variants) {
      expect(variant.phases?.map(({ phase, runs: n, outside }) => [phase, n, outside ?? false])).toEqual([
        ['load', BLOCKS, false],
        ['sort', BLOCKS, false],
        [OUTSIDE_PHASES, BLOCKS, true],
      ]);
      const sum = variant.phases?.reduce((joules, { energy_j: { mean } }) => joules + mean, 0);
      expect(sum).toBeCloseTo(variant.energy_j!.mean, 8);
    }
  });

  it('have their energy, within what they state', () => {
    const [native] = findings.variants;
    const load = native!.phases![0]!;
    expect(Math.abs(load.energy_j.mean - 20 * 60)).toBeLessThan(load.uncertainty_j!);
    expect(load.uncertainty_j).toBeLessThan(0.05 * 20 * 60);
    expect(load.duration_s.mean).toBeCloseTo(20, 6);
    expect(native!.phases!.map(({ short }) => short)).toEqual([false, false, true]);
  });

  it('say which of them carries the difference', () => {
    const shares = Object.fromEntries(comparison!.phases!.map(({ phase, share }) => [phase, share]));
    expect(shares.sort).toBeGreaterThan(0.9);
    expect(Math.abs(shares.load!)).toBeLessThan(0.05);
    expect(Object.values(shares).reduce((sum, share) => sum! + share!, 0)).toBeCloseTo(1, 8);
    const sort = comparison!.phases!.find(({ phase }) => phase === 'sort')!;
    expect(sort.percent.estimate).toBeCloseTo((100 * 5) / 80, 0);
    expect(sort.percent.ci95![0]).toBeGreaterThan(0);
    expect(comparison!.phases_not_compared).toBeUndefined();
  });

  it('change nothing of what is decided', () => {
    const plain = analyze(({ phases, ...r }) => ({ ...r, loadW: 70 + (r.variant === 'container' ? 3 : 0) }));
    expect(plain.findings.comparisons[0]).not.toHaveProperty('phases');
    expect(plain.findings.variants[0]).not.toHaveProperty('phases');
    expect(comparison!.p_holm).toBe(plain.findings.comparisons[0]!.p_holm);
  });

  it('are in every run of the primary channel, in seconds after its start', () => {
    expect(runs[0]!.phases?.map(({ phase, startS, endS }) => [phase, startS, endS])).toEqual([
      ['load', 0, 20],
      ['sort', 20, 50],
    ]);
  });
});

it.each([
  1, 2, 3, 4, 5,
])('an experiment with phases that was stopped after %i runs is analyzed and reported', (count) => {
  const usage = {
    cpuS: 30,
    peakMemoryBytes: 1e6,
    readBytes: null,
    writtenBytes: null,
    unread: [],
    counters: [{ counter: 'minor_faults' as const, value: 7, missing: null }],
  };
  const all = [0, 1, 2].flatMap((b) => [run('native', b, { usage }), run('container', b, { usage })]).slice(0, count);
  const blocks = [all.slice(0, 2), all.slice(2, 4), all.slice(4)].filter((block) => block.length > 0);
  const failOn: Threshold[] = [
    {
      text: '5%',
      metric: 'percent',
      direction: 'above',
      limit: 5,
      variant: null,
      channel: null,
      evenIfInconclusive: true,
    },
  ];
  const cost = { price: null, intensityGPerKwh: 300, task: { name: 'a build', runs: 10 } };
  const stopped = withSimulatedStore({ blocks, experiment: { repetitions: 3, failOn, cost } }, analyzeStore);
  expect(stopped.findings.variants.map(({ runs }) => runs)).toEqual([Math.ceil(count / 2), Math.floor(count / 2)]);
  expect(stopped.findings.comparisons[0]?.phases?.length ?? 0).toBe(count === 1 ? 0 : 3);
  expect(reportHtml(stopped)).toMatch(/<\/html>\s*$/);
  for (const text of [commentMarkdown(stopped.findings), terminalReport(stopped, { color: false })]) {
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
  }
});

describe('an equal phase before one that differs, on a meter whose latency nobody checked', () => {
  /** Loading takes 10 s of 60 W in both; sorting takes 62 W natively, 100 W in the container. */
  const blocks = Array.from({ length: BLOCKS }, (_, b) =>
    ['native', 'container'].map((variant): SimulatedRun => {
      const sortW = (variant === 'native' ? 62 : 100) + 0.003 * b;
      const wobble = 0.01 * ((b * 7) % 5);
      const phases = [
        { phase: 'load', lengthS: 10, loadW: 60 + wobble },
        { phase: 'sort', lengthS: 20, loadW: sortW },
      ];
      return { variant, lengthS: 30, loadW: 50, phases };
    }),
  );
  const compared = (channel: Partial<ChannelInfo>) => {
    const meters = [{ ...wallMeter, channels: [{ ...wallMeter.channels[0]!, ...channel }] }];
    return withSimulatedStore({ blocks, meters }, analyzeStore).findings.comparisons[0]!;
  };
  const asked = compared({ clock: 'host', edgeS: 1 });

  it('has an interval that holds no difference, and carries nothing', () => {
    const [load, sort] = asked.phases!;
    expect(load!.percent.ci95![0]).toBeLessThan(0);
    expect(load!.percent.ci95![1]).toBeGreaterThan(5);
    expect(sort!.percent.ci95![0]).toBeGreaterThan(40);
    expect(phaseText(asked)).toMatch(/^the phase “sort” carries \d+ % of it$/);
  });

  it('has a narrow one where the meter sets the times, or counts', () => {
    const wide = asked.phases![0]!.percent.ci95!;
    const quantities = [{ name: 'energy', unit: 'J', role: 'counter' } as const];
    for (const channel of [{ clock: 'meter' }, { clock: 'host', edgeS: 0.05, quantities }] as const) {
      const [low, high] = compared(channel).phases![0]!.percent.ci95!;
      expect(high - low).toBeLessThan((wide[1] - wide[0]) / 2);
    }
  });
});

describe('phases of fewer blocks than a 95 % interval takes', () => {
  const blocks = [0, 1, 2].map((b) => [run('native', b), run('container', b)]);
  const { findings } = withSimulatedStore({ blocks }, analyzeStore);

  it('have no interval, since none stands for less', () => {
    const [comparison] = findings.comparisons;
    expect(comparison!.percent.confidence).toBe(0.75);
    for (const { blocks: n, percent } of comparison!.phases!) {
      expect(n).toBe(3);
      expect(percent.ci95).toBeNull();
    }
    expect(comparison!.phases![1]!.percent.estimate).toBeCloseTo((100 * 5) / 80, 0);
  });
});

describe('a phase that some of the runs lack', () => {
  it('is told, and not compared', () => {
    const { findings } = analyze((r, b) =>
      r.variant === 'container' && b === 3 ? { ...r, phases: r.phases!.slice(0, 1) } : r,
    );
    const [comparison] = findings.comparisons;
    expect(comparison!.phases!.map(({ phase }) => phase)).toEqual(['load', OUTSIDE_PHASES]);
    expect(comparison!.phases_not_compared).toEqual([
      { phase: 'sort', lacking: [{ variant: 'container', runs: BLOCKS - 1, of: BLOCKS }] },
    ]);
    expect(findings.variants[1]!.phases!.find(({ phase }) => phase === 'sort')!.runs).toBe(BLOCKS - 1);
  });

  it('of the other variant alone is told, too', () => {
    const { findings } = analyze((r) => (r.variant === 'native' ? { ...r, phases: r.phases!.slice(0, 1) } : r));
    expect(findings.comparisons[0]!.phases_not_compared).toEqual([
      { phase: 'sort', lacking: [{ variant: 'native', runs: 0, of: BLOCKS }] },
    ]);
  });
});

describe('resources', () => {
  const usage = { cpuS: 3, peakMemoryBytes: 2 ** 20, readBytes: 4096, writtenBytes: 0, unread: [] };

  it('are summarized where every run has them', () => {
    const { findings, runs } = analyze((r, b) => ({ ...r, usage: { ...usage, cpuS: 3 + b } }));
    expect(findings.variants[0]!.resources).toMatchObject({
      cpu_s: { mean: 3 + (BLOCKS - 1) / 2 },
      peak_memory_bytes: { median: 2 ** 20 },
      read_bytes: { max: 4096 },
      written_bytes: { mean: 0 },
    });
    expect(runs[0]!.resources).toMatchObject({ cpuS: 3, writtenBytes: 0 });
  });

  it('are those of the runs that are known, null where none is, or none were recorded', () => {
    const { findings } = analyze((r, b) => ({ ...r, usage: { ...usage, cpuS: b === 2 ? null : 3, readBytes: null } }));
    expect(findings.variants[0]).toMatchObject({
      resources_runs: BLOCKS,
      resources: { cpu_s: { mean: 3, sd: 0 }, read_bytes: null },
    });
    expect(analyze().findings.variants[0]).toMatchObject({ resources_runs: 0, resources: null });
  });
});
