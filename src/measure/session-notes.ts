import type { Allocation, ScatterSource } from '../analysis/allocation.ts';
import type { SoFar } from '../analysis/analyze-interim.ts';
import type { PreparedProcesses, RunTelemetry } from '../contracts/execution.ts';
import type { Metric } from '../contracts/variant.ts';
import { MeasureError } from '../errors.ts';
import { NOT_COMMITTED } from '../executors/native/program.ts';
import { isOnHost, usesFiles } from '../executors/registry.ts';
import type { Experiment } from '../experiment/experiment.ts';
import { showPath } from '../input/words.ts';
import { type Batch, MAX_EXECUTIONS } from '../schedule/batch.ts';
import type { AutoRepetitions } from '../schedule/interims.ts';
import type { RunCause } from '../schedule/outcome.ts';
import type { GiveUp } from '../schedule/queue.ts';
import { toPercent } from '../stats/log-ratio.ts';
import type { UnreadChannel } from '../store/records.ts';
import { durationText, short, signed, significant } from '../text/numbers.ts';
import { listed, plain, plural } from '../text/plain.ts';
import { keyWords, variantKeyWords } from '../text/way-in.ts';
import type { RefusedNumber } from './metrics.ts';
import type { RunOutcome } from './one-run.ts';
import type { Progress } from './progress.ts';

/** Note on the executions that `batch: auto` found. */
export function batchNote(batch: Batch): string {
  const [least, most] = batch.range;
  const { targetS, isAllocated } = batch;
  if (least < most)
    return `Each run repeats its command, ${least} to ${most} times, for a window of about ${targetS} s (batch: auto).`;
  const executions = most;
  if (isAllocated)
    return executions === 1
      ? 'Each run executes the command once, which makes the most of the time (batch: auto).'
      : `Each run repeats the command ${executions} times, which makes the most of the time (batch: auto).`;
  if (executions === 1) return `One execution is long enough for the meter (batch: auto, ${targetS} s).`;
  const short = executions === MAX_EXECUTIONS ? '; that is the most, so the window stays shorter' : '';
  return `Each run repeats the command ${executions} times, for a window of about ${targetS} s (batch: auto${short}).`;
}

/** What the executions of a window share. */
export const startsNote = (ownStarts: boolean): string =>
  ownStarts
    ? 'Every execution has a start of its own.'
    : 'A run has one start, whose cost is spread over its executions.';

/** A run that is not good, with the last lines that it printed. */
export function badRunText(run: number, variant: string, { status, reason, execution }: RunOutcome): string {
  const lines = (execution?.outputTail ?? '').trimEnd().split('\n').slice(-5);
  const output = lines.join('') === '' ? '' : `\n${lines.map((line) => `    ${line}`).join('\n')}`;
  return `Run ${run} (${variant}) ${status === 'failed' ? 'failed' : `is ${status}`}: ${reason}.${output}`;
}

/** The error of an experiment that can't repeat a block any more. */
export function giveUpError(
  why: GiveUp,
  { variants }: Pick<Experiment, 'variants'>,
  exitCode: number | null = null,
): MeasureError {
  const error = giveUpReported(why, (name) => {
    const variant = variants.find((of) => of.name === name);
    if (variant !== undefined && !usesFiles(variant)) return noFiles(name);
    return variant?.revision && isOnHost(variant) && exitCode === NOT_FOUND ? `${NOT_COMMITTED} ` : '';
  });
  if (why.kind === 'failed-twice') error.variant = why.variant;
  return error;
}

function giveUpReported(why: GiveUp, lackOf: (variant: string) => string): MeasureError {
  switch (why.kind) {
    case 'failed-twice': {
      // What was resumed may have failed before.
      const failed = `failed ${why.runs.length === 2 ? 'twice' : `${why.runs.length} times`}`;
      const runs = `(runs ${listed(why.runs.map(String))})`;
      if (why.cause !== null && SERVICE_CAUSES.includes(why.cause)) {
        return new MeasureError(`A service of variant "${why.variant}" ${failed} ${runs}.`, { advice: SERVICE_OUTPUT });
      }
      if (why.cause === 'hook') {
        return new MeasureError(`A hook of variant "${why.variant}" ${failed} ${runs}.`, { advice: HOOK_OUTPUT });
      }
      const lack = why.cause === 'timeout' ? timeout() : why.cause === 'exit-code' ? lackOf(why.variant) : '';
      return new MeasureError(`The workload ${failed} in variant "${why.variant}" ${runs}.`, { advice: lack + OUTPUT });
    }
    case 'too-many-attempts':
      return new MeasureError(`Block ${why.block} had an invalid run in each of ${why.attempts} attempts.`, {
        advice: ADVICE[why.cause ?? 'missing-readings'] ?? READINGS,
      });
  }
}

