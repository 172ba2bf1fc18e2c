import type { Analysis } from '../../../src/analysis/results.ts';
import type { Frame, ObservedRun, PhaseProfile, StackTime } from '../../../src/contracts/observed-run.ts';
import type { ExplainLine, Explanation } from '../../../src/findings/explain.ts';
import { gaussian } from './random.ts';

/** Observed runs as a server gives them on two C libraries: one copies faster, by another name. */

const PROGRAM = '/usr/local/bin/redis-server';
const own = (name: string): Frame => ({ name, library: PROGRAM });
const kernel = (name: string): Frame => ({ name, library: '[kernel.kallsyms]' });

type Seconds = readonly [frames: readonly Frame[], baseline: number, variant: number];

const MAIN = [own('main'), own('aeMain'), own('aeProcessEvents')];
const SEND = [...MAIN, own('writeToClient'), own('__libc_send')];
const NET = [
  kernel('entry_SYSCALL_64_after_hwframe'),
  kernel('do_syscall_64'),
  kernel('__x64_sys_sendto'),
  kernel('tcp_sendmsg'),
];
const RANGE = [...MAIN, own('call'), own('lrangeCommand'), own('_addReplyToBufferOrList.part.0')];

const PHASES: Readonly<Record<string, readonly Seconds[]>> = {
  SET: [
    [[...MAIN, own('call'), own('setCommand')], 0.4, 0.4],
    [[...MAIN, own('call'), own('lookupKey')], 0.2, 0.2],
    [[...SEND, ...NET], 0.5, 0.5],
  ],
  LRANGE_600: [
    [RANGE, 0.11, 0.11],
    [[...RANGE, own('__memmove_avx512_unaligned_erms')], 0.06, 0],
    [[...RANGE, own('memcpy')], 0, 0.48],
    [[...RANGE, own('malloc'), own('_int_malloc')], 0.05, 0],
    [[...RANGE, own('__libc_malloc_impl'), own('alloc_slot')], 0, 0.15],
    [[...RANGE, own('tcacheless')], 0.01, 0],
    [[...RANGE, own('asm_exc_page_fault')].with(-1, kernel('asm_exc_page_fault')), 0.02, 0.08],
    [[...SEND, ...NET, kernel('tcp_sendmsg_locked'), kernel('_copy_from_iter')], 0.12, 0.12],
  ],
};

export function observedRuns(
  names: readonly [string, string] = ['native', 'debian'],
  runs = 5,
  seed = 7,
): ObservedRun[] {
  const random = gaussian(seed);
  return Array.from({ length: 2 * runs }, (_, i): ObservedRun => {
    const of = i % 2;
    const phases = Object.entries(PHASES).map(([phase, all]): PhaseProfile => {
      const stacks = all.flatMap(([frames, ...seconds]): StackTime[] => {
        const mean = seconds[of] ?? 0;
        return mean === 0 ? [] : [{ frames, seconds: mean * (1 + 0.01 * random()) }];
      });
      const cpuS = stacks.reduce((sum, { seconds }) => sum + seconds, 0);
      return {
        phase,
        wallS: 1.1 * cpuS,
        cpuS,
        stacks,
        counts: [{ kind: 'syscall', name: 'write', value: 1000, errors: 0 }],
      };
    });
    return { variant: names[of]!, run: i + 1, phases };
  });
}

const line = (
  of: string,
  rest: Partial<ExplainLine> & Pick<ExplainLine, 'kind' | 'name' | 'baseline' | 'variant'>,
): ExplainLine => {
  const difference = rest.variant - rest.baseline;
  const isTime = rest.kind === 'group' || rest.kind === 'function';
  const half = isTime ? 0.02 : 0;
  return {
    of,
    phase: 'LRANGE_600',
    unit: isTime ? 's' : '1',
    difference,
    ci95: [difference - half, difference + half],
    q: 0.001,
    ...rest,
  };
};

const mixed = (...groups: readonly (readonly [string, number])[]) =>
  groups.map(([name, seconds]) => ({ name, seconds }));

export function explanation(baseline = 'native', variant = 'debian'): Explanation {
  return {
    rungs: [
      { name: 'accounts', state: 'used', missing: null },
      { name: 'perf-stat', state: 'used', missing: null },
      { name: 'perf-record', state: 'used', missing: null },
      { name: 'strace', state: 'unavailable', missing: 'no-tool' },
    ],
    stretch: [
      { of: baseline, phase: 'SET', factor: 1.01 },
      { of: baseline, phase: 'LRANGE_600', factor: 1.02 },
      { of: variant, phase: 'SET', factor: 1.01 },
      { of: variant, phase: 'LRANGE_600', factor: 1.12 },
    ],
    mix: [baseline, variant].flatMap((of, i) => [
      { of, phase: 'SET', groups: [...mixed(['own', 0.6], ['network', 0.5])] },
      {
        of,
        phase: 'LRANGE_600',
        groups: mixed(
          ['memory-copy', i === 0 ? 0.06 : 0.48],
          ['network', 0.12],
          ['own', 0.11],
          ['allocation', i === 0 ? 0.05 : 0.15],
        ),
      },
    ]),
    lines: [
      line(variant, { kind: 'group', name: 'memory-copy', baseline: 0.06, variant: 0.48 }),
      line(variant, { kind: 'group', name: 'allocation', baseline: 0.05, variant: 0.15 }),
      line(variant, { kind: 'function', name: 'memcpy', baseline: 0.06, variant: 0.48 }),
      line(variant, { kind: 'function', name: 'malloc', baseline: 0.05, variant: 0.15 }),
      line(variant, { kind: 'syscall', name: 'munmap', baseline: 12, variant: 4012, alike: true }),
      line(variant, { kind: 'fault', name: 'page-faults', baseline: 300, variant: 2700 }),
      line(variant, { kind: 'bytes', name: 'read', baseline: 1e6, variant: 5e6, unit: 'B', q: 0.01 }),
    ],
    explained_share: 0.93,
    comparisons: [{ baseline, variant, cpu_time_difference_s: 0.57, ci95: [0.53, 0.61], explained_share: 0.93 }],
  };
}

/** The same experiment, with runs that were looked into. */
export function withObserved(analysis: Analysis): Analysis {
  const [baseline = '', variant = ''] = analysis.findings.variants.map(({ name }) => name);
  return {
    ...analysis,
    findings: { ...analysis.findings, explanation: explanation(baseline, variant) },
    observed: observedRuns([baseline, variant]),
  };
}
