import * as z from 'zod';
import type { Command, Workload } from '../contracts/variant.ts';
import { InputError } from '../errors.ts';
import type { Variant } from '../executors/registry.ts';
import { loopsItself } from '../executors/repeat.ts';
import type { Harness } from '../harnesses/harness.ts';
import { harnesses, harnessNames } from '../harnesses/registry.ts';
import { command, environment, hostPath, label, map, text, timeLimit, wholeNumber } from '../input/leaves.ts';
import { nearest, quote, suggest } from '../input/words.ts';
import { MAX_EXECUTIONS } from '../schedule/batch.ts';
import { shellWord } from '../text/shell.ts';
import { cellName } from './matrix-schema.ts';
import { metrics, resolveMetrics } from './metrics.ts';
import { inOrder } from './order.ts';

/** A suite of benchmarks that one experiment measures, each with every variant. */
export interface Suite {
  /** How to list the benchmarks when the experiment begins; absent: the file gives them. */
  readonly listing?: Listing;
  /** Names of the variants that each benchmark is run with; the first is the baseline. */
  readonly variants: readonly string[];
  /** Benchmarks; empty until they are listed. */
  readonly benchmarks: readonly Benchmark[];
}

export interface Benchmark {
  readonly name: string;
  /** The suite's variants that have this benchmark, in order. It is not run without the baseline and at least one other. */
  readonly on: readonly string[];
}

