import * as z from 'zod';
import { TRACERS } from '../contracts/tracers.ts';
import {
  isPhaseName,
  isPhasePattern,
  OUTSIDE_PHASES,
  PHASE_NAME,
  PRINTED_AT,
} from '../executors/phases/phase-lines.ts';
import { SETTINGS } from '../findings/conditions.ts';
import { HOST_ADDRESS } from '../hosts/address.ts';
import { duration, label, map, percentage, size, text, timeLimit, wholeNumber } from '../input/leaves.ts';
import { MAX_EXECUTIONS } from '../schedule/batch.ts';
import { MIN_BLOCKS } from '../stats/signed-rank.ts';
import { wholeText } from '../text/numbers.ts';
import { SAFE } from '../tuning/settings.ts';
import { budget, cost, failOn } from './goals.ts';
import { hooks } from './hooks.ts';
import { type MatrixFile, matrix } from './matrix-schema.ts';
import { metrics } from './metrics.ts';
import { cpus, nice } from './pins.ts';
import { profile } from './profiles.ts';
import { services } from './services.ts';
import { suite } from './suite.ts';
import { variantSchema, workloadKeys } from './variant-schema.ts';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const METER =
  'a meter such as "auto", "rapl" or "watts-up-pro:/dev/serial/by-id/…"; several as a list or separated by commas';
const EXECUTIONS = `"auto", or a whole number from 1 to ${wholeText(MAX_EXECUTIONS)}`;
const BATCH = `${EXECUTIONS}, or a map such as { executions: auto, starts: true }`;
const meterName = text(METER, /^(?=[\s,]*[^\s,])[^\p{C}]*$/u, 2000);

const MAX_BLOCKS = 10_000;
const LOOKS = 'a list of 2 to 10 increasing whole numbers, such as [30, 45, 60]';
const REPETITIONS = `a whole number from 1 to ${wholeText(MAX_BLOCKS)}, "auto", or a map such as { least: 10, most: 60 }, { want: 1%, within: 15min } or { looks: [30, 45, 60] }`;
const REST = '"auto", or a time from 0 to 1h, such as 20s, 500ms, 2m, 1h or a number of seconds';
/** Longest time that all blocks may take. */
export const MAX_WITHIN_S = DAY_S;
const WITHIN = 'a time from 10s to 24h, such as 60s or 15min';
const WANT = 'a percentage above 0% and up to 50%, with its sign, such as 1%';

const looks = z
  .array(wholeNumber(1, MAX_BLOCKS), { error: LOOKS })
  .min(2, { error: LOOKS })
  .max(10, { error: LOOKS })
  .refine((list) => list.every((blocks, i) => blocks > (list[i - 1] ?? 0)), { error: LOOKS })
  .meta({
    description:
      'Numbers of blocks after which the experiment may end, if every comparison shows a change and fail-on is decided; it ends at the last. Stricter significance levels keep early looks from adding false alarms.',
  });

/** Keys of a number of blocks that the data decide, with its limits. */
const autoKeys = {
  auto: z.literal(true, { error: 'true' }).optional().meta({ description: 'The data decide the number of blocks.' }),
  least: wholeNumber(MIN_BLOCKS, MAX_BLOCKS)
    .optional()
    .meta({ description: 'Blocks before the first interim analysis; default: 10.' }),
  most: wholeNumber(MIN_BLOCKS, MAX_BLOCKS)
    .optional()
    .meta({ description: 'Maximum number of blocks; default: 60, or 500 with want or within.' }),
  want: percentage(50)
    .refine((percent) => percent > 0, { error: WANT })
    .optional()
    .meta({
      description:
        'Half-width of the 95 % interval at which it ends, even if fail-on is open; default: it ends once all is settled.',
    }),
  within: duration(WITHIN, (s) => s >= 10 && s <= MAX_WITHIN_S)
    .optional()
    .meta({
      description: 'Time that all blocks and the warm-up may take; how many blocks fit is computed after the warm-up.',
    }),
};

