// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { type Findings, Findings as schema } from '../../../src/findings/findings.ts';
import type { Resource, ResourceComparison } from '../../../src/findings/resources.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { type SimulatedRun, withSimulatedStore } from '../../analysis/simulated-store.ts';
import { everyAnalysis } from '../fixtures.ts';
import { render, visible } from '../render.ts';

const ESCAPE = '\u001b[31m';

function report(
  change: (run: SimulatedRun, block: number) => SimulatedRun = (r) => r,
  beside: Partial<Findings['experiment']> = {},
): string {
  const run = (variant: string, b: number): SimulatedRun => ({
    variant,
    lengthS: 40,
    loadW: 50,
    phases: [
      { phase: 'load', lengthS: 20, loadW: 60 + 0.01 * ((b * 7) % 5) },
      { phase: 'quick', lengthS: 1, loadW: 70 },
      { phase: 'sort', lengthS: 19, loadW: variant === 'native' ? 80 : 85 + 0.01 * b },
    ],
    usage: { cpuS: 3.5, peakMemoryBytes: 200 * 2 ** 20, readBytes: null, writtenBytes: 0, unread: [] },
  });
  const blocks = Array.from({ length: 8 }, (_, b) =>
    ['native', 'container'].map((variant) => change(run(variant, b), b)),
  );
  const { findings } = withSimulatedStore({ blocks }, analyzeStore);
  const experiment = { ...findings.experiment, ...beside };
  return terminalReport({ findings: { ...findings, experiment } }, { color: false, width: 200 });
}

describe('what the terminal tells of phases and resources', () => {
  it('says which lines name the found phases, how to change it, and what was left out', () => {
    const merged = [{ line: `quick${ESCAPE}`, into: 'load' }];
    const found = (lines: Findings['experiment']['phase_lines']) => report((r) => r, { phase_lines: lines! });
    const ends = found({ common: 9, used: 3, printed_at: 'end', merged });
    expect(ends).toContain('each of the 3 with the longest stretches ends one');
    expect(ends).toMatch(/at the start of their phases: .?phases: \{ auto: true, lines:\s+start \}/);
    expect(ends).toMatch(/quick.* in load/);
    expect(ends).not.toContain(ESCAPE);
    expect(found({ common: 0, used: 0, slices: 10 })).toContain(
      'Instead, each run is cut into 10 equal slices of its time.',
    );
  });

  it('is a line a phase with its change, and says which is rough', () => {
    const text = report();
    expect(text).toMatch(/^container +native +sort +1,?\d+\.?\d* J +1,?\d+\.?\d* J +\+\d/m);
    expect(text).toMatch(/^container +quick .* J \(rough\)/m);
    expect(text).not.toMatch(/^container +load .*rough/m);
  });

  it('names a phase that is not compared, and nothing that a terminal would obey', () => {
    const text = report((r, b) => (b === 2 ? { ...r, phases: [{ phase: `x${ESCAPE}`, lengthS: 5, loadW: 60 }] } : r));
    expect(text).toContain('- sort is not compared: only 7 of the 8 runs of native have it');
    expect(text).not.toContain(ESCAPE);
  });

  it('is what a run used, as far as it is known', () => {
    const text = report();
    expect(text).toMatch(
      /^Variant +Processor time, mean ± sd .*Peak memory \(median\) +Read \(median\) +Written \(median\)$/m,
    );
    expect(text).toMatch(/^container +3\.50* ± 0 s +0\.\d+ +\d+ MiB +– +0 bytes$/m);
    expect(report(({ usage, ...r }) => r)).not.toContain('Resources');
  });

  it('is said of services by where they run: what those on other machines used stands nowhere', () => {
    const textWith = (...places: ('host' | 'machine')[]) =>
      report(undefined, { services: places.map((place) => ({ name: place, place, lifetime: 'run' })) });
    const own = 'The use of its services is listed apart.';
    const others = 'What services on other machines used is in none of these numbers.';
    expect(textWith('host')).toContain(own);
    expect(textWith('host')).not.toContain(others);
    expect(textWith('machine')).not.toContain(own);
    expect(textWith('machine')).toContain(others);
    expect(textWith('host', 'machine')).toContain(own);
  });
});

describe('what else differs between the runs', () => {
  const { measured } = everyAnalysis();
  const one = (resource: Resource, from: number, to: number, clear: boolean): ResourceComparison => ({
    resource,
    blocks: 30,
    baseline_mean: from,
    variant_mean: to,
    difference: to - from,
    ci95: [0.95 * (to - from), 1.05 * (to - from)],
    p: 0.001,
    q: 0.002,
    clear,
  });
  const resources = [
    one('cpu_s', 5, 10, true),
    one('system_s', 1.2, 1.6, true),
    one('minor_faults', 1200, 51_204, true),
    one('user_s', 3, 3.01, false),
  ];
  const { findings, runs } = measured!;
  const counters = [
    { counter: 'system_s', runs: 0, value: null, missing: 'gone' },
    { counter: 'sent_bytes', runs: 0, value: null, missing: 'shared-network' },
  ] as const;
  const reported: Findings = {
    ...findings,
    comparisons: findings.comparisons.map((comparison) => ({ ...comparison, resources })),
    variants: findings.variants.map((variant) => ({ ...variant, counters })),
  };
  const line =
    'Also different in container (95 % CI of the difference): minor page faults 1200 → 51,204 (+47,504 to +52,504) and system time 1.20 → 1.60 s (+0.380 to +0.420 s).';

  it('is a line beside the verdict in the comment, the largest first', () => {
    expect(schema.safeParse(reported).error).toBeUndefined();
    expect(visible(render(commentMarkdown(reported)))).toContain(line);
    const nothing = {
      ...reported,
      comparisons: reported.comparisons.map((c) => ({ ...c, verdict: 'equivalent' as const })),
    };
    expect(visible(render(commentMarkdown(nothing)))).not.toContain('Also different');
  });

  it('says of few blocks that they are too few to tell', () => {
    const summaryOf = (blocks: number): string => {
      const few = [
        { ...one('system_s', 3.2, 4.51, false), blocks },
        { ...one('user_s', 3, 3.01, false), blocks },
      ];
      const comparisons = reported.comparisons.map((comparison) => ({ ...comparison, resources: few }));
      return visible(render(summaryMarkdown({ ...reported, comparisons }, runs)));
    };
    expect(summaryOf(6)).toContain(
      'Too few blocks to tell what else differs: 6 blocks, and one clear difference among 2 resources takes at least 7.',
    );
    expect(summaryOf(7)).toContain('Nothing else differs clearly between the runs.');
  });

  it('is a table in the terminal that has the whole name of each', () => {
    const resources = [one('minor_faults', 1200, 51_204, true), one('machine_context_switches', 9e6, 12e6, true)];
    const comparisons = reported.comparisons.map((comparison) => ({ ...comparison, resources }));
    const text = terminalReport({ findings: { ...reported, comparisons } }, { color: false, width: 68 });
    expect(text).toMatch(/^Resource .*\nminor page faults .*\ncontext switches .*\n {2}of the machine$/m);
  });

  it('is a table in the summary, the clear ones apart, with what is not known and why', () => {
    const text = visible(render(summaryMarkdown(reported, runs)));
    expect(text).toMatch(/Listed: q[\s\S]*system time[\s\S]*without a clear difference[\s\S]*user time/);
    expect(text).toContain('the accounts were gone before they could be read: system time.');
    expect(text).toContain('counted for the whole machine only: bytes sent.');
  });
});
