import type { Count, ObservedRun, PhaseProfile, StackTime } from '../../../contracts/observed-run.ts';
import {
  type CounterWork,
  type ExplainLine,
  type Explanation,
  isOf,
  type Pair,
  type Switches,
} from '../../../findings/explain.ts';
import { summarize } from '../../../stats/summary.ts';
import { type Estimate, tTest } from '../../../stats/welch.ts';
import { MOVED_BYTES } from '../observers/perf-bytes/names.ts';
import { compareWork, countersOf, perCycle } from './counters.ts';
import {
  areAlike,
  boundedInterval,
  boundedTest,
  byDifference,
  discovered,
  FALSE_DISCOVERIES,
  type LineValues,
  lineEstimate,
  MIN_RUNS,
} from './estimate.ts';
import { canonicalName, groupOf } from './names/names.ts';
import { isSampled, partsOf } from './tree.ts';

/** Minimum share of a phase's processor time, over all runs together, for testing a line. It does not depend on the difference. */
const MIN_SHARE = 0.005;

export interface ExplainRequest {
  readonly runs: readonly ObservedRun[];
  readonly pairs: readonly Pair[];
  readonly variants: readonly string[];
  readonly rungs: Explanation['rungs'];
  readonly stretch: Explanation['stretch'];
}

/** Explains differences between observed runs: lines that differ by more than between runs of one variant. */
export function explain({ runs, pairs, variants, rungs, stretch }: ExplainRequest): Explanation {
  const found = pairs.flatMap(({ baseline, variant }) => {
    const runsOf = (name: string) => runs.filter((run) => run.variant === name);
    const [before, after] = [runsOf(baseline), runsOf(variant)] as const;
    if (before.length < MIN_RUNS || after.length < MIN_RUNS) return [];
    const parts = [null, ...[...before, ...after].flatMap(({ phases }) => phases.map(({ phase }) => phase))];
    return [{ baseline, variant, before, after, parts: [...new Set(parts)] }];
  });
  const lines = withRates(found.flatMap(listContrasts));
  const work = found.flatMap((arms) => workByPart(arms, lines));
  const comparisons = found.map((arms) => compareArms(arms, lines));
  return {
    rungs,
    stretch,
    mix: computeMix(runs),
    lines,
    ...switches(runs, variants),
    ...countersSeen(runs),
    ...(work.length > 0 && { work }),
    explained_share: comparisons[0]?.explained_share ?? null,
    comparisons,
  };
}

function countersSeen(runs: readonly ObservedRun[]): Pick<Explanation, 'counters'> {
  const names = new Set(runs.flatMap((run) => [...countersOf(run, null).keys()]));
  return names.size === 0 ? {} : { counters: [...names].sort() };
}

/** Context switches of each variant and phase, whether they differ or not. A run without any was not counted, since each ends with a switch. */
function switches(runs: readonly ObservedRun[], variants: readonly string[]): Pick<Explanation, 'switches'> {
  const of = ({ counts }: PhaseProfile): number => sumOfSwitches(counts, ({ value }) => value);
  const unsureOf = ({ counts }: PhaseProfile): number => sumOfSwitches(counts, ({ unsure }) => unsure?.most ?? 0);
  const seen = runs.filter(({ phases }) => phases.some((phase) => of(phase) > 0));
  if (seen.length === 0) return {};
  const all = variants.flatMap((variant) => {
    const own = seen.filter((run) => run.variant === variant);
    const named = new Set(own.flatMap(({ phases }) => phases.flatMap(({ phase }) => phase ?? [])));
    return [null, ...named].flatMap((phase): Switches[] => {
      const sums = (amount: (part: PhaseProfile) => number): number[] =>
        own.map(({ phases }) =>
          phases.reduce((sum, one) => (phase === null || one.phase === phase ? sum + amount(one) : sum), 0),
        );
      const values = sums(of);
      const found = summarize(values);
      if (found === null) return [];
      const { mean: middle, mean_ci95: ci95 } = found;
      const most = phase === null ? 0 : mean(sums(unsureOf));
      // A number of switches is never negative.
      const wider = ci95 && ([Math.max(0, ci95[0] - most), ci95[1] + most] as const);
      return [{ variant, phase, runs: values.length, mean: middle, ci95: wider }];
    });
  });
  return { switches: all };
}