/** Schema of `repetitions`: a fixed number of blocks, or a group-sequential plan with interim analyses. */
const repetitions = z
  .union(
    [
      wholeNumber(1, MAX_BLOCKS),
      z.literal('auto', { error: REPETITIONS }),
      map({ ...autoKeys, looks: looks.optional() }),
    ],
    { error: REPETITIONS },
  )
  .meta({
    description:
      'Number of blocks; in each, every variant runs once, in random order. auto: the experiment ends as soon as every comparison is settled, as a change or as equivalent.',
  });

const COMPARISONS =
  '"all", or a list of pairs such as [[container, native], [alpine, container]], a variant and what it is compared with';

/** Schema of `comparisons`: the pairs to compare, if not every variant with the baseline. */
const comparisons = z
  .union(
    [
      z.literal('all', { error: COMPARISONS }),
      z
        .array(z.tuple([label, label], { error: COMPARISONS }), { error: COMPARISONS })
        .min(1, { error: COMPARISONS })
        .max(500, { error: COMPARISONS }),
    ],
    { error: COMPARISONS },
  )
  .meta({
    description:
      'Pairs that are compared, each as [variant, what it is compared with]; all: every pair. Their p-values are adjusted by Holm. Default: every variant with the baseline.',
  });

const executions = z
  .union([z.literal('auto', { error: EXECUTIONS }), wholeNumber(1, MAX_EXECUTIONS, '"auto", or a whole number')], {
    error: EXECUTIONS,
  })
  .meta({ description: 'How many times; default: auto.' });

const starts = z.boolean({ error: 'true or false' }).prefault(false).meta({
  description:
    'Whether each execution starts its container again, so that the cost of a start is measured each time. Default: false, one start per window.',
});

const batchWindow = duration('a time from 100ms to 1h', (s) => s >= 0.1 && s <= HOUR_S)
  .optional()
  .meta({
    description:
      'Intended length of a window, with executions: auto. It is at least ten readings of the meter, and four times the start-up time of a command that repeats itself. Default: 5 s with a counter, otherwise 30 readings; 1 s with a suite.',
  });

const PHASE = `1 to 60 printable characters, without spaces at the ends, and not "${OUTSIDE_PHASES}"`;
const LINE =
  'text of a line that begins the phase, such as "^Loading done": plain text, with * for anything, ^ for the start and $ for the end of the line, and no regular expression';
const PHASES =
  '"auto", { auto: true, lines: start } or { auto: true, lines: end }, or a map of phases and the lines that begin them, such as { load: "^Loading" }, 50 at most';

/** Schema of `phases`: output lines of an unchanged program that begin a phase. */
const phases = z
  .record(
    text(PHASE, PHASE_NAME).refine(isPhaseName, { error: PHASE }),
    text(LINE, /^[^\p{C}]{1,500}$/u, 500).refine(isPhasePattern, { error: LINE }),
    { error: PHASES },
  )
  .refine((map) => Object.keys(map).length <= 50, { error: PHASES });

const findPhases = z.strictObject({
  auto: z.literal(true),
  lines: z.enum(PRINTED_AT).optional().meta({
    description:
      'Whether a line is printed at the start or at the end of the phase that it names. Default: inferred from the positions of the lines in the runs.',
  }),
});

const EXPLAIN = '"on-change", "always", "never", or a map such as { when: on-change, trace: true }';
const explainWhen = z.enum(['on-change', 'always', 'never'], { error: '"on-change", "always" or "never"' });
const TRACE = 'true, false, "strace", "strace-services", "uftrace", or a list of them';
const tracer = z.enum(TRACERS, { error: TRACE });
const explainTrace = z
  .union([z.boolean(), tracer, z.array(tracer, { error: TRACE }).min(1, { error: TRACE }).max(3, { error: TRACE })], {
    error: TRACE,
  })
  .transform((given) => (typeof given === 'string' ? [given] : given))
  .meta({
    description:
      'Tracers, each for three more runs of every variant. strace: errors and times of system calls; strace-services: those of services while the command runs; true: both of these; uftrace: library calls, only on the host. Default: strace if perf may not count system calls.',
  });

