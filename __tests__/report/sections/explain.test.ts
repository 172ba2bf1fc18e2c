// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Explanation } from '../../../src/findings/explain.ts';
import type { Findings } from '../../../src/findings/findings.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { renderHtml } from '../../../src/report/document/html.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { explained } from '../../../src/report/sections/explain.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { hostileNames } from '../fixtures.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';
import { explanation, withObserved } from '../synthetic/observed.ts';

const analysis = withObserved(syntheticAnalysis());
const withExplanation = (of: Partial<Explanation>): Findings => ({
  ...analysis.findings,
  explanation: { ...explanation(), ...of },
});
/** Blanks that do not break are blanks. */
const reported = (findings: Findings): string => renderMarkdown([explained(findings)]).replaceAll('\u00a0', ' ');

describe('what goes with a difference', () => {
  it('is a line of the comment and of the terminal: the greatest groups with their intervals, share and phase', () => {
    const line =
      /Goes with: memory copy, \+0\.42 ± 0\.02 s of processor time per run \(74 % of the whole difference\), in phase/;
    expect(commentMarkdown(analysis.findings).replaceAll('\u00a0', ' ')).toMatch(line);
    const terminal = terminalReport(analysis, { width: 1000, color: false, unicode: true } as never);
    expect(terminal).toMatch(line);
    expect(commentMarkdown(syntheticAnalysis().findings)).not.toMatch(/goes with/i);
  });

  it('is a line of functions where no group differs, and says where nobody saw anything', () => {
    const text = (lines: Explanation['lines']): string =>
      commentMarkdown(withExplanation({ lines })).replaceAll('\u00a0', ' ');
    const { lines } = explanation();
    expect(text(lines.filter(({ kind }) => kind !== 'group'))).toMatch(/Goes with: `memcpy`, \+0\.42 ± 0\.02 s/);
    expect(text(lines.filter(({ kind }) => kind === 'syscall'))).toMatch(
      /no group of functions, and no function, differs/,
    );
  });

  it('tells no parts of a whole that is no clear difference', () => {
    const [whole] = explanation().comparisons;
    const unclear = { ...whole!, cpu_time_difference_s: 0.38, ci95: [-0.02, 0.78] as [number, number] };
    expect(reported(withExplanation({ comparisons: [{ ...unclear, explained_share: null }] }))).toMatch(
      /took 0\.38 ± 0\.40 s more .* As a whole, that is no clear difference\./,
    );
  });

  it('tells no parts of a whole that is smaller than what has names, but how much that is', () => {
    const [whole] = explanation().comparisons;
    const small = { ...whole!, cpu_time_difference_s: 0.35, ci95: [0.05, 0.65] as [number, number] };
    const findings = withExplanation({ comparisons: [{ ...small, explained_share: 1.4 }] });
    expect(reported(findings)).toMatch(
      /took 0\.3 ± 0\.3 s more .* The functions below add up to 0\.490 s more, which is more than that: all others together took less, or varied by chance\./,
    );
    expect(commentMarkdown(findings)).not.toMatch(/of the whole difference/);
    const less = { ...small, cpu_time_difference_s: -0.35, ci95: [-0.65, -0.05] as [number, number] };
    expect(reported(withExplanation({ comparisons: [{ ...less, explained_share: 1.4 }] }))).toMatch(
      /add up to 0\.490 s less, which is more than that: all others together took more,/,
    );
  });

  it('is told in thread time where the profiler of a runtime told the functions', () => {
    const rungs: Explanation['rungs'] = [{ name: 'node:server', state: 'used', missing: null }];
    const findings = withExplanation({ rungs });
    expect(commentMarkdown(findings).replaceAll('\u00a0', ' ')).toMatch(/Goes with: .* s of thread time per run/);
    expect(reported(findings)).toMatch(/more thread time per run than/);
    expect(reported(findings)).toMatch(/It differs from processor time: waiting for a processor is part of it/);
    const failed = withExplanation({ rungs: [{ ...rungs[0]!, state: 'failed', missing: 'no-profile' }] });
    expect(reported(failed)).toMatch(/more processor time per run than/);
    expect(reported(failed)).not.toMatch(/thread time/);
    expect(reported(findings)).not.toMatch(/in processor time/);
    const both = withExplanation({ rungs: [...rungs, { name: 'go:other', state: 'used', missing: null }] });
    expect(reported(both)).toMatch(/What Go's own profiler reported is among them, in processor time/);
  });

  it('names what is compared where a variant is compared with another than the baseline', () => {
    const { comparisons, lines, ...rest } = explanation();
    const [whole, network] = [comparisons[0]!, { ...lines[0]!, name: 'network' }];
    const less = { difference: -0.2, ci95: [-0.21, -0.19] as [number, number] };
    const findings = withExplanation({
      ...rest,
      comparisons: [whole, { ...whole, baseline: 'debian', variant: 'host', cpu_time_difference_s: -0.2 }],
      lines: [
        lines[0]!,
        { ...network, ...less, of: 'host', against: 'debian' },
        { ...network, of: 'host', against: 'native' },
      ],
    });
    const text = commentMarkdown(findings).replaceAll('\u00a0', ' ');
    expect(text).toMatch(/The difference of .?debian.? against .?native.? goes with: memory copy, \+0\.42/);
    expect(text).toMatch(/The difference of .?host.? against .?debian.? goes with: network stack, [-−]0\.20/);
    expect(reported(findings)).not.toMatch(/network stack[^\n]*\+0\.42/);
  });

  it('is told in processor time where Go told it, and of the whole run where nobody told when', () => {
    const rungs: Explanation['rungs'] = [{ name: 'go', state: 'used', missing: null }];
    const mix: Explanation['mix'] = [
      { of: 'native', phase: null, of_whole_run: true, groups: [{ name: 'own', seconds: 1 }] },
    ];
    const text = reported(withExplanation({ rungs, mix }));
    expect(text).toMatch(/more processor time per run than/);
    expect(text).toMatch(/Functions and groups are of the whole run, and of no phase/);
    expect(reported(withExplanation({ rungs }))).not.toMatch(/of no phase/);
  });

  it('names the runs of which a profiler told nothing, and what would give it', () => {
    const lacking = [{ of: 'debian', rounds: [2, 4], missing: 'no-profile' }];
    const rungs: Explanation['rungs'] = [
      { name: 'node', state: 'used', missing: null, lacking },
      { name: 'py-spy', state: 'unavailable', missing: 'not-allowed' },
    ];
    const text = reported(withExplanation({ rungs }));
    expect(text).toMatch(
      /Not seen of .debian. in rounds 2, 4: functions of scripts.*no process wrote a profile.*signal/,
    );
    expect(text).toMatch(/Not seen: functions of Python.*`sysctl kernel\.yama\.ptrace_scope=0`/);
  });

  it('never names a cause', () => {
    expect(`${commentMarkdown(analysis.findings)}${reported(analysis.findings)}`).not.toMatch(
      /because|caused? by|due to/i,
    );
  });

  it('has groups, functions and counts, how much they make up, and how far looking on stretched the runs', () => {
    const text = reported(analysis.findings);
    expect(text).toMatch(
      /took 0\.57 ± 0\.04 s more processor time per run than those of .native.\. The functions below make up 93 %/,
    );
    expect(text).toMatch(/the other 7 % are small, unclear or not sampled/);
    for (const row of [
      /memory copy.*\+0\.42 ± 0\.02 s.*0\.060 → 0\.480 s/,
      /`memcpy`/,
      /munmap.*\+4000 in every run.*12 → 4012/,
      /page-faults.*300 → 2700/,
    ]) {
      expect(text).toMatch(row);
    }
    expect(text).toMatch(/Observing made the runs longer, most in .*LRANGE.*12 %/);
  });

  it('tells more instructions from more time for each, and what the processor didn’t count', () => {
    const change = (baseline: number, variant: number, percent: number) => ({
      baseline,
      variant,
      percent,
      ci95: [percent - 0.2, percent + 0.2] as [number, number],
    });
    const of = 'debian';
    const whole = {
      of,
      phase: null,
      story: 'instructions' as const,
      instructions: change(1e9, 1.389e9, 38.9),
      cycles: change(5e8, 7e8, 40.1),
      per_cycle: change(2.1, 2.08, -0.9),
    };
    const slower = { ...whole, story: 'speed' as const, phase: 'LRANGE_600', instructions: change(1e9, 1e9, 0.1) };
    const rungs: Explanation['rungs'] = [{ name: 'perf-counters', state: 'used', missing: null }];
    const findings = withExplanation({ rungs, work: [whole, slower], counters: ['cycles', 'instructions'] });
    const line =
      /More instructions, at nearly the same speed: instructions \+38\.9 ± 0\.2 %, instructions per cycle 2\.10 → 2\.08, cycles \+40\.1 ± 0\.2 %\./;
    expect(reported(findings)).toMatch(line);
    expect(reported(findings)).toMatch(/LRANGE.*Nearly the same instructions, more time for each/);
    expect(reported(findings)).toMatch(
      /as the processor counts them \(perf\), but for `cache-misses`, `branch-misses`, which/,
    );
    expect(commentMarkdown(findings).replaceAll('\u00a0', ' ')).toMatch(line);
    const equal = withExplanation({ work: [{ ...whole, story: 'no-difference' }] });
    expect(reported(equal)).toMatch(/cycles of the processor don’t differ clearly/);
    expect(commentMarkdown(equal)).not.toMatch(/instructions/);
    const guest = withExplanation({ rungs: [{ ...rungs[0]!, state: 'unavailable', missing: 'no-counters-in-guest' }] });
    expect(reported(guest)).toMatch(/Not seen: instructions.*virtual one.*`-cpu host,pmu=on`/);
  });

  it('has the context switches of the workload alone, by variant and phase', () => {
    const switches = [
      { variant: 'native', phase: null, runs: 5, mean: 1401.2, ci95: [1290.1, 1512.4] as [number, number] },
      { variant: 'native', phase: 'SET', runs: 1, mean: 12, ci95: null },
    ];
    const text = reported(withExplanation({ switches }));
    expect(text).toContain('Context switches of the workload alone');
    expect(text).toMatch(/whole run.*1,401.*1,290 to 1,512.*5/);
    expect(text).toMatch(/SET.*12/);
    expect(reported(withExplanation({}))).not.toContain('Context switches of the workload alone');
  });

  it('says which rung it stands on, what it could not see, and what would give it', () => {
    const rungs: Explanation['rungs'] = [
      { name: 'accounts', state: 'used', missing: null },
      { name: 'perf-record', state: 'unavailable', missing: 'not-allowed' },
      { name: 'strace', state: 'failed', missing: 'hangs' },
      { name: 'new-one', state: 'unavailable', missing: 'new-reason' },
    ];
    const text = reported(withExplanation({ rungs }));
    expect(text).toMatch(/Seen: the kernel's accounts/);
    expect(text).toMatch(
      /Not seen: functions by processor time and phase \(perf\): .*`sysctl kernel\.perf_event_paranoid=-1`.*every process of the machine/,
    );
    expect(text).toMatch(/although it was begun: it gave no answer in its time/);
    expect(text).toMatch(/new.one.*new-reason/);
  });

  it('says so where nothing differs, or too little was seen', () => {
    const comparisons = [
      {
        baseline: 'native',
        variant: 'debian',
        cpu_time_difference_s: 0.001,
        ci95: [-0.01, 0.012],
        explained_share: null,
      },
    ] as const;
    const nothing = withExplanation({
      lines: [],
      comparisons: [{ ...comparisons[0], ci95: [-0.01, 0.012] }],
      explained_share: null,
    });
    expect(reported(nothing)).toMatch(/No function, call or count differs clearly/);
    expect(commentMarkdown(nothing)).not.toMatch(/goes with/i);
    expect(reported(withExplanation({ lines: [], comparisons: [], explained_share: null }))).toMatch(/Too few runs/);
  });

  it('says so where the processor time is not known', () => {
    const [first] = explanation().comparisons;
    const unknown = { ...first!, cpu_time_difference_s: null, ci95: null, explained_share: null };
    const findings = withExplanation({ comparisons: [unknown], lines: [], explained_share: null });
    expect(reported(findings)).toMatch(
      /What processor time the observed runs of .* took is known for too few of them\./,
    );
    expect(commentMarkdown(findings)).not.toMatch(/goes with/i);
  });

  it('leaves out of the line what shrinks where the whole grows', () => {
    const [first, ...rest] = explanation().lines;
    const less = {
      ...first!,
      name: 'tls',
      baseline: 3,
      variant: 1,
      difference: -2,
      ci95: [-2.1, -1.9] as [number, number],
    };
    const text = commentMarkdown(withExplanation({ lines: [less, first!, ...rest] }));
    expect(text).toMatch(/Goes with: memory copy/);
    expect(text).not.toMatch(/Goes with:.*cryptography/);
  });

  it('tells calls of libraries apart from system calls, and how much longer runs and phases took under each tracer', () => {
    const line = {
      of: 'debian',
      amount: 'calls',
      baseline: 10,
      variant: 20,
      difference: 10,
      ci95: null,
      q: 0,
    } as const;
    const own = { tracer: 'uftrace' } as const;
    const phases = [
      { phase: 'SET', factor: 1.5 },
      { phase: 'LRANGE_600', factor: 80 },
    ];
    const findings = withExplanation({
      rungs: [
        { name: 'uftrace', state: 'used', missing: null },
        { name: 'uftrace-containers', state: 'unavailable', missing: 'place-not-seen' },
      ],
      traced: {
        runs: [
          { of: 'debian', runs: 3, factor: 2 },
          { of: 'debian', ...own, runs: 3, factor: 40, phases },
        ],
        lines: [
          { ...line, name: 'openat' },
          { ...line, ...own, name: 'qsort' },
        ],
      },
    });
    const text = reported(findings);
    expect(text).toMatch(/System call .*`openat`.* under strace.* up to 2\.0 times as long as measured runs\./s);
    expect(text).toMatch(
      /Function .*`qsort`.* up to 40\.0 times as long as measured runs \(`LRANGE_600`: 80\.0, `SET`: 1\.5\)\./s,
    );
    expect(text).toMatch(/Not seen: calls of libraries in other places than the host: uftrace is loaded into/);
  });

  it('shows names from programs as what they are', () => {
    const lines = hostileNames.map((name) => ({ ...explanation().lines[2]!, name, phase: name }));
    const findings = withExplanation({ lines });
    expect(reported(findings)).not.toMatch(/[\u202a-\u202e\u0000-\u0009]/);
    expect(renderHtml([explained(findings)])).not.toMatch(/<(?:script|img|b)\b|[\u202a-\u202e\u0000-\u0009]/);
  });
});
