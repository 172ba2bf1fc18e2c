import type { Threshold } from '../experiment/experiment.ts';
import { cellName } from '../experiment/matrix-schema.ts';
import { budgeted } from '../experiment/suite.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import { WITHOUT_NUMBER } from '../findings/suite.ts';
import { adjustSeveral } from '../stats/adjust.ts';
import { signedRank } from '../stats/signed-rank.ts';
import { isGood } from './assemble.ts';
import { type Change, changeOf } from './comparison/change.ts';
import { type Interims, interimsOf, repeated } from './comparison/interim.ts';
import { interval95 } from './comparison/percent.ts';
import { takeSample } from './comparison/sample.ts';
import type { RunResult } from './results.ts';
import { blockMeans } from './suite.ts';
import { isContradicted } from './verdict.ts';

/** Level of the two-sided tests: a change equal to the limit crosses it by chance in at most 2.5 % of experiments. */
const ALPHA = 0.05;

/**
 * Results of the thresholds. Crossed: the whole 95 % interval of the change lies beyond the limit, the comparison's own verdict is not
 * inconclusive, and, where several are judged, the signed-rank test against the limit holds by Holm's method over all of them. Kept: the
 * whole interval lies within, and nothing contradicts it. Open: everything else, and everything of an experiment that was cut short. Percent is the comparison's
 * headline; joules are the blocks' differences by the same estimate and test. Pure.
 */
export function judgeThresholds(
  findings: Judged,
  runs: readonly RunResult[],
  thresholds: readonly Threshold[],
  looks: Interims | null = null,
): ThresholdResult[] {
  const { comparisons, meter, experiment } = findings;
  const asked = thresholds.flatMap((threshold): Asked[] => {
    if (threshold.of === 'mean') return meansAsked(threshold, findings, runs, looks);
    if (threshold.of !== undefined) return [];
    const channel = threshold.channel ?? meter.channels[0] ?? '';
    const such = comparisons.filter((c) => c.channel === channel && isOf(c, threshold.variant));
    const left = leftOut(findings).filter((one) => one.variant !== one.baseline && isOf(one, threshold.variant));
    if (such.length + left.length === 0) return [{ threshold, channel, comparison: null, change: NOTHING }];
    return [
      ...such.map((comparison) => {
        const change = judgedChange(runs, comparison, threshold, looks);
        return { threshold, channel, comparison, change };
      }),
      ...left.map(({ obstacle, ...comparison }) => ({ threshold, channel, comparison, change: NOTHING, obstacle })),
    ];
  });
  const adjusted = adjustSeveral(asked.map(({ change, threshold }) => computeP(change, threshold)));
  const judged = asked.map(({ threshold, channel, comparison, change, obstacle: known }, i) => {
    const pHolm = adjusted[i] ?? null;
    const { state, obstacle } = judge(threshold, comparison, change, experiment.complete, pHolm, known);
    return {
      threshold: threshold.text,
      ...(threshold.of === 'mean' && { of: threshold.of }),
      baseline: comparison?.baseline ?? experiment.baseline,
      variant: comparison?.variant ?? threshold.variant,
      channel,
      metric: threshold.metric,
      direction: threshold.direction,
      limit: threshold.limit,
      estimate: change.estimate,
      ci95: change.ci95,
      p_holm: pHolm,
      state,
      obstacle,
      fails:
        state === 'crossed' ||
        obstacle === 'failed' ||
        (state === 'open' && threshold.evenIfInconclusive && experiment.complete),
    };
  });
  return [...judged, ...thresholds.flatMap((threshold) => budgetResults(threshold, findings))];
}

/** Whether a threshold names this comparison's variant, by its name in the experiment or in its suite. */
const isOf = ({ benchmark, variant }: Pick<Comparison, 'benchmark' | 'variant'>, named: string | null): boolean =>
  named === null || named === variant || (benchmark !== undefined && variant === `${benchmark}/${named}`);

/** Variants, baselines included, of benchmarks that ran but have no number: their limits apply as well. */
function leftOut({ suite, variants = [] }: Judged) {
  const { variants: [base = '', ...others] = [], benchmarks = [] } = suite ?? {};
  const measured = new Set(variants.map(({ name }) => name));
  return benchmarks.flatMap(({ name: benchmark, state }) => {
    const obstacle = WITHOUT_NUMBER.find((one) => one === state);
    if (obstacle === undefined) return [];
    const baseline = cellName(benchmark, base);
    return [baseline, ...others.map((one) => cellName(benchmark, one))]
      .filter((variant) => measured.has(variant))
      .map((variant) => ({ benchmark, baseline, variant, obstacle, verdict: 'inconclusive', reason: null }) as const);
  });
}

function meansAsked(
  threshold: Threshold,
  { suite, comparisons, meter }: Judged,
  runs: readonly RunResult[],
  looks: Interims | null,
): Asked[] {
  const channel = meter.channels[0] ?? '';
  const of = runs.filter((run) => run.channel === channel);
  const means = (suite?.means ?? []).filter(({ variant }) => variant === (threshold.variant ?? variant));
  if (means.length === 0) return [{ threshold, channel, comparison: null, change: NOTHING }];
  return means.map(({ baseline, variant, percent, verdict, reason }) => {
    const pairs = comparisons.filter(
      (one) => one.channel === channel && isOf(one, variant) && one.benchmark !== undefined,
    );
    const logs = blockMeans(pairs, of).map((log) => log - Math.log1p(threshold.limit / 100));
    const variants = pairs.map((one) => one.variant);
    const own = looks && interimsOf(looks, variants);
    const change = { estimate: percent.estimate, ci95: interval95(percent), p: repeated(signedRank(logs)?.p, own) };
    return { threshold, channel, comparison: { baseline, variant, verdict, reason }, change };
  });
}