const PASSED = 'a list of names of variables, such as [REGISTRY_USER], 100 at most';
const VARIABLE = 'the name of a variable, such as REGISTRY_USER; names that begin with JOULEDIFF_ are taken';

const LOGS = 'a map such as { run: 4m, all: 64m }';
const LOG_SIZE = 'a size of at least 1k, such as 4m or a number of bytes';

/** Schema of `logs`: limits for the kept output of workloads, which is uploaded with the result. */
const logs = map(
  {
    run: size(1024, LOG_SIZE)
      .optional()
      .meta({ description: 'Limit for one run; of a longer output, half of this is kept from each end; default: 4m.' }),
    all: size(1024, LOG_SIZE).optional().meta({ description: 'Limit for all runs together; default: 64m.' }),
  },
  LOGS,
)
  .nullish()
  .meta({ description: 'How much of the output of workloads is kept.' });

/** Schema of `pass-env`: environment variables by name only, since their values are private to the workload. */
const passEnv = z
  .array(text(VARIABLE, /^(?!JOULEDIFF_)[A-Za-z_][A-Za-z0-9_]*$/, 200), { error: PASSED })
  .max(100, { error: PASSED })
  .nullish()
  .meta({
    description:
      'Names of environment variables that workloads get from the environment of joulediff. Their values are not stored; `env` takes precedence.',
  });

const HOST = 'another machine as ssh knows it, such as ssh://bench@sut or ssh://sut:2222';
const PLACE = '"variant", "host", or another machine as ssh knows it, such as ssh://bench@load';
const SERVICE_HOST = 'a name or an address of this machine, such as bench.lan or 192.168.1.7';

const WAIT = 'a time from 1s to 24h, such as 10min or 2h';
const ON_NOISE = '"wait", "warn", "fail" or a map such as { wait: 10m }';
const ON_BUSY = '"wait", "fail" or a map such as { wait: 2h }';

/** Schema of a maximum wait. */
const waiting = (shape: string) =>
  map({ wait: duration(WAIT, (s) => s >= 1 && s <= DAY_S).meta({ description: 'Longest wait.' }) }, shape);

const onNoise = z
  .union([z.enum(['wait', 'warn', 'fail'], { error: ON_NOISE }), waiting(ON_NOISE)], { error: ON_NOISE })
  .nullish()
  .meta({
    description:
      'What happens if the machine is not quiet before a block: wait (10m at most, then the experiment ends and can be resumed), warn, or fail. Default: no check before blocks.',
  });

const onBusy = z
  .union([z.enum(['wait', 'fail'], { error: ON_BUSY }), waiting(ON_BUSY)], { error: ON_BUSY })
  .prefault('fail')
  .meta({
    description:
      'What happens if another experiment is using the machine: fail, or wait (2h, or a given time). Default: fail.',
  });

const QUIET = `true, false, or a list of settings: ${SETTINGS.join(', ')}`;
const quiet = z
  .union([z.boolean(), z.array(z.enum(SETTINGS, { error: QUIET }), { error: QUIET })], { error: QUIET })
  .transform((given) => {
    const names = new Set(typeof given === 'boolean' ? (given ? SAFE : []) : given);
    return names.size === 0 ? undefined : SETTINGS.filter((name) => names.has(name));
  })
  .optional()
  .meta({
    description: `Settings of this machine that are changed for the experiment and restored after it: governor (performance), turbo (off), smt (off), aslr (off), timers (systemd's housekeeping stopped), irq (interrupts away from cpus.workload). true: ${SAFE.join(' and ')}. Default: nothing.`,
  });

const BRANCH = 'the name of a branch, such as joulediff-history';
/** Branch names that git accepts (git-check-ref-format) and that need no quotes anywhere. */
const branch = text(BRANCH, /^(?!.*(?:\.\.|\/\/|\.lock(?:\/|$)|\/\.|\.\/|\.$|\/$))[A-Za-z0-9_][\w./+-]*$/, 200);

