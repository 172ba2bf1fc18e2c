import * as z from 'zod';
import { type Immutable, Interval } from './numbers.ts';

const phase = z.string().nullable().describe('null: the whole run');
const compared = {
  of: z.string().describe('the variant'),
  against: z.string().optional().describe('what the variant is compared with; absent: the baseline of the experiment'),
};

const alike = z
  .literal(true)
  .optional()
  .describe(
    'every run of the baseline counted its mean, and every run of the variant its own; the interval is then by how much the next runs may differ',
  );

export const ObserverUse = z.strictObject({
  name: z.string().describe('name of the observer'),
  state: z.enum(['used', 'unavailable', 'failed']),
  missing: z.string().nullable().describe('identifier of what it lacks, which the report puts into words'),
  lacking: z
    .array(
      z.strictObject({
        of: z.string().describe('the variant'),
        rounds: z.array(z.number().int()).describe('of its observed runs'),
        missing: z.string(),
      }),
    )
    .optional()
    .describe('runs about which it reported nothing, although it did about others; absent: none'),
});

const ofShown = Interval.nullable().describe(
  'so wide that 95 % of the intervals of the lines that are shown hold, although they are shown for their size',
);

export const ExplainLine = z.strictObject({
  ...compared,
  phase,
  kind: z
    .enum([
      'group',
      'function',
      'syscall',
      'error',
      'fault',
      'switch',
      'off-cpu',
      'counter',
      'ratio',
      'bytes',
      'command',
      'command-time',
    ])
    .describe(
      'error: calls that failed, by call and error; off-cpu: seconds of threads without a processor, by what they waited for; counter: of the processor, of all of them or of those of the kind in brackets; ratio: of two counters (instructions per cycle); command: calls that a server executed, by its own account; command-time: its seconds for one such call',
    ),
  name: z.string(),
  baseline: z.number().describe('mean of a run'),
  variant: z.number().describe('mean of a run'),
  unit: z.enum(['s', '1', 'B']),
  difference: z.number().describe('variant minus baseline'),
  ci95: ofShown,
  alike,
  q: z
    .number()
    .nullable()
    .describe('false discovery rate over all lines of the kind, of all variants and phases, and over the kinds'),
});
export type ExplainLine = Immutable<z.output<typeof ExplainLine>>;

/** Context switches of the workload alone, which the kernel counts only while an observer runs. */
export const Switches = z.strictObject({
  variant: z.string(),
  phase,
  runs: z.number().int().describe('observed runs in which it was counted'),
  mean: z.number().describe('context switches of the workload in a run'),
  ci95: Interval.nullable().describe('t interval of the mean; null: one run'),
});
export type Switches = Immutable<z.output<typeof Switches>>;

const change = z.strictObject({
  baseline: z.number().describe('mean of a run'),
  variant: z.number().describe('mean of a run'),
  percent: z.number().describe('of the geometric means of runs'),
  ci95: Interval.describe('percent; from the scatter between runs, wider if neighboring phases may contribute'),
});

/** Whether a change of cycles comes from more instructions, or from more cycles per instruction. */
export const CounterWork = z.strictObject({
  ...compared,
  phase,
  story: z
    .enum(['no-difference', 'instructions', 'speed', 'both', 'opposite'])
    .describe(
      'cause of the difference in cycles. no-difference: none is among the lines; instructions: they make at least three quarters of its logarithm; speed: they make at most a quarter; both: between these; opposite: instructions and speed act against each other',
    ),
  instructions: change,
  cycles: change,
  per_cycle: change.describe('instructions per cycle'),
});
export type CounterWork = Immutable<z.output<typeof CounterWork>>;

const tracer = z.enum(['strace-services', 'uftrace']).optional().describe('absent: strace');

