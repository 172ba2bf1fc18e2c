import type { Interval } from '../findings/numbers.ts';
import type { InterimPlan } from '../schedule/interims.ts';
import { type ShiftInterval, walshInterval } from '../stats/hodges-lehmann.ts';
import { lanDeMets } from '../stats/lan-demets.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { signedRank } from '../stats/signed-rank.ts';

/** Total errors of the experiment: for a change (two-sided), and for equivalence (two one-sided tests). */
const CHANGE_ALPHA = 0.05;
const EQUIVALENCE_ALPHA = 0.1;

export interface InterimResult {
  /** Number of this interim analysis, from 1. */
  readonly look: number;
  /** Nominal levels of this analysis: two-sided p for a change; the equivalence interval has the confidence 1 − the second. */
  readonly levels: { readonly change: number; readonly equivalence: number };
  /** p of the exact signed-rank test. */
  readonly p: number | null;
  /** Repeated intervals, percent: valid at any interim analysis. Null if there are too few blocks for the level. */
  readonly changeInterval: Interval | null;
  readonly equivalenceInterval: Interval | null;
}

/**
 * Result of one planned interim analysis by Lan–DeMets bounds: all of them together wrongly call a change in at most 5 %
 * of experiments; two one-sided tests at 5 % do the same for equivalence. `planned`: blocks at each analysis, increasing whole numbers;
 * `logRatios`: those of the complete blocks so far. If blocks were lost, the analysis uses the others;
 * `through`: blocks of the plan that are done, lost ones included, if known. Null before the first analysis. Pure. Throws RangeError
 * for an invalid list.
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

/** Levels of one analysis, by the number of blocks that it really has, not the planned one. */
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