const ALERT = 'issue, or a map such as { webhook: $ALERT_URL }';
const WEBHOOK = 'an environment variable that holds the address, such as $ALERT_URL';

/** Schema of `history`: stores the findings of every experiment for the trend page, in one of two places. */
const history = map(
  {
    file: text(
      'the path of a file outside the checkout, starting with "/" or "~/", such as ~/.local/state/joulediff/history.db',
      /^(?:\/|~\/)[^\p{C}\p{Zl}\p{Zp}]*[^/\p{C}\p{Zl}\p{Zp}]$/u,
      4096,
    )
      .optional()
      .meta({ description: 'A SQLite file on this runner.' }),
    branch: branch
      .optional()
      .meta({ description: 'A branch of the repository that holds nothing else; created if it is missing.' }),
    alert: z
      .union(
        [
          z.literal('issue', { error: ALERT }),
          map({ webhook: text(WEBHOOK, /^\$[A-Za-z_]\w*$/, 100).transform((given) => given.slice(1)) }, ALERT),
        ],
        { error: ALERT },
      )
      .optional()
      .meta({
        description:
          'How a job reports a new step: issue (opens an issue for each, needs issues: write), or { webhook: $VARIABLE } (posts JSON to the https address in that environment variable). Default: not at all.',
      }),
    track: branch
      .optional()
      .meta({ description: 'Branch whose commits are kept; default: the default branch of the repository.' }),
  },
  'a map such as { branch: joulediff-history }, or { file: ~/.local/state/joulediff/history.db }',
).meta({ description: 'Keeps the findings of all experiments in a file or branch, and plots them over the commits.' });

