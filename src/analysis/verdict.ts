import type { Comparison, Inconclusive, Verdict } from '../findings/comparison.ts';
import type { Interval } from '../findings/numbers.ts';
import { withRoom } from './comparison/coarse.ts';

export interface Decision {
  readonly verdict: Verdict;
  /** Null: the verdict is not `inconclusive`. */
  readonly reason: Inconclusive | null;
}

/**
 * The verdict (method reference, §1.9): inside the margin by the 90 % interval (two one-sided tests) is `equivalent` or, when the 95 % interval
 * leaves out zero, `changed-within-margin`; else outside zero by the 95 % interval is `increase` or `decrease`; else `inconclusive`.
 * The margin of m percent is the ratio from 1/(1 + m) to 1 + m. Anything undefined, or a confidence below 95 %, is inconclusive.
 * `pHolm`, where there are several comparisons, must be below 0.05 too for anything to be called a change.
 */
export function decide(
  percent: Pick<Comparison['percent'], 'ci95' | 'ci90' | 'confidence'>,
  marginPercent: number,
  obstacle: Inconclusive | null,
  pHolm: number | null = null,
): Decision {
  if (obstacle !== null) return { verdict: 'inconclusive', reason: obstacle };
  const { ci95, ci90, confidence } = percent;
  if (ci95 === null || ci90 === null || confidence === null || confidence < 0.95) {
    return { verdict: 'inconclusive', reason: 'too-few' };
  }
  const alone = ci95[0] > 0 || ci95[1] < 0;
  const changed = alone && (pHolm === null || pHolm < 0.05);
  if (isInside(ci90, marginPercent)) return { verdict: changed ? 'changed-within-margin' : 'equivalent', reason: null };
  if (changed) return { verdict: ci95[0] > 0 ? 'increase' : 'decrease', reason: null };
  return { verdict: 'inconclusive', reason: alone ? 'several' : 'open' };
}

/**
 * Decides so that the meter's resolution can't cause a conclusion: a verdict that only the widening by `room` prevents has its own reason. A
 * change within the margin is not called if the runs contradict it.
 */
export function decideChecked(
  percent: Parameters<typeof decide>[0],
  marginPercent: number,
  obstacle: Inconclusive | null,
  pHolm: number | null,
  { room, contradiction }: { readonly room: number; readonly contradiction: () => Inconclusive | null },
): Decision {
  const decided = decide(percent, marginPercent, obstacle, pHolm);
  if (decided.verdict === 'equivalent' || decided.verdict === 'changed-within-margin') {
    const reason = contradiction();
    return reason === null ? decided : { verdict: 'inconclusive', reason };
  }
  if (room === 0 || decided.verdict !== 'inconclusive') return decided;
  const without = decide(withRoom(percent, -room), marginPercent, obstacle, pHolm);
  return without.verdict === 'inconclusive' ? decided : { verdict: 'inconclusive', reason: 'coarse' };
}

/** Whether it is useful to state the change that these runs could have shown. */
export function isOpen(reason: Inconclusive | null): boolean {
  return reason === null || reason === 'open' || reason === 'several';
}

/** Whether the interval lies inside the margin but other statistics of the runs contradict it. */
export function isContradicted(reason: Inconclusive | null): boolean {
  return reason === 'drifts' || reason === 'groups' || reason === 'means-disagree';
}

/** Whether an interval in percent lies inside the margin, whose lower end is 1/(1 + m). */
export function isInside([low, high]: Interval, marginPercent: number): boolean {
  const lowest = 100 * (1 / (1 + marginPercent / 100) - 1);
  return low > lowest && high < marginPercent;
}
