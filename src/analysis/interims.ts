import type { Interval } from '../findings/numbers.ts';
import type { InterimPlan } from '../schedule/interims.ts';
import { type ShiftInterval, walshInterval } from '../stats/hodges-lehmann.ts';
import { lanDeMets } from '../stats/lan-demets.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { signedRank } from '../stats/signed-rank.ts';

/** Error of the whole experiment: of calling something a change (two-sided), and of calling it equivalent (two one-sided tests). */
const CHANGE_ALPHA = 0.05;
const EQUIVALENCE_ALPHA = 0.1;

export interface InterimResult {
  /** Number of this look, from 1. */
  readonly look: number;
  /** Nominal levels of this look: two-sided p for a change; the equivalence interval has the confidence 1 − the second. */
  readonly levels: { readonly change: number; readonly equivalence: number };
  /** p of the exact signed-rank test. */
  readonly p: number | null;
  /** Repeated intervals, percent: right at whichever look one stops. Null where so few blocks don't reach the level. */
  readonly changeInterval: Interval | null;
  readonly equivalenceInterval: Interval | null;
}

/**
 * What the blocks show at one of several planned looks: Lan–DeMets bounds, so that all looks together call a change that isn't one in 5 %
 * of experiments at most; for equivalence two one-sided tests at 5 % in the same way. `planned`: blocks at each look, increasing whole numbers;
 * `logRatios`: of the complete blocks so far. Where blocks were lost, the look is taken with what there is;
 * `through`: blocks of the plan that are through, lost ones too, where that is known. Null before the first look. Pure. Throws RangeError
 * for a list that isn't such.
 */
export function interimResult(
  logRatios: readonly number[],
  plan: Pick<InterimPlan, 'planned' | 'spending'>,
  through = logRatios.length,
): InterimResult | null {
  const { planned } = plan;
  refuse(planned);
  const most = planned.at(-1) as number;
  const look = through >= most ? planned.length : planned.filter((blocks) => blocks <= through).length;
  if (look === 0) return null;
  const levels = levelsAt(look, plan, through);
  return {
    look,
    levels,
    p: signedRank(logRatios)?.p ?? null,
    changeInterval: percentInterval(walshInterval(logRatios, levels.change), levels.change),
    equivalenceInterval: percentInterval(walshInterval(logRatios, levels.equivalence), levels.equivalence),
  };
}

function refuse(looks: readonly number[]): void {
  const good = looks.length > 0 && looks.every((n, i) => Number.isInteger(n) && n > (looks[i - 1] ?? 0));
  if (!good) throw new RangeError(`looks at ${looks.join(', ')} blocks: they must be increasing whole numbers above 0`);
}

/** Levels of one look; the blocks that are in count, not those that were planned for it. */
function levelsAt(
  look: number,
  { planned, spending }: Pick<InterimPlan, 'planned' | 'spending'>,
  blocks: number,
): { change: number; equivalence: number } {
  const most = planned.at(-1) as number;
  const information = [...planned.slice(0, look - 1), Math.min(blocks, most)].map((n) => n / most);
  const nominal = (alpha: number): number => lanDeMets(information, alpha, spending)[look - 1]?.nominalP as number;
  return { change: nominal(CHANGE_ALPHA), equivalence: nominal(EQUIVALENCE_ALPHA) };
}

function percentInterval(found: ShiftInterval | null, alpha: number): Interval | null {
  if (found === null || found.confidence < 1 - alpha) return null;
  return [toPercent(found.interval[0]), toPercent(found.interval[1])];
}