/** Schema of the experiment file: the single source of its types, its validation and the JSON Schema in docs/. */
export const experimentSchema = map({
  name: label.optional().meta({ description: 'Shown in reports; default: the name of the folder.' }),
  workload: map({
    ...workloadKeys,
    place: z
      .union([z.enum(['variant', 'host'], { error: PLACE }), text(PLACE, HOST_ADDRESS, 400)], { error: PLACE })
      .prefault('variant')
      .meta({
        description:
          "Where run, prepare and cleanup are run: in the variant's own place, on the host for all variants, or on a third machine (ssh://user@machine) that loads the services of this one.",
      }),
    'service-host': text(SERVICE_HOST, /^[A-Za-z0-9](?:[\w.:-]{0,251}[A-Za-z0-9])?$/, 253)
      .optional()
      .meta({
        description:
          'Address at which the third machine reaches the services; default: the address from which its ssh server sees this machine connect.',
      }),
    profile: profile.optional(),
    timeout: timeLimit.nullable().prefault('1h').meta({
      description:
        'Time limit of the command, of prepare and of cleanup: one that takes longer has failed; none: no limit.',
    }),
  })
    .prefault({})
    .meta({ description: 'What every variant runs.' }),
  variants: z
    .record(label, variantSchema, {
      error: 'a map of names and variants, such as { native: {}, container: { image: debian } }',
    })
    .optional()
    .meta({ description: 'The ways of running the workload that are compared; {} is the host itself.' }),
  matrix: matrix.optional(),
  suite: suite.optional(),
  baseline: label.optional().meta({
    description:
      'Variant that the others are compared with; default: the first of `variants` that runs on the host, else the first cell of `matrix` or the first variant.',
  }),
  comparisons: comparisons.optional(),
  repetitions: repetitions.prefault(30),
  warmup: map(
    { runs: wholeNumber(0, 1_000).prefault(2).meta({ description: 'Number of whole blocks.' }) },
    'a map such as { runs: 2 }',
  )
    .prefault({})
    .meta({ description: 'Blocks that run before the compared ones; recorded, but never compared.' }),
  rest: z
    .union([z.literal('auto', { error: REST }), duration('a time from 0 to 1h', (s) => s >= 0 && s <= HOUR_S)], {
      error: REST,
    })
    .prefault('auto')
    .meta({
      description:
        'Idle time before every run (settle or cool-down time); the guard is its last part. Default: auto, until the idle machine has settled, a minute at most.',
    }),
  guard: duration('a time from 0 to 1h', (s) => s >= 0 && s <= HOUR_S)
    .optional()
    .meta({
      description:
        'Idle time kept on both sides of the measurement window. Default: 3 s; with rest: auto, what the meter needs.',
    }),
  batch: z
    .union([executions, map({ executions: executions.prefault('auto'), starts, window: batchWindow }, BATCH)], {
      error: BATCH,
    })
    .prefault(1)
    .meta({
      description:
        'Times that the command runs inside one window, for workloads that are too short for the meter; "auto": as often as the meter needs, computed from the warm-up.',
    }),
  phases: z
    .union([z.literal('auto', { error: PHASES }), findPhases, phases], { error: PHASES })
    .nullish()
    .meta({
      description:
        'Phases of the workload, each with the output line that begins it, in addition to the markers `::joulediff phase NAME` and `::joulediff end`. auto: lines that every run prints once, found after the last run, or equal slices if there are none.',
    }),
  services: services.optional(),
  hooks: hooks.optional(),
  metrics: metrics.optional(),
  window: z.enum(['workload', 'service'], { error: '"workload" or "service"' }).prefault('workload').meta({
    description:
      'What the window contains. workload: the command, while its services run; service: also the start and the end of the services.',
  }),
  allow: z.enum(['engine-stop'], { error: '"engine-stop"' }).optional().meta({
    description:
      "What joulediff may do to the machine only with your permission. engine-stop: Docker's engine may be stopped for the runs of a variant with `engine: stopped`.",
  }),
  cpus: cpus.optional(),
  nice: nice.optional(),
  host: text(HOST, HOST_ADDRESS, 400).optional().meta({
    description:
      'Machine to measure, if it is not the one with joulediff and the meter. It is reached through your own ssh, and runs every variant. Default: this machine.',
  }),
  'pass-env': passEnv,
  output: z.enum(['memory', 'file'], { error: '"memory" or "file"' }).prefault('memory').meta({
    description:
      'Where the output of a run goes while it runs. memory: both ends of it are kept, and nothing is written; file: all of it is written to the disk, and writing it is part of what is measured.',
  }),
  logs,
  noise: z.enum(['off', 'inline'], { error: '"off" or "inline"' }).prefault('off').meta({
    description:
      'inline: every block runs the baseline a second time, which measures the noise floor within the experiment.',
  }),
  quiet,
  'on-noise': onNoise,
  'on-busy': onBusy,
  explain: z
    .union([explainWhen, map({ when: explainWhen.prefault('on-change'), trace: explainTrace.optional() })], {
      error: EXPLAIN,
    })
    .transform((given) => (typeof given === 'string' ? { when: given } : given))
    .prefault('never')
    .meta({
      description:
        'Whether extra runs are profiled after the blocks, to find what accompanies a difference: on-change (if a change is shown), always, never, or a map with when and trace. No energy includes them. Default: never; `joulediff explain` can do it later.',
    }),
  seed: wholeNumber(0, 0xffffffff)
    .optional()
    .meta({ description: 'Seed of the random order; default: random, and recorded.' }),
  margin: percentage(50).prefault('1%').meta({ description: 'Differences up to this size count as equivalent.' }),
  meter: z
    .union([meterName, z.array(meterName, { error: METER }).min(1, { error: METER }).max(16, { error: METER })], {
      error: METER,
    })
    .prefault('auto')
    .meta({ description: 'Meter, or several meters: the first is primary.' }),
  cost: cost
    .optional()
    .meta({ description: 'Price and carbon intensity of electricity, to report what the energy costs.' }),
  'fail-on': failOn.optional(),
  budget: budget.optional(),
  history: history.optional(),
});

/** An experiment file as users write it. */
export type ExperimentFile = z.input<typeof experimentSchema>;
/** The file after validation of each key: numbers in SI units, defaults filled in, paths as written. */
export type CheckedFile = Omit<z.output<typeof experimentSchema>, 'matrix'> & { matrix?: MatrixFile | undefined };
