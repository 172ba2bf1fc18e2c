import * as z from 'zod';
import { count, type Immutable, Interval } from './numbers.ts';

const paths = z.array(z.string());

const Line = z
  .strictObject({
    experiment: z.string(),
    baseline: z.string(),
    variant: z.string(),
    verdict: z.enum(['increase', 'decrease', 'equivalent', 'changed-within-margin', 'inconclusive', 'failed']),
    delta_percent: z.number().nullable().describe('change of the energy, variant minus baseline'),
    ci95: Interval.nullable(),
    confidence: z.number().nullable().describe('as in the findings; below 0.95 where blocks are few'),
    trusted: z.boolean().describe('false: a check or the measurement failed, or nothing was compared'),
    source: z.enum(['measured', 'modelled', 'emulated', 'unknown']),
  })
  .describe('a comparison on the primary channel');
export type Line = Immutable<z.output<typeof Line>>;

const Check = z.strictObject({
  what: z.string().describe('meter, variant NAME, disk and so on'),
  state: z.enum(['ok', 'warn', 'fail']),
  text: z.string(),
  advice: z.string().nullable(),
});

/** Schemas of `--json` output by command, for commands that don't print findings, a passport, or a reading per line. */
const ANSWERS = {
  measure: { database: z.string() },
  report: {
    folder: z.string().nullable().describe('null: with --methods or --latex nothing is written'),
    text: z.string().nullable().describe('of --methods and --latex'),
    results: z.array(Line),
  },
  plan: {
    experiment: z.string(),
    seed: count,
    may_end_early: z.boolean(),
    runs: count.describe('with warm-up'),
    blocks: z.array(
      z.strictObject({ block: count, warmup: z.boolean(), variants: z.array(z.string()).describe('in their order') }),
    ),
    pauses_s: z.strictObject({
      least: z.number().describe('up to the first interim analysis, if there is one'),
      expected: z
        .number()
        .nullable()
        .describe('where the machine settles as when its meter was checked; null: not known'),
      most: z.number(),
    }),
    allocation: z
      .strictObject({
        blocks: count,
        executions: count.describe('in each window'),
        duration_s: z.number().describe('of the compared blocks'),
        half_percent: z.number().describe('half the width of the 95 % interval, percentage points'),
        reached: z.boolean().nullable().describe('whether the wanted width is; null: none is wanted'),
        scatter: z.enum(['noise-floor', 'assumed']),
      })
      .nullable()
      .describe('expected; null: neither a width nor a time is wanted, the meter is not known, or it is a suite'),
    notes: z.array(z.string()).describe('sentences'),
    checks: z.array(Check).describe('empty with --offline'),
  },
  bisect: {
    outcome: z
      .enum(['found', 'no-step', 'open'])
      .describe('no-step: the ends do not differ; open: time or steps were used up before a commit was certain'),
    good: z.string().describe('full hash, as all commits here'),
    bad: z.string(),
    commits: count.describe('after the good end, up to the bad one'),
    found: z.array(z.string()).describe('several: what lies between them could not be built or run'),
    probability: z
      .number()
      .nullable()
      .describe('that one of those found did it, if one commit did; null: none is found'),
    credible: z.array(z.string()).describe('the fewest commits that hold the step with 97 %, the likeliest first'),
    skipped: z.array(z.string()).describe('they could not be built or run'),
    delta_percent: z
      .number()
      .nullable()
      .describe('found: of the commit against the one before it; else of the bad end'),
    ci95: Interval.nullable(),
    trusted: z.boolean().describe('false: a check failed on which the numbers rest'),
    source: z.enum(['measured', 'modelled', 'emulated', 'unknown']),
    folder: z.string(),
  },
  backfill: {
    history: z.string(),
    added: z.array(z.string()).describe('commits, in the order of measuring'),
    skipped: z.array(z.strictObject({ commit: z.string(), reason: z.string() })).describe('not built or run'),
    left: count.describe('commits that are not in the history yet'),
  },
  clean: { removed: z.array(z.string()).describe('a sentence for each thing removed, or that could not be') },
  init: { files: z.array(z.strictObject({ path: z.string(), written: z.boolean().describe('false: it was there') })) },
  doctor: {
    checks: z.array(
      z.strictObject({
        name: z.string(),
        group: z.string(),
        state: z.enum(['ok', 'warn', 'fail', 'unknown']),
        seen: z.string(),
        how: z.string().describe('the command that shows it; empty: none does'),
        why: z.string(),
        remedy: z.string().nullable(),
        note: z.string().nullable(),
      }),
    ),
  },
  'meter list': {
    serial_ports: z.array(
      z.strictObject({
        path: z.string(),
        device: z.string(),
        state: z.enum(['meter', 'silent', 'unusable']),
        meter: z.string().nullable().describe('name for --meter'),
        detail: z.string(),
        advice: z.string().nullable(),
        holder: z
          .strictObject({ pid: z.int(), command: z.string().nullable() })
          .nullable()
          .describe('the process that has it'),
      }),
    ),
    sensors: z.array(z.strictObject({ meter: z.string(), device: z.string(), label: z.string().nullable() })),
    others: z.array(z.string()).describe('names for --meter'),
    rapl: z.strictObject({
      root: z.string(),
      usable: z.boolean(),
      domains: z.array(
        z.strictObject({ name: z.string(), path: z.string(), readable: z.boolean(), counted: z.boolean() }),
      ),
      detail: z.string(),
      advice: z.string().nullable(),
    }),
    network: z
      .array(z.strictObject({ name: z.string(), address: z.string(), meter: z.string() }))
      .nullable()
      .describe('null: without --network'),
  },
  'meter compare': {
    gain: z.number(),
    gain_u: z.number().nullable().describe('standard uncertainty'),
    offset_w: z.number(),
    lag: z
      .strictObject({ mean_s: z.number(), limit_s: z.number(), edges: count })
      .nullable()
      .describe('null: both saw too few undisturbed steps'),
    bias_w: z.number(),
    sd_w: z.number().describe('of the differences as they read (Bland and Altman 1986)'),
    scatter_w: z.number().describe('standard deviation around the line'),
    passport: z.string().nullable().describe('where it was kept; null: nowhere'),
  },
  'meter emulate': {
    meter: z.string().describe('its name for --meter'),
    env: z.record(z.string(), z.string()).describe('variables that its name refers to'),
  },
  'meter learn': {
    description: z.string().describe('YAML'),
    file: z.string().nullable().describe('where it was written; null: nowhere'),
    error: z.number().describe('largest deviation from a marked power, as a share of it'),
  },
  export: { format: z.string(), files: paths, text: z.string().nullable().describe('what is not written to a file') },
  'history add': { history: z.string(), added: z.boolean().describe('false: it was there') },
  'history note': {
    history: z.string(),
    commit: z.string().describe('its full hash'),
    text: z.string().describe('empty: the note is removed'),
    changed: z.boolean().describe('false: it was so before'),
  },
  'history page': { files: paths },
  'history prune': {
    outdated: z.array(
      z.strictObject({ experiment: z.string(), machine: z.string(), meter: z.string(), gone: count, of: count }),
    ),
    removed: count,
  },
};

type Shapes = typeof ANSWERS;
export type CommandName = keyof Shapes;
export type Answer<Name extends CommandName> = {
  readonly [K in keyof Shapes[Name]]: Immutable<z.output<Shapes[Name][K]>>;
};

const SCHEMA = 'joulediff/terminal/1';

/** First properties of every command's JSON answer. */
export interface AnswerHead<Name extends CommandName> {
  readonly schema: typeof SCHEMA;
  readonly command: Name;
}

const names = Object.keys(ANSWERS) as CommandName[];

export const Answers = z.union(
  names.map((name) => z.strictObject({ schema: z.literal(SCHEMA), command: z.literal(name), ...ANSWERS[name] })),
);
