import { isInside } from '../../../analysis/verdict.ts';
import { InputError } from '../../../errors.ts';
import type { Comparison, Verdict } from '../../../findings/comparison.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { LeftOut, Merged } from '../../../findings/merged.ts';
import type { Interval } from '../../../findings/numbers.ts';
import { failedChecks, primaryChannel } from '../../../report/verdict.ts';
import { pool, type Study } from '../../../stats/random-effects.ts';
import { tQuantile } from '../../../stats/student.ts';
import { plain } from '../../../text/plain.ts';

/** A result and its name. */
export interface Result {
  readonly name: string;
  readonly findings: Findings;
}

/** Unit that counts as one study: a machine with all its results, or each result. */
export type MergeBy = 'machine' | 'result';

/** One comparison of one result. */
interface Found {
  readonly given: Result;
  readonly comparison: Comparison;
  /** The study, or why there is none. */
  readonly study: MachineStudy | LeftOut;
}

interface Usable extends Found {
  readonly study: MachineStudy;
}

interface MachineStudy extends Study {
  readonly ci95: Interval;
}

/**
 * Pools the common comparisons of several machines by random effects. Throws InputError: results of different sources (measured,
 * modelled, emulated), duplicate results, or no comparison on two machines.
 */
export function merge(given: readonly Result[], by: MergeBy): Merged[] {
  refuseMixture(given);
  refuseCopies(given);
  const merged = inCommon(given, by);
  if (merged.length === 0) throw nothingInCommon(given.flatMap(foundIn), by);
  return merged;
}

/** Like `merge`, but empty if nothing can be pooled. */
export function mergeWhatMayBe(given: readonly Result[], by: MergeBy): Merged[] {
  const isMixed = new Set(given.map(({ findings }) => findings.meter.source)).size > 1;
  return isMixed || copies(given) !== null ? [] : inCommon(given, by);
}

function inCommon(given: readonly Result[], by: MergeBy): Merged[] {
  const groups = Map.groupBy(given.flatMap(foundIn), ({ comparison: { baseline, variant } }) =>
    JSON.stringify([baseline, variant]),
  );
  return [...groups.values()].flatMap((all) => {
    const usable = all.filter(isUsable);
    const machines = Map.groupBy(usable, ({ given }) => (by === 'machine' ? machineOf(given) : given.name));
    const leftOut = all.flatMap(({ given: { name }, study }) =>
      typeof study === 'string' ? [{ result: name, because: study }] : [],
    );
    return machines.size < 2 ? [] : [mergeOne([...machines.values()], leftOut, by)];
  });
}

function foundIn(given: Result): Found[] {
  const { findings } = given;
  const primary = primaryChannel(findings);
  const isTrusted = failedChecks(findings).length === 0;
  return findings.comparisons
    .filter(({ channel }) => channel === primary)
    .map((comparison) => ({ given, comparison, study: isTrusted ? studyOf(comparison) : 'untrusted' }));
}

const isUsable = (found: Found): found is Usable => typeof found.study !== 'string';

/** Error if nothing can be pooled; it names the closest case. */
function nothingInCommon(found: readonly Found[], by: MergeBy): InputError {
  const usable = found.filter(isUsable);
  const machines = new Set(usable.map(({ given }) => machineOf(given)));
  if (by === 'machine' && machines.size === 1 && usable.length > 1) {
    return new InputError(
      `All ${usable.length} comparisons are of one machine (${plain(usable[0]!.given.findings.conditions?.hostname ?? usable[0]!.given.name, 60)}).`,
      { advice: 'To take each result for itself: --by result.' },
    );
  }
  const seen = [...new Set(found.map(({ comparison: { baseline, variant } }) => `${variant} against ${baseline}`))];
  const what = seen.length === 0 ? 'They hold no comparison' : `They compare ${plain(seen.join(', '), 300)}`;
  return new InputError(`There is no comparison that two machines have in common. ${what}.`, {
    advice:
      'A comparison is the same when its variant and its baseline have the same names, and it needs at least two complete blocks.',
  });
}

/** Refuses a mixture of sources: energies of models, emulators and instruments are not comparable. */
function refuseMixture(given: readonly Result[]): void {
  const bySource = Map.groupBy(given, ({ findings }) => findings.meter.source);
  if (bySource.size < 2) return;
  const kinds = [...bySource].map(([source, [first, ...more]]) => {
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return `${source === 'unknown' ? 'of an unknown source' : source}: ${plain(first!.name, 60)}${others}`;
  });
  throw new InputError(`These results are of different kinds, which are never pooled (${kinds.join('; ')}).`, {
    advice: 'Merge those of one kind.',
  });
}

/** Two copies of a result: with the same experiment, or the same numbers. Null: none. */
function copies(given: readonly Result[]): readonly [Result, Result] | null {
  const seen = new Map<string, Result>();
  for (const result of given) {
    const { experiment, comparisons } = result.findings;
    // Without any estimate, results of different experiments have equal numbers: none.
    const hasNumbers = comparisons.some(({ percent }) => percent.estimate !== null);
    const keys = [
      ...(experiment.id === null ? [] : [experiment.id]),
      ...(hasNumbers ? [JSON.stringify(comparisons.map((c) => [c.percent, c.mean_energy_j, c.tests]))] : []),
    ];
    const other = keys.map((key) => seen.get(key)).find((found) => found !== undefined);
    if (other) return [other, result];
    for (const key of keys) seen.set(key, result);
  }
  return null;
}