/** Results of a limit on energies themselves, with all parts of their uncertainty. */
function budgetResults(threshold: Threshold, findings: Judged): ThresholdResult[] {
  const { variants = [], meter, suite, experiment } = findings;
  if (typeof threshold.of !== 'object') return [];
  const names = variants.map(({ name }) => name);
  const meant = new Set(budgeted(threshold.of.energy, names, suite));
  const left = new Map(leftOut(findings).map(({ variant, obstacle }) => [variant, obstacle]));
  const open = {
    threshold: threshold.text,
    of: 'energy',
    baseline: experiment.baseline,
    variant: null,
    channel: meter.channels[0] ?? '',
    metric: 'joules',
    direction: 'above',
    limit: threshold.limit,
    estimate: null,
    ci95: null,
    p_holm: null,
    state: 'open',
    fails: false,
  } as const;
  if (meant.size === 0) return [{ ...open, obstacle: 'no-comparison' }];
  return variants.flatMap((of): ThresholdResult[] => {
    const { name: variant } = of;
    const executions = of.executions_per_run ?? 1;
    if (!meant.has(variant)) return [];
    const obstacle = experiment.complete ? left.get(variant) : undefined;
    if (obstacle !== undefined) return [{ ...open, variant, obstacle, fails: obstacle === 'failed' }];
    const mean = of.energy_j?.mean ?? null;
    const uncertainty = of.energy_uncertainty_j?.of_mean ?? null;
    const estimate = mean === null ? null : mean / executions;
    if (mean === null || uncertainty === null) return [{ ...open, variant, estimate, obstacle: 'no-interval' }];
    const ci95 = [(mean - uncertainty) / executions, (mean + uncertainty) / executions] as const;
    const known = { ...open, variant, estimate, ci95 };
    if (!experiment.complete) return [{ ...known, obstacle: 'partial' }];
    if (ci95[0] > threshold.limit) return [{ ...known, state: 'crossed', obstacle: null, fails: true }];
    return [
      ci95[1] <= threshold.limit ? { ...known, state: 'kept', obstacle: null } : { ...known, obstacle: 'across' },
    ];
  });
}

/** Findings that thresholds are applied to. */
interface Judged extends Pick<Findings, 'comparisons' | 'suite'> {
  /** Absent if no threshold limits an energy itself. */
  readonly variants?: Findings['variants'];
  readonly meter: Pick<Findings['meter'], 'channels'>;
  readonly experiment: Pick<Findings['experiment'], 'baseline' | 'complete'>;
}

interface Asked {
  readonly threshold: Threshold;
  readonly channel: string;
  /** Null: no comparison has this change. */
  readonly comparison: Pick<Comparison, 'baseline' | 'variant' | 'verdict' | 'reason'> | null;
  readonly change: Change;
  /** Why a benchmark has no comparison. */
  readonly obstacle?: NonNullable<ThresholdResult['obstacle']>;
}

const NOTHING: Change = { estimate: null, ci95: null, p: null };

/** The change that a threshold judges. Joules are those of one execution of the command, both in the limit and in the change. */
function judgedChange(
  runs: readonly RunResult[],
  comparison: Comparison,
  { metric, limit }: Threshold,
  looks: Interims | null,
): Change {
  const { channel, baseline, variant } = comparison;
  const of = (name: string) => runs.filter((run) => run.channel === channel && run.variant === name).filter(isGood);
  const executions = metric === 'joules' ? (of(baseline)[0]?.executions ?? 1) : 1;
  const sample = takeSample(of(baseline), of(variant));
  const own = looks && interimsOf(looks, [variant]);
  const { estimate, ci95, p } = changeOf(comparison, sample, { metric, limit: limit * executions }, own);
  return {
    estimate: estimate && estimate / executions,
    ci95: ci95 && [ci95[0] / executions, ci95[1] / executions],
    p,
  };
}

/** p for a change beyond the limit; 1 for one that keeps it; null: unknown. */
function computeP({ estimate, p }: Change, threshold: Threshold): number | null {
  if (estimate === null || p === null) return null;
  return isBeyond(threshold, estimate) ? p : 1;
}

function judge(
  threshold: Threshold,
  comparison: Pick<Comparison, 'verdict' | 'reason'> | null,
  { ci95 }: Change,
  complete: boolean,
  pHolm: number | null,
  known?: Asked['obstacle'],
): { state: ThresholdResult['state']; obstacle: ThresholdResult['obstacle'] } {
  const open = (obstacle: NonNullable<ThresholdResult['obstacle']>) => ({ state: 'open', obstacle }) as const;
  if (!complete) return open('partial');
  if (known !== undefined) return open(known);
  if (comparison === null) return open('no-comparison');
  // Without variation there is no interval for any number of runs.
  if (ci95 === null) return open(comparison.reason === 'no-variation' ? 'inconclusive' : 'no-interval');
  const [low, high] = ci95;
  const beyond = [low, high].filter((end) => isBeyond(threshold, end)).length;
  if (beyond === 0) return isContradicted(comparison.reason) ? open('inconclusive') : { state: 'kept', obstacle: null };
  if (beyond === 1) return open('across');
  if (comparison.verdict === 'inconclusive') return open('inconclusive');
  return pHolm === null || pHolm < ALPHA ? { state: 'crossed', obstacle: null } : open('several');
}

function isBeyond({ direction, limit }: Threshold, change: number): boolean {
  return direction === 'above' ? change > limit : change < limit;
}