const sumOfSwitches = (counts: readonly Count[], amount: (count: Count) => number): number =>
  counts.reduce((sum, count) => (count.name === 'context-switches' ? sum + amount(count) : sum), 0);

/** Groups of functions for each variant and phase, the largest first. */
function computeMix(runs: readonly ObservedRun[]): Explanation['mix'] {
  return [...Map.groupBy(runs.filter(isSampled), ({ variant }) => variant)].flatMap(([of, own]) => {
    const isOfWhole = own.some(({ stacks }) => stacks !== undefined);
    const phases = Map.groupBy(
      own.flatMap((run) => partsOf(run)),
      ({ phase }) => phase,
    );
    return [...phases].flatMap(([phase, parts]) => {
      const seconds = new Map<string, number>();
      for (const { stacks } of parts) {
        for (const { frames, seconds: spent } of stacks) {
          const leaf = frames.at(-1);
          if (leaf === undefined) continue;
          const group = groupOf(leaf, frames.slice(0, -1));
          seconds.set(group, (seconds.get(group) ?? 0) + spent / own.length);
        }
      }
      const groups = [...seconds].map(([name, spent]) => ({ name, seconds: spent }));
      if (groups.length === 0) return [];
      const sorted = groups.toSorted((a, b) => b.seconds - a.seconds);
      return [{ of, phase, ...(isOfWhole && { of_whole_run: true as const }), groups: sorted }];
    });
  });
}

interface Arms extends Pair {
  readonly before: readonly ObservedRun[];
  readonly after: readonly ObservedRun[];
  /** Phases, preceded by the whole run (null). */
  readonly parts: readonly (string | null)[];
}

function listContrasts({ baseline, variant, before, after, parts }: Arms): Asked[] {
  return parts.flatMap((phase) => {
    const valuesIn = (arm: readonly ObservedRun[]) => arm.map((run) => valuesOf(run, phase));
    return linesOf({ of: variant, against: baseline, phase }, valuesIn(before), valuesIn(after));
  });
}

/** Comparison of hardware counters, for parts in which cycles differ clearly: a test of every phase would need wider intervals. */
function workByPart(arms: Arms, lines: readonly ExplainLine[]): CounterWork[] {
  const { baseline, variant, before, after, parts } = arms;
  return parts.flatMap((phase) => {
    const work = compareWork({ baseline: before, variant: after }, { of: variant, against: baseline, phase });
    const isLine = lines.some(
      (line) => line.kind === 'counter' && line.name === 'cycles' && isOf(line, arms) && line.phase === phase,
    );
    return work === null ? [] : [isLine ? work : { ...work, story: 'no-difference' as const }];
  });
}

function compareArms(arms: Arms, lines: readonly ExplainLine[]): Explanation['comparisons'][number] {
  const { baseline, variant, before, after } = arms;
  // Both variants use the same source: samples of all their time if both have enough of these runs, else the counted processor time.
  const isWhole = (run: ObservedRun): boolean => isSampled(run) && !run.isPartial;
  const [x, y] = [before.filter(isWhole), after.filter(isWhole)] as const;
  const areSampled = x.length >= MIN_RUNS && y.length >= MIN_RUNS;
  const seconds = (runs: readonly ObservedRun[]): number[] =>
    runs.map((run) => (areSampled ? sampledOfRun(run) : run.phases.reduce((sum, { cpuS }) => sum + cpuS, 0)));
  const [ofBaseline, ofVariant] = areSampled ? [x, y] : [before.filter(hasCpu), after.filter(hasCpu)];
  const [baselineS, variantS] = [seconds(ofBaseline), seconds(ofVariant)];
  const whole = lineEstimate({ kind: 'function', baseline: baselineS, variant: variantS, grainS: 0 });
  const own = lines.filter((line) => isOf(line, arms) && line.kind === 'function' && line.phase === null);
  const explainedS = own.reduce((sum, { difference }) => sum + difference, 0);
  const isDifferent = whole !== null && tTest(whole).p < FALSE_DISCOVERIES;
  return {
    baseline,
    variant,
    cpu_time_difference_s: whole?.value ?? null,
    time: areSampled && [...x, ...y].some(({ isThreadTime }) => isThreadTime) ? 'thread' : 'processor',
    ci95: whole === null ? null : [...tTest(whole).ci95],
    explained_share: isDifferent && whole !== null ? explainedS / whole.value : null,
  };
}