/** Refuses copies: a result given twice would count as two machines that agree. */
function refuseCopies(given: readonly Result[]): void {
  const found = copies(given);
  if (found === null) return;
  const [one, other] = found.map(({ name }) => plain(name, 60));
  throw new InputError(`${one} and ${other} are the same result.`, { advice: 'Give each result once.' });
}

/** Mean log ratio of the blocks and its standard error, in percent units. */
function studyOf({ percent, blocks, verdict }: Comparison): MachineStudy | LeftOut {
  if (verdict === 'failed') return 'failed';
  const { mean_log: mean, mean_log_ci95: interval } = percent;
  if (blocks === null || blocks < 2 || mean === null) return 'no-blocks';
  if (interval === null) return 'no-spread';
  const [low, high] = [logPercent(interval[0]), logPercent(interval[1])];
  const se = (high - low) / 2 / tQuantile(0.975, blocks - 1);
  const effect = logPercent(mean);
  // Imported files may have impossible values.
  const isANumber = [effect, low, high, 1 / (se * se)].every(Number.isFinite);
  return isANumber && se > 0 ? { effect, se, ci95: [low, high] } : 'no-spread';
}

const logPercent = (percent: number): number => 100 * Math.log1p(percent / 100);

/** Host names that engines generate for containers, different for each container of a machine. */
const OF_CONTAINER = /^[0-9a-f]{12}$/;

/** Key of the result's machine. An unknown one is unique; unnamed containers with equal model and processor count as one machine. */
function machineOf({ name, findings: { conditions } }: Result): string {
  if (conditions === null) return name;
  const { hostname, machine, cpu } = conditions;
  return JSON.stringify([OF_CONTAINER.test(hostname) ? null : hostname, machine, cpu]);
}

/** Maximum studies for leave-one-out, which repeats the whole computation and shows little for many. */
const MAX_LEFT_OUT = 20;

function mergeOne(machines: readonly (readonly Usable[])[], leftOut: Merged['left_out'], by: MergeBy): Merged {
  const all = machines.flat();
  const names = namesOf(machines);
  const studies = machines.map(together);
  const pooled = pool(studies);
  const { baseline, variant } = all[0]!.comparison;
  return {
    baseline,
    variant,
    source: all[0]!.given.findings.meter.source,
    by,
    machines: machines.map((results, i) => ({
      name: names[i]!,
      percent: studies[i]!.effect,
      se_percent: studies[i]!.se,
      weight: pooled.weights[i]!,
      ci95: studies[i]!.ci95,
      results: results.map(({ given }) => given.name),
      meter: [...new Set(results.map(({ given }) => given.findings.meter.type))].join(', '),
      verdict: verdictOf(results, studies[i]!),
    })),
    pooled: {
      method: 'reml-hartung-knapp',
      percent: pooled.effect,
      ci95: pooled.ci95,
      prediction95: pooled.prediction95,
      tau_percent: pooled.tau,
      tau_ci95: pooled.tauCi95,
      i2_percent: 100 * pooled.i2,
      i2_ci95: [100 * pooled.i2Ci95[0], 100 * pooled.i2Ci95[1]],
      q: pooled.q,
      p: pooled.p,
    },
    leave_one_out:
      studies.length < 3 || studies.length > MAX_LEFT_OUT
        ? []
        : names.map((without, left) => {
            const { effect, ci95 } = pool(studies.filter((_, i) => i !== left));
            return { without, percent: effect, ci95 };
          }),
    left_out: leftOut,
    differs: differences(all),
  };
}

/** Combines several results of one machine into a study, with the variation between them in its error. */
function together(results: readonly Usable[]): MachineStudy {
  const studies = results.map(({ study }) => study);
  return studies.length === 1 ? studies[0]! : pool(studies);
}

function verdictOf(results: readonly Usable[], { ci95 }: MachineStudy): Verdict {
  const [first, ...others] = results;
  if (others.length === 0) return first!.comparison.verdict;
  const [low, high] = ci95.map((end) => 100 * Math.expm1(end / 100)) as [number, number];
  const isChange = low > 0 || high < 0;
  if (isInside([low, high], first!.given.findings.experiment.margin_percent)) {
    return isChange ? 'changed-within-margin' : 'equivalent';
  }
  return isChange ? (low > 0 ? 'increase' : 'decrease') : 'inconclusive';
}

/** Host names, and names of results where hosts have none of their own. */
function namesOf(machines: readonly (readonly Usable[])[]): string[] {
  const hosts = machines.map(([first]) => first!.given.findings.conditions?.hostname ?? null);
  return machines.map(([first], i) => {
    const host = hosts[i]!;
    return host !== null && hosts.filter((other) => other === host).length === 1 ? host : first!.given.name;
  });
}

/** Properties that must be equal for a pooled change to be meaningful. Partial results are never equal. */
const SAME: Readonly<Record<Merged['differs'][number], (found: Usable) => unknown>> = {
  experiment: ({ given: { findings } }) => findings.experiment.name,
  command: ({ given: { findings }, comparison: { baseline, variant } }) =>
    findings.variants.filter(({ name }) => name === baseline || name === variant).map(({ command }) => command),
  meter: ({ given: { findings } }) => findings.meter.type,
  part: ({ given: { findings } }) => findings.meter.part,
  margin: ({ given: { findings } }) => findings.experiment.margin_percent,
  partial: ({ given: { name, findings } }) => findings.experiment.complete || name,
};

function differences(all: readonly Usable[]): Merged['differs'] {
  const names = Object.keys(SAME) as Merged['differs'][number][];
  return names.filter((name) => new Set(all.map((found) => JSON.stringify(SAME[name](found)))).size > 1);
}