const OUTPUT = 'Their output is in the folder logs of the result; everything measured so far is kept.';
const SERVICE_CAUSES: readonly RunCause[] = ['service-died', 'service-not-ready', 'port-taken'];
const SERVICE_OUTPUT =
  'What it printed is in the folder logs of the result, beside the log of its run; everything measured so far is kept.';
const HOOK_OUTPUT =
  'What it printed is in the logs of these runs, in the folder logs of the result; everything measured so far is kept.';
const timeout = (): string =>
  `A command may take 1h unless ${keyWords(['workload', 'timeout'], '2h')} gives another limit; none instead of a time lifts it. `;
const noFiles = (variant: string): string => {
  const keys = variantKeyWords(showPath(['variants', variant]), { volumes: '[.:/src]', workdir: '/src' });
  return `No file of this machine is in that container: what the command needs must be in the image, or in a folder that is mounted, by ${keys}. `;
};
/** Exit code of a shell that finds no such command. */
const NOT_FOUND = 127;
const READINGS =
  'Look at the reasons in runs.csv: a meter that loses readings is often a bad cable, hub or a busy machine.';
const LEFT_RUNNING =
  'The energy of whatever continues after the command has ended is not in its run. Let the command wait for everything that it starts, or stop it ' +
  '(a build daemon often has an option such as --no-daemon); a server that the command needs belongs under services.';
const MAX_NAMES = 5;
const ADVICE: Partial<Record<RunCause, string>> = {
  'left-running': LEFT_RUNNING,
  suspended: 'Keep the machine awake while it measures, with systemd-inhibit for example.',
};

/** Notes on peculiarities of good runs; each is shown once, since every run may have the same. */
export class RunNotes {
  readonly #progress: Pick<Progress, 'warn' | 'note'>;
  readonly #noted = new Set<string>();

  constructor(progress: Pick<Progress, 'warn' | 'note'>) {
    this.#progress = progress;
  }

  /** Notes what `prepare` left running. */
  left(variant: string, { names, runOn }: PreparedProcesses): void {
    if (!this.#isNew(`left ${variant}`)) return;
    const [they, them, use] = names.length === 1 ? ['it', 'it', 'uses'] : ['they', 'them', 'use'];
    const left = `prepare of variant ${JSON.stringify(variant)} left ${listed(names.slice(0, MAX_NAMES))} running`;
    if (runOn) {
      this.#progress.note(
        `${left} until the run is over: what ${they} ${use} in the window is measured. In a container, ${they} would have ended with prepare.`,
      );
    } else {
      this.#progress.warn(
        `${left}, which ended with prepare: in a container, prepare and run are two container starts, and only files survive the first. If the command needs ${them}, put ${them} under services.`,
      );
    }
  }

  /** Notes metrics that a good run did not print, or not in a known unit. */
  notPrinted(variant: string, run: number, metrics: readonly Metric[], outcome: RunOutcome): void {
    for (const metric of metrics) {
      const { name } = metric;
      if (outcome.metrics.some((one) => one.metric === name) || !this.#isNew(`metric ${variant} ${name}`)) continue;
      if ('harness' in metric) continue;
      const refused = outcome.refusedMetrics.find((one) => one.metric === name);
      const who = `Run ${run} (${variant})`;
      this.#progress.warn(
        refused === undefined
          ? `${who} printed no line such as ${JSON.stringify(metric.line)}, so its metric "${name}" is not known. Its output is in the folder logs of the result.`
          : refusedText(who, refused, metric),
      );
    }
  }

  /** Notes secondary channels that could not be read in a run that is good on the primary channel. */
  unread(variant: string, run: number, unread: readonly UnreadChannel[]): void {
    for (const { channel, reason } of unread) {
      if (!this.#isNew(`unread ${channel}`)) continue;
      this.#progress.warn(
        `Run ${run} (${variant}) has no energy on the channel ${channel}: ${reason}. It is compared on the others; runs.csv names any further ones.`,
      );
    }
  }

  /** Notes what is unknown about a run beside its energy. */
  note(variant: string, telemetry: RunTelemetry | null): void {
    if (telemetry === null) return;
    const { phaseProblem, usage } = telemetry;
    if (phaseProblem !== null && this.#isNew(`phases ${variant}`)) {
      this.#progress.warn(`The phases of a run of ${variant} are not known: ${phaseProblem}.`);
    }
    for (const sentence of usage?.unread ?? []) if (this.#isNew(sentence)) this.#progress.note(sentence);
  }

  #isNew(what: string): boolean {
    const isNew = !this.#noted.has(what);
    this.#noted.add(what);
    return isNew;
  }
}