type Kind = ExplainLine['kind'];

interface Value {
  readonly kind: Kind;
  readonly name: string;
  readonly value: number;
  /** Largest error, because stretches were shared with other phases. */
  readonly most: number;
}

/** Values of one run by name, and the processor time that one sample represents. */
interface Values {
  readonly byName: ReadonlyMap<string, Value>;
  readonly cpuS: number;
  readonly grainS: number;
  /** Whether this kind was observed in the run: without observation, a value is unknown and not zero. */
  saw(kind: Kind, name: string): boolean;
}

const sampledOfRun = (run: ObservedRun): number => partsOf(run).reduce((sum, { stacks }) => sum + sumOf(stacks), 0);

const sumOf = (stacks: readonly StackTime[]): number => stacks.reduce((sum, { seconds }) => sum + seconds, 0);

const hasCpu = ({ lacksCpu }: ObservedRun): boolean => lacksCpu !== true;

function valuesOf(run: ObservedRun, part: string | null): Values {
  const { phases, sampleS = 0, commands, unseen, stacks: ofWhole } = run;
  const byName = new Map<string, { -readonly [K in keyof Value]: Value[K] }>();
  const add = (kind: Kind, name: string, value: number, most = 0): void => {
    const key = `${kind} ${name}`;
    const line = byName.get(key) ?? { kind, name, value: 0, most: 0 };
    line.value += value;
    // The uncertainties of all phases cancel in the whole run.
    if (part !== null) line.most += most;
    byName.set(key, line);
  };
  const addStacks = (stacks: readonly StackTime[]): void => {
    for (const { frames, seconds } of stacks) {
      const leaf = frames.at(-1);
      if (leaf === undefined) continue;
      add('function', canonicalName(leaf), seconds);
      add('group', groupOf(leaf, frames.slice(0, -1)), seconds);
    }
  };
  let cpuS = 0;
  // The whole run is the sum of its phases and the time outside of them.
  for (const phase of phases) {
    if (part !== null && phase.phase !== part) continue;
    cpuS += phase.stacks.length === 0 ? phase.cpuS : sumOf(phase.stacks);
    addStacks(phase.stacks);
    for (const { kind, name, value, unsure } of phase.counts) {
      if (part === null || !isOfWholeRun(kind, name)) add(kind, name, value, unsure?.most);
    }
  }
  if (part === null && ofWhole !== undefined) {
    cpuS = sumOf(ofWhole);
    addStacks(ofWhole);
  }
  if (part === null && commands !== undefined) addCommands(commands, add);
  for (const [name, value] of perCycle(countersOf(run, part))) add('ratio', name, value);
  const counters = countersOf(run, null);
  const saw = (kind: Kind, name: string): boolean => {
    if (isTime(kind)) return isSampled(run);
    if (isOfCommand(kind)) return commands !== undefined;
    // A run has no value of a hardware counter that was shared with other programs.
    return kind === 'counter'
      ? counters.has(name)
      : unseen?.has(kind) !== true && unseen?.has(`${kind} ${name}`) !== true;
  };
  return { byName, cpuS, grainS: sampleS, saw };
}

