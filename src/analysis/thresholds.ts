import type { Threshold } from '../experiment/experiment.ts';
import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import { holm } from '../stats/adjust.ts';
import { isGood } from './assemble.ts';
import { type Change, changeOf } from './comparison/change.ts';
import type { Interims } from './comparison/interim.ts';
import { takeSample } from './comparison/sample.ts';
import type { RunResult } from './results.ts';
import { isContradicted } from './verdict.ts';

/** Level of the two-sided tests: at the limit itself a threshold is crossed by chance in 2.5 % of experiments at most. */
const ALPHA = 0.05;

/**
 * What the thresholds come to. Crossed: the whole 95 % interval of the change lies beyond the limit, the comparison's own verdict is not
 * inconclusive, and, where several are judged, the signed-rank test against the limit holds by Holm's method over all of them. Kept: the
 * whole interval lies within, and nothing contradicts it. Open: everything else, and everything of an experiment that was cut short. Percent is the comparison's
 * headline; joules are the blocks' differences by the same estimate and test. Pure.
 */
export function judgeThresholds(
  { comparisons, meter, experiment }: Judged,
  runs: readonly RunResult[],
  thresholds: readonly Threshold[],
  looks: Interims | null = null,
): ThresholdResult[] {
  const asked = thresholds.flatMap((threshold): Asked[] => {
    const channel = threshold.channel ?? meter.channels[0] ?? '';
    const such = comparisons.filter((c) => c.channel === channel && c.variant === (threshold.variant ?? c.variant));
    if (such.length === 0) return [{ threshold, channel, comparison: null, change: NOTHING }];
    return such.map((comparison) => ({
      threshold,
      channel,
      comparison,
      change: judgedChange(runs, comparison, threshold, looks),
    }));
  });
  const adjusted = holmOf(asked.map(({ change, threshold }) => pOf(change, threshold)));
  return asked.map(({ threshold, channel, comparison, change }, i) => {
    const pHolm = adjusted[i] ?? null;
    const { state, obstacle } = judge(threshold, comparison, change, experiment.complete, pHolm);
    return {
      threshold: threshold.text,
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
      fails: state === 'crossed' || (state === 'open' && threshold.evenIfInconclusive && experiment.complete),
    };
  });
}

/** What thresholds are judged by. */
interface Judged extends Pick<Findings, 'comparisons'> {
  readonly meter: Pick<Findings['meter'], 'channels'>;
  readonly experiment: Pick<Findings['experiment'], 'baseline' | 'complete'>;
}

interface Asked {
  readonly threshold: Threshold;
  readonly channel: string;
  /** Null: there is none that it could be held against. */
  readonly comparison: Comparison | null;
  readonly change: Change;
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
  const { estimate, ci95, p } = changeOf(comparison, sample, { metric, limit: limit * executions }, looks);
  return {
    estimate: estimate && estimate / executions,
    ci95: ci95 && [ci95[0] / executions, ci95[1] / executions],
    p,
  };
}

/** What counts against the limit is a change beyond it. */
function pOf({ estimate, p }: Change, threshold: Threshold): number | null {
  if (estimate === null || p === null) return null;
  return isBeyond(threshold, estimate) ? p : 1;
}

function holmOf(ps: readonly (number | null)[]): (number | null)[] {
  const known = ps.filter((p) => p !== null);
  if (known.length < 2) return ps.map(() => null);
  const adjusted = holm(known);
  let place = 0;
  return ps.map((p) => (p === null ? null : (adjusted[place++] ?? null)));
}

function judge(
  threshold: Threshold,
  comparison: Comparison | null,
  { ci95 }: Change,
  complete: boolean,
  pHolm: number | null,
): { state: ThresholdResult['state']; obstacle: ThresholdResult['obstacle'] } {
  const open = (obstacle: NonNullable<ThresholdResult['obstacle']>) => ({ state: 'open', obstacle }) as const;
  if (!complete) return open('partial');
  if (comparison === null) return open('no-comparison');
  // Without variation there is no interval, however many runs there are.
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
