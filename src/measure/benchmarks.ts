import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Command } from '../contracts/variant.ts';
import { InputError, MeasureError } from '../errors.ts';
import { workloadEnvironment } from '../executors/environment.ts';
import { makeExecutor, type Variant } from '../executors/registry.ts';
import { type Experiment, MAX_VARIANTS } from '../experiment/experiment.ts';
import { cellName } from '../experiment/matrix-schema.ts';
import {
  type Benchmark,
  isRun,
  type Listing,
  listedBenchmark,
  namesIn,
  patternProblem,
  type Suite,
  withBenchmarks,
} from '../experiment/suite.ts';
import { harnesses } from '../harnesses/registry.ts';
import { LIST_PREFIX, makeMarkedFolder } from '../processes/left-folders.ts';
import { resultPath } from '../system/result-files.ts';
import { listed, plural, visible } from '../text/plain.ts';
import { makeCheckouts } from './checkout/checkouts.ts';
import type { Progress } from './progress.ts';
import { outputIn } from './surroundings.ts';

/** The longest list of benchmarks that is read, bytes. */
const MAX_OUTPUT = 2 ** 20;
/** Seconds that listing may take: some harnesses compile first. */
const LISTING_S = 900;
const LAST_LINES = 5;

interface FindRequest {
  readonly experimentId: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Whether the benchmarks of an experiment are still to be listed. */
export const areUnlisted = ({ suite }: Pick<Experiment, 'suite'>): boolean =>
  suite?.listing !== undefined && suite.benchmarks.length === 0;

/**
 * Lists the benchmarks of a suite in each variant's own place, where they are not given, and combines them with the variants. Says which of
 * them only one side has. Throws InputError where there is none to compare, MeasureError where the list can't be made.
 */
export async function findBenchmarks(experiment: Experiment, request: FindRequest): Promise<Experiment> {
  const { suite } = experiment;
  if (suite === undefined || !areUnlisted(experiment)) return experiment;
  const found = new Map<string, readonly string[]>();
  const { experimentId, signal, progress } = request;
  const [reported, printed] = [new Set<string>(), new Set<string>()];
  const log = (line: string): void => {
    if (!reported.has(line)) progress.note(line);
    reported.add(line);
  };
  const checkouts = await makeCheckouts({ experiment, experimentId, signal, log() {} });
  let folder: string | null = null;
  try {
    folder = makeMarkedFolder(tmpdir(), LIST_PREFIX, experimentId);
    mkdirSync(resultPath(folder, 'logs'));
    for (const variant of experiment.variants) {
      found.set(
        variant.name,
        await namesOf(variant, suite, { checkouts, folder, log, experiment, printed, ...request }),
      );
    }
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
    for (const line of checkouts.remove()) progress.warn(line);
  }
  for (const key of ['include', 'exclude'] as const) {
    for (const pattern of suite.listing?.[key] ?? []) {
      const problem = patternProblem(pattern, [...printed], 'benchmark');
      if (problem !== null) progress.warn(`${key}: ${problem}${problem.endsWith('?') ? '' : '.'}`);
    }
  }
  return withNames(experiment, suite, found, progress);
}

/** The same with the benchmarks that an unfinished experiment has. */
export function withRecordedBenchmarks(experiment: Experiment, recorded: Suite | undefined): Experiment {
  const { suite } = experiment;
  if (suite?.listing === undefined || recorded === undefined || !areUnlisted(experiment)) return experiment;
  return combined(experiment, { ...suite, benchmarks: recorded.benchmarks });
}

interface ListRequest extends FindRequest {
  readonly experiment: Experiment;
  readonly checkouts: Awaited<ReturnType<typeof makeCheckouts>>;
  readonly folder: string;
  /** Names of all listed benchmarks, also of those that were not asked for; the listing adds to it. */
  readonly printed: Set<string>;
  log(line: string): void;
}

async function namesOf(given: Variant, { listing }: Suite, request: ListRequest): Promise<string[]> {
  const { experiment, experimentId, checkouts, folder, signal, log, printed, progress } = request;
  if (listing === undefined) return [];
  const { inherited: inheritedEnv, passed: passedEnv } = workloadEnvironment(process.env, experiment.passEnv);
  const { variant, directory } = checkouts.locate(given);
  const lasting: (() => Promise<void>)[] = [];
  const environment = {
    experimentId,
    directory,
    inheritedEnv,
    passedEnv,
    log,
    atEnd: (end: () => Promise<void>) => void lasting.push(end),
  };
  const title = `The benchmarks of variant ${JSON.stringify(given.name)}`;
  try {
    const facts = await (await makeExecutor(variant, environment)).setup(signal);
    const { execution, output } = await outputIn(
      { variant, environment, facts, folder, signal },
      quietly(listing.list),
      {
        timeoutS: LISTING_S,
        maxBytes: MAX_OUTPUT,
      },
    );
    if (execution.timedOut || execution.exitCode !== 0) {
      const how = execution.timedOut ? `took more than ${LISTING_S} s` : `ended with exit code ${execution.exitCode}`;
      const lines = output.trimEnd().split('\n').slice(-LAST_LINES).map(visible).join('\n');
      throw new MeasureError(`${title} could not be listed: the command ${how}.${lines === '' ? '' : `\n${lines}`}`, {
        advice: needsText(listing),
      });
    }
    if (Buffer.byteLength(output) >= MAX_OUTPUT) {
      throw new MeasureError(`${title} are more than ${MAX_OUTPUT / 2 ** 20} MiB of text.`);
    }
    const { names, all, unfit } = namesIn(listing, output);
    for (const name of all) printed.add(name);
    if (unfit > 0) {
      progress.warn(`${title}: ${plural(unfit, 'name')} can't be used: more than 100 characters, or unprintable ones.`);
    }
    return names;
  } finally {
    for (const end of lasting.reverse()) await end();
  }
}

/** Keeps warnings of a command that ends well out of the list of benchmarks; where it fails, they tell why. */
const quietly = (list: Command): Command =>
  typeof list === 'string'
    ? `exec 3>&1; warnings=$( (${list}\n) 2>&1 1>&3 3>&- ); code=$?; [ $code -eq 0 ] || printf '%s\\n' "$warnings"; exit $code`
    : list;

function needsText({ harness }: Listing): string | undefined {
  const needs = harnesses.find(({ name }) => name === harness)?.needs;
  return needs === undefined ? undefined : `The harness ${harness} needs ${needs}.`;
}

function withNames(
  experiment: Experiment,
  suite: Suite,
  found: ReadonlyMap<string, readonly string[]>,
  progress: Progress,
): Experiment {
  const all = [...new Set([...found.values()].flat())];
  const benchmarks = all.map(
    (name): Benchmark => ({
      name,
      on: suite.variants.filter((variant) => found.get(variant)?.includes(name) === true),
    }),
  );
  const run = benchmarks.filter((one) => isRun(one, suite));
  const left = benchmarks.filter((one) => !isRun(one, suite)).map(({ name }) => name);
  if (run.length === 0) {
    throw new InputError(
      all.length === 0
        ? 'The suite has no benchmarks: its list is empty, or include and exclude leave none.'
        : `No benchmark is on both sides: ${listed(left)}.`,
    );
  }
  const known = [...all, ...run.flatMap(({ name, on }) => on.map((variant) => cellName(name, variant)))];
  for (const { of } of experiment.failOn ?? []) {
    const problem = typeof of === 'object' ? patternProblem(of.energy, known) : null;
    if (problem !== null) throw new InputError(`budget: ${problem}${problem.endsWith('?') ? '' : '.'}`);
  }
  const cells = run.reduce((sum, { on }) => sum + on.length, 0);
  if (cells > MAX_VARIANTS) {
    throw new InputError(`${run.length} benchmarks make ${cells} runs a block; the limit is ${MAX_VARIANTS}.`, {
      advice: 'Choose some of them with include or exclude.',
    });
  }
  progress.note(`Suite: ${plural(run.length, 'benchmark')}, each with ${listed(suite.variants)}.`);
  if (left.length > 0) progress.note(`On one side only, so not compared: ${listed(left)}.`);
  return combined(experiment, { ...suite, benchmarks });
}

const combined = (experiment: Experiment, suite: Suite): Experiment => ({
  ...experiment,
  ...withBenchmarks(experiment.variants, suite, (name, given) => listedBenchmark(suite.listing!, name, given).workload),
});