/** Commands that list the benchmarks, and run one of them. */
export interface Listing {
  readonly harness: string | null;
  readonly target: string | null;
  readonly list: Command;
  /** Command that runs a benchmark, with `{name}` for its name; null: the harness provides it. */
  readonly run: Command | null;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const NAME_MARK = '{name}';
const PATTERNS = 'a pattern such as "parse*", or a list of them';
const pattern = text(PATTERNS, /^[^\p{C}]{1,200}$/u, 200);
const patterns = z
  .union([pattern, z.array(pattern, { error: PATTERNS }).max(100, { error: PATTERNS })], { error: PATTERNS })
  .transform((given) => [given].flat())
  .prefault([]);
const include = patterns.meta({ description: 'Only benchmarks whose names match; * matches any text. Default: all.' });
const exclude = patterns.meta({ description: 'No benchmarks whose names match.' });

const SUITE =
  'a map of benchmarks and commands, a list of commands, { list: COMMAND, run: "COMMAND {name}" }, or { harness: NAME }';
const HARNESS = harnessNames.map((name) => `"${name}"`).join(', ');

const BATCH = '"auto", or a whole number';
const SERVICES = 'a list of names of services, such as [redis]';

const benchmarkKeys = map({
  run: command.meta({ description: 'Command that is measured, instead of workload.run.' }),
  prepare: command.nullish().meta({ description: 'Command to run before every run, outside the window.' }),
  cleanup: command.nullish().meta({ description: 'Command to run after every run, outside the window.' }),
  env: environment.nullish().meta({ description: 'Environment variables, in addition to those of the workload.' }),
  workdir: hostPath('a path').nullish().meta({ description: 'Working directory.' }),
  timeout: timeLimit.nullish().meta({ description: 'Time limit of a run; default: that of the workload.' }),
  batch: z
    .union([z.literal('auto', { error: BATCH }), wholeNumber(1, MAX_EXECUTIONS, BATCH)], { error: BATCH })
    .optional()
    .meta({ description: 'Times that it runs inside one window; default: batch of the experiment.' }),
  metrics: metrics.optional(),
  services: z
    .array(label, { error: SERVICES })
    .max(100, { error: SERVICES })
    .optional()
    .meta({ description: 'The services with lifetime: run that it needs; default: all.' }),
});

type BenchmarkFile = z.output<typeof benchmarkKeys>;

const listed = map({
  list: command.meta({
    description:
      "Command that prints the names of the benchmarks, one on each line. It runs in every variant's own place when the experiment begins.",
  }),
  run: command.meta({ description: 'Runs one of them; {name} is replaced by its name, quoted for the shell.' }),
  include,
  exclude,
});

const ofHarness = map({
  harness: z.enum(harnessNames as [string, ...string[]], { error: HARNESS }).meta({
    description: 'A program that lists benchmarks and runs one of them without its own repetition and calibration.',
  }),
  target: text('what the harness is pointed at', /^[^\p{C}]{1,1000}$/u, 1000)
    .optional()
    .meta({ description: 'What is benchmarked: tests, packages, a program or a file, depending on the harness.' }),
  include,
  exclude,
});

/** Schema of `suite`: benchmarks instead of one workload. */
export const suite = z
  .union(
    [
      listed,
      ofHarness,
      z.array(command, { error: SUITE }).min(1, { error: SUITE }).max(1000, { error: SUITE }),
      z.record(label, z.union([command, benchmarkKeys], { error: SUITE }), { error: SUITE }),
    ],
    { error: SUITE },
  )
  .meta({
    description:
      'Benchmarks that are measured together: every block runs each with every variant. Each gets a verdict, at a false discovery rate of 5 % over the suite.',
  });

export type SuiteFile = z.output<typeof suite>;

interface Given {
  readonly name: string;
  readonly workload: Pick<Workload, 'run'> & Partial<Workload>;
}

const isMap = (file: SuiteFile): file is Exclude<SuiteFile, readonly unknown[]> => !Array.isArray(file);

/** Parses a suite of an option or input: `pytest-benchmark`, or with a target, `go:./parse/...`. */
export function parseSuite(text: string): { harness: string; target?: string } {
  const [harness = '', ...target] = text.split(':');
  return { harness, ...(target.length > 0 && { target: target.join(':') }) };
}

/** How to list the benchmarks; null: the file gives them. */
export function toListing(file: SuiteFile): Listing | null {
  if (!isMap(file)) return null;
  const {
    list,
    run,
    harness,
    target,
    include: only,
    exclude: not,
  } = file as Partial<z.output<typeof listed> & z.output<typeof ofHarness>>;
  const givenPatterns = { include: only ?? [], exclude: not ?? [] };
  if (typeof harness === 'string' && Array.isArray(only)) {
    const found = getHarness(harness);
    const at = target ?? found.defaultTarget ?? '';
    return { harness, target: at, list: found.list(at), run: null, ...givenPatterns };
  }
  if (list === undefined || run === undefined || !Array.isArray(only)) return null;
  return { harness: null, target: null, list, run, ...givenPatterns };
}

const getHarness = (name: string): Harness => harnesses.find((one) => one.name === name) as Harness;

/** Problem of the suite's harness or target, as a message; null: none. */
export function harnessProblem(file: SuiteFile): string | null {
  const { harness, target } = file as { harness?: unknown; target?: unknown };
  if (typeof harness !== 'string') return null;
  // Without a listing, `harness` is an unknown harness and not the name of a benchmark.
  if (toListing(file) === null) return `there is no harness ${quote(harness)}; ${suggest(harness, harnessNames)}`;
  if (target !== undefined) return null;
  const found = getHarness(harness);
  return found.defaultTarget === null ? `the harness ${harness} needs a target: ${found.target}` : null;
}

/** The benchmarks that a file gives, in its order. */
export function givenBenchmarks(file: SuiteFile, order: readonly string[]): Given[] {
  if (!isMap(file)) return uniquely(file.map((run) => ({ name: nameOf(run), workload: { run } })));
  const all = Object.entries(file as Readonly<Record<string, Command | BenchmarkFile>>);
  return inOrder(all, ([name]) => name, order).map(([name, given]) => {
    if (typeof given === 'string' || Array.isArray(given)) return { name, workload: { run: given as Command } };
    const { run, prepare, cleanup, env, workdir, timeout, batch, services, metrics } = given as BenchmarkFile;
    return {
      name,
      workload: {
        run,
        ...(prepare !== undefined && { prepare }),
        ...(cleanup !== undefined && { cleanup }),
        ...(env != null && { env }),
        ...(workdir != null && { workdir }),
        ...(timeout != null && { timeoutS: timeout === 'none' ? null : timeout }),
        ...(batch !== undefined && { batch }),
        ...(services !== undefined && { services }),
        ...resolveMetrics(metrics),
      },
    };
  });
}

/** Whether the command of each benchmark repeats itself, so that one start makes all executions of a window; one entry for a whole listing. */
export function loops(file: SuiteFile): readonly boolean[] {
  const listing = toListing(file);
  const given = listing === null ? givenBenchmarks(file, []) : [listedBenchmark(listing, 'name')];
  return given.map(({ workload }) => loopsItself(workload.run));
}

/** Name of the metric for the time of one execution that a harness prints. */
const ITERATION_TIME = 'iteration_time';

const LONGEST_NAME = 60;

/** A command on one line. */
export function oneLine(run: Command): string {
  return (typeof run === 'string' ? run : run.join(' ')).replaceAll(/[\s\p{C}]+/gu, ' ').trim();
}

/** A command shortened to a name for tables and charts. */
export function nameOf(run: Command): string {
  const line = oneLine(run);
  return line.length <= LONGEST_NAME ? line : `${line.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
}

function uniquely(given: readonly Given[]): Given[] {
  const taken = new Set<string>();
  return given.map(({ name, workload }) => {
    let unique = name;
    for (let n = 2; taken.has(unique); n++) unique = `${name} (${n})`;
    taken.add(unique);
    return { name: unique, workload };
  });
}

/** A shell command that runs `then` after `first` has succeeded. */
function andThen(first: Command | null, then: string): string {
  if (first === null) return then;
  return `(${typeof first === 'string' ? first : first.map(shellWord).join(' ')}\n) && ${then}`;
}

/** Workload of a listed benchmark. The variant's preparation runs before the harness's own. */
export function listedBenchmark(
  { harness, target, run }: Listing,
  name: string,
  { prepare, cleanup }: Pick<Workload, 'prepare' | 'cleanup'> = { prepare: null, cleanup: null },
): Given {
  if (harness !== null) {
    const found = getHarness(harness);
    const at = target ?? '';
    return {
      name,
      workload: {
        run: found.run(at, name),
        ...(found.prepare && { prepare: andThen(prepare, found.prepare(at, name)) }),
        ...(found.cleanup && { cleanup: andThen(cleanup, found.cleanup(at, name)) }),
        ...(found.timeIn && { metrics: [{ name: ITERATION_TIME, unit: 'ns', harness }] }),
      },
    };
  }
  const command = run as Command;
  const made =
    typeof command === 'string'
      ? command.replaceAll(NAME_MARK, () => shellWord(name))
      : command.map((word) => word.replaceAll(NAME_MARK, () => name));
  return { name, workload: { run: made } };
}

/** Benchmark names in the output of a listing, each once. `names`: valid and selected; `all`: every valid one; `unfit`: number of invalid ones. */
export function namesIn(
  listing: Listing,
  output: string,
): { readonly names: string[]; readonly all: readonly string[]; readonly unfit: number } {
  const found =
    listing.harness === null
      ? output.split('\n').map((line) => line.trim())
      : getHarness(listing.harness).namesIn(output);
  const all = [...new Set(found.filter((name) => name !== ''))];
  const fit = all.filter((name) => label.safeParse(name).success);
  const [included, excluded] = [listing.include, listing.exclude].map(
    (given) => new Set(given.flatMap((one) => namedBy(one, fit))),
  );
  const names = fit.filter((name) => (listing.include.length === 0 || included!.has(name)) && !excluded!.has(name));
  return { names, all: fit, unfit: all.length - fit.length };
}

/** The names that a pattern matches: an exact match alone, or else all that are like it. */
export const namedBy = (pattern: string, names: readonly string[]): readonly string[] =>
  names.includes(pattern) ? [pattern] : names.filter((name) => isLike(name, pattern));

/** The variants that a key of `budget` matches, by their own names or those of their benchmarks. */
export function budgeted(
  pattern: string,
  variants: readonly string[],
  suite?: { readonly variants: readonly string[]; readonly benchmarks: readonly { readonly name: string }[] },
): readonly string[] {
  const names = (suite?.benchmarks ?? []).map(({ name }) => name);
  const own = namedBy(pattern, names).flatMap((name) => (suite?.variants ?? []).map((one) => cellName(name, one)));
  const meant = new Set(names.includes(pattern) ? own : [...own, ...namedBy(pattern, variants)]);
  return variants.filter((variant) => meant.has(variant));
}

/** Message that a pattern, such as a key of `budget`, matches none of these names; null: it matches some. */
export function patternProblem(
  pattern: string,
  names: readonly string[],
  what = 'benchmark or variant',
): string | null {
  if (namedBy(pattern, names).length > 0) return null;
  const meant = nearest(pattern.replaceAll('*', ''), names);
  const left = names.length - MAX_NAMED;
  const some = `there are ${names.slice(0, MAX_NAMED).map(quote).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
  return `${quote(pattern)} is the name of no ${what}; ${meant === null ? some : `did you mean ${quote(meant)}?`}`;
}

const MAX_NAMED = 5;

/** Whether a name matches a pattern, in which only `*` is special and stands for any text. */
export function isLike(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

/** The parts of an experiment that change when its variants are combined with benchmarks. */
interface Combined {
  readonly variants: readonly Variant[];
  readonly baseline: string;
  readonly suite: Suite;
}

/**
 * Combines every benchmark with each variant that has it. `variants`: those of the suite; `makeWorkload`: the workload of a benchmark.
 * A benchmark that the baseline lacks, or only the baseline has, is kept by name but not run. Throws InputError if two would have one name.
 */
export function withBenchmarks(
  variants: readonly Variant[],
  suite: Suite,
  makeWorkload: (name: string, given: Workload) => Given['workload'],
): Combined {
  const [baseline = ''] = suite.variants;
  refuseOneName(suite);
  const cells = suite.benchmarks
    .filter((one) => isRun(one, suite))
    .flatMap(({ name, on }) => {
      return on.map((variant): Variant => {
        const made = variants.find((one) => one.name === variant) as Variant;
        const { env, ...own } = makeWorkload(name, made.workload);
        const workload = { ...made.workload, ...own, env: { ...made.workload.env, ...env } };
        return { ...made, name: cellName(name, variant), workload };
      });
    });
  const first = suite.benchmarks.find((one) => isRun(one, suite));
  return { variants: cells, baseline: first === undefined ? baseline : cellName(first.name, baseline), suite };
}

/** Throws InputError if the names of two benchmarks and of their variants make one name. */
function refuseOneName({ benchmarks }: Suite): void {
  const known = new Map<string, string>();
  for (const { name, on } of benchmarks) {
    for (const variant of on) {
      const [cell, made] = [cellName(name, variant), `${quote(name)} with ${quote(variant)}`];
      const other = known.get(cell);
      known.set(cell, made);
      if (other === undefined) continue;
      throw new InputError(`The benchmarks ${other} and ${made} would both be named ${quote(cell)}.`, {
        advice: 'Rename one of the variants.',
      });
    }
  }
}

/** Whether a benchmark has the baseline and another variant, so that there is something to compare. */
export const isRun = ({ on }: Benchmark, { variants: [baseline = ''] }: Pick<Suite, 'variants'>): boolean =>
  on.length > 1 && on.includes(baseline);

/** A comparison of a benchmark, with the names of its variants in the experiment. */
export interface SuitePair {
  readonly benchmark: string;
  /** Name of the variant in the suite. */
  readonly of: string;
  readonly baseline: string;
  readonly variant: string;
}

/** The comparisons of a suite. */
export function pairsOf({ benchmarks, variants }: Suite): SuitePair[] {
  const [baseline = ''] = variants;
  return benchmarks
    .filter((one) => isRun(one, { variants }))
    .flatMap(({ name, on }) =>
      on
        .filter((variant) => variant !== baseline)
        .map((of) => ({ benchmark: name, of, baseline: cellName(name, baseline), variant: cellName(name, of) })),
    );
}

/** Benchmark of each variant of a suite, by variant; empty: there is no suite. */
export function benchmarksByVariant(suite: Suite | undefined): ReadonlyMap<string, string> {
  const all = suite?.benchmarks ?? [];
  return new Map(all.flatMap(({ name, on }) => on.map((variant) => [cellName(name, variant), name] as const)));
}