function refusedText(who: string, { line, suffix }: RefusedNumber, metric: Metric & { readonly line: string }): string {
  const shown = (text: string) => JSON.stringify(plain(text, 60));
  const pattern = metric.line.replace('*', () => `*${plain(suffix, 20)}`);
  return `${who} printed ${shown(line.trim())}: its number ends in ${shown(suffix)}, and the unit of the metric "${metric.name}" is ${shown(metric.unit)}, so the metric is not known. Have the program print one unit; if this is it, write ${JSON.stringify(pattern)} as the line.`;
}

/** Expected result of a wanted width or time, before anything is compared. `isReached` null: no width is wanted. */
export function allocationText(
  { blocks, seconds, halfPercent }: Allocation,
  { wantPercent, withinS }: AutoRepetitions,
): { readonly text: string; readonly isReached: boolean | null } {
  const expected = `±${significant(halfPercent, 2)} %`;
  const how = `after ${plural(blocks, 'block')}, in ${durationText(seconds)}`;
  if (wantPercent === undefined) {
    return { isReached: null, text: `The interval is expected to be about ${expected} ${how}.` };
  }
  if (halfPercent <= wantPercent) return { isReached: true, text: `±${short(wantPercent)} % is expected ${how}.` };
  const found =
    withinS === undefined
      ? `in ${plural(blocks, 'block')}: about ${expected} will`
      : `within ${durationText(withinS)}: about ${expected} will, ${how}`;
  return {
    isReached: false,
    text: `±${short(wantPercent)} % will probably not be reached ${found}. A quieter machine or a longer time would help.`,
  };
}

/** What an expected width rests on: without it, a guess would pass for knowledge. */
export function scatterText({
  scatter,
  ownSpread,
}: {
  readonly scatter: ScatterSource;
  readonly ownSpread: number;
}): string {
  const by = `blocks that scatter by ${significant(toPercent(ownSpread), 2)} %`;
  return {
    'noise-floor': `From the machine’s noise floor: ${by}.`,
    'warm-up': `From the few runs of the warm-up: ${by}.`,
    assumed: `Assumed: ${by}; the warm-up was too short to tell.`,
  }[scatter];
}

/** Upper bound on the comparisons that are shown while measuring: more don't fit into a line. */
const MAX_SHOWN = 3;

/** Percentage points: from this half width on, an interval is shown by its ends. */
const MAX_SYMMETRIC = 50;

/** `+19 ± 6 %, no verdict yet`, `−56 % (−81 to +3), no verdict yet`; null: too little is known. */
export function soFarText(found: readonly SoFar[]): string | null {
  const each = found.slice(0, MAX_SHOWN).map(({ variant, percent, ci95 }) => {
    const half = (ci95[1] - ci95[0]) / 2;
    // An interval of a ratio is far from symmetric where it is wide, and never reaches −100 %.
    const change =
      half < MAX_SYMMETRIC
        ? `${signed(percent, half < 1 ? 1 : 0)} ± ${significant(half, 2)} %`
        : `${signed(percent, 0)} % (${signed(ci95[0], 0)} to ${signed(ci95[1], 0)})`;
    return found.length === 1 ? change : `${variant} ${change}`;
  });
  return each.length === 0 ? null : `${each.join(', ')}, no verdict yet`;
}