/** Kernel accounts that are read only before and after the window, so their phase is unknown. */
const isOfWholeRun = (kind: Kind, name: string): boolean =>
  (kind === 'bytes' && !MOVED.has(name)) || name === 'minor-faults';

const MOVED: ReadonlySet<string> = new Set(MOVED_BYTES);

/** Kinds whose absence means unknown rather than zero: an account that could not be read, or the time of a call that was not made. */
const isNoneUnknown = (kind: Kind, name: string): boolean =>
  kind === 'command-time' || kind === 'ratio' || isOfWholeRun(kind, name);

const isTime = (kind: Kind): boolean => kind === 'function' || kind === 'group';
const isSeconds = (kind: Kind): boolean => isTime(kind) || kind === 'command-time' || kind === 'off-cpu';
const isOfCommand = (kind: Kind): boolean => kind === 'command' || kind === 'command-time';

/** Adds calls of commands, and the time per call. Calls of several servers with the same name are added up. */
function addCommands(commands: readonly Count[], add: (kind: Kind, name: string, value: number) => void): void {
  const calls = new Map<string, number>();
  for (const { kind, name, value } of commands) {
    if (kind === 'command') calls.set(name, (calls.get(name) ?? 0) + value);
  }
  for (const [name, value] of calls) add('command', name, value);
  for (const { kind, name, value } of commands) {
    const of = calls.get(name) ?? 0;
    if (kind === 'command-time' && of > 0) add(kind, name, value / of);
  }
}

/** A tested line with its p. */
interface Asked {
  readonly line: Omit<ExplainLine, 'q' | 'ci95'>;
  readonly estimate: Estimate;
  /** Largest systematic error, in addition to the interval. */
  readonly most: number;
  readonly p: number;
}

function linesOf(
  whose: Pick<ExplainLine, 'of' | 'against' | 'phase'>,
  x: readonly Values[],
  y: readonly Values[],
): Asked[] {
  const all = [...x, ...y];
  const keys = new Map(all.flatMap(({ byName }) => [...byName].map(([key, { kind, name }]) => [key, { kind, name }])));
  const cpuS = mean(all.map((values) => values.cpuS));
  const grainS = mean(all.map((values) => values.grainS));
  return [...keys].flatMap(([key, { kind, name }]) => {
    const [before, after] = [x, y].map((arm) =>
      arm
        .filter(({ saw, byName }) => saw(kind, name) && (!isNoneUnknown(kind, name) || byName.has(key)))
        .map(({ byName }) => byName.get(key) ?? { value: 0, most: 0 }),
    ) as [Value[], Value[]];
    const [baseline, variant] = [before, after].map((arm) => arm.map(({ value }) => value)) as [number[], number[]];
    if (isTime(kind) && mean([...baseline, ...variant]) < MIN_SHARE * cpuS) return [];
    const values: LineValues = { kind, baseline, variant, grainS };
    const estimate = lineEstimate(values);
    if (estimate === null) return [];
    const most = [before, after].reduce((sum, arm) => sum + mean(arm.map((value) => value.most)), 0);
    const { p } = boundedTest(estimate, most);
    const line = {
      ...whose,
      kind,
      name,
      baseline: mean(baseline),
      variant: mean(variant),
      unit: isSeconds(kind) ? ('s' as const) : kind === 'bytes' ? ('B' as const) : ('1' as const),
      difference: estimate.value,
      ...(most === 0 && !isSeconds(kind) && areAlike(values) && { alike: true as const }),
    };
    return [{ line, estimate, most, p }];
  });
}

/** Lines that pass the false discovery rate, over all lines of their kind and over the kinds; the largest differences first. */
function withRates(asked: readonly Asked[]): ExplainLine[] {
  const shown = discovered([...Map.groupBy(asked, ({ line }) => line.kind).values()]).flat();
  return shown
    .map(({ of: { line, estimate, most }, q, confidence }) => ({
      ...line,
      ci95: boundedInterval(estimate, most, confidence),
      q,
    }))
    .sort(byDifference);
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