export const TracedLine = z.strictObject({
  ...compared,
  tracer,
  name: z.string().describe('the system call; under uftrace the function of a library'),
  amount: z
    .enum(['calls', 'errors', 'seconds'])
    .describe(
      'seconds: between the start and the end of the calls, including waiting and the tracer; under uftrace without other traced calls inside them',
    ),
  baseline: z.number().describe('mean of one execution of the command'),
  variant: z.number().describe('mean of one execution of the command'),
  difference: z.number().describe('variant minus baseline'),
  ci95: ofShown,
  alike,
  q: z.number().describe('false discovery rate over all lines of the tracer and the amount, and over the amounts'),
});
export type TracedLine = Immutable<z.output<typeof TracedLine>>;

/** Calls under a tracer, in runs without other observers: system calls of the command (strace) or of its services, or library calls (uftrace). */
export const Traced = z.strictObject({
  runs: z.array(
    z.strictObject({
      of: z.string().describe('the variant'),
      tracer,
      runs: z.number().int(),
      factor: z.number().nullable().describe('how much longer one execution took under the tracer; null: not known'),
      phases: z
        .array(z.strictObject({ phase: z.string(), factor: z.number() }))
        .optional()
        .describe('how much longer each phase took under the tracer; absent: no phase is known of both'),
    }),
  ),
  lines: z.array(TracedLine),
});
export type Traced = Immutable<z.output<typeof Traced>>;

export const Explanation = z.strictObject({
  rungs: z.array(ObserverUse),
  stretch: z.array(z.strictObject({ of: z.string().describe('the variant'), phase, factor: z.number() })),
  mix: z
    .array(
      z.strictObject({
        of: z.string().describe('the variant'),
        phase: z.string().nullable().describe('null: outside every phase'),
        of_whole_run: z
          .literal(true)
          .optional()
          .describe('phase is null, and this is all of the run: its profiler knows no times'),
        groups: z.array(z.strictObject({ name: z.string(), seconds: z.number() })),
      }),
    )
    .describe(
      'what the processor time of each phase (or thread time, as in the comparisons) is spent on in the mean run, whether it differs or not',
    ),
  lines: z.array(ExplainLine),
  traced: Traced.optional().describe('absent: no run was traced'),
  switches: z.array(Switches).optional().describe('absent: they could not be counted'),
  counters: z
    .array(z.string())
    .optional()
    .describe('counters of the processor that runs were compared by, whether they differ or not; absent: none'),
  work: z.array(CounterWork).optional().describe('absent: no processor reported its counters'),
  explained_share: z
    .number()
    .nullable()
    .describe('share of the first comparison’s difference in processor time that the functions in `lines` explain'),
  comparisons: z.array(
    z.strictObject({
      baseline: z.string(),
      variant: z.string(),
      cpu_time_difference_s: z
        .number()
        .nullable()
        .describe(
          'thread time if a profiler of the runtime reports it; null: the processor time of too few runs is known',
        ),
      time: z
        .enum(['processor', 'thread'])
        .optional()
        .describe('what these seconds are; absent, in older files: not distinguished'),
      ci95: Interval.nullable(),
      explained_share: z.number().nullable(),
    }),
  ),
});
export type Explanation = Immutable<z.output<typeof Explanation>>;

export type Pair = Pick<Explanation['comparisons'][number], 'baseline' | 'variant'>;

/** Whether a line belongs to this comparison. */
export const isOf = ({ of, against }: Pick<ExplainLine, 'of' | 'against'>, { baseline, variant }: Pair): boolean =>
  of === variant && (against ?? baseline) === baseline;

/** Groups of functions by what their time is spent on. Contract: names of the lines of kind `group` in explain.json. */
export const GROUPS = [
  'memory-copy',
  'allocation',
  'page-faults',
  'network',
  'files',
  'tls',
  'scheduler',
  'system-calls',
  'kernel',
  'runtime',
  'c-library',
  'own',
] as const;
export type Group = (typeof GROUPS)[number];
export const isGroup = (name: string): name is Group => (GROUPS as readonly string[]).includes(name);
