import type { Spending } from '../stats/lan-demets.ts';

/** Limits for a number of repetitions that the data decide. */
export interface AutoRepetitions {
  /** Number of blocks before the first interim analysis. */
  readonly least: number;
  /** Half the width of the 95 % interval that is wanted, percentage points; absent: a verdict is wanted. */
  readonly wantPercent?: number;
  /** Seconds that all blocks together may take, warm-up included; the number of blocks that fit is found at the end of the warm-up. */
  readonly withinS?: number;
}

/** The interim analyses of an experiment that may end early. */
export interface InterimPlan {
  /** Blocks at each analysis, increasing; the last one is the end. */
  readonly planned: readonly number[];
  readonly spending: Spending;
  /** What ends it: every change shown; every comparison settled, equivalence included; or intervals that are narrow enough. */
  readonly endsWhen: 'changed' | 'settled' | 'precise';
  /** Wanted half-width of the 95 % interval, percentage points; only with `precise`. */
  readonly wantPercent?: number;
}

/** Ratio of the blocks of successive interim analyses: more frequent ones spend more of the error than they save in blocks. */
const GROWTH = 1.15;

/** The interim analyses of an experiment with at most `most` blocks; null: the number of blocks is fixed. */
export function interimPlan(
  { looks, auto }: { readonly looks?: readonly number[]; readonly auto?: AutoRepetitions },
  most: number,
): InterimPlan | null {
  if (looks !== undefined) return { planned: looks, spending: 'obrien-fleming', endsWhen: 'changed' };
  if (auto === undefined) return null;
  const { least, wantPercent } = auto;
  const planned: number[] = [];
  for (let blocks = Math.min(least, most); blocks < most; blocks = Math.max(blocks + 1, Math.ceil(GROWTH * blocks))) {
    planned.push(blocks);
  }
  planned.push(most);
  // Most experiments end at an early analysis: Pocock's spending leaves enough error for those, O'Brien and Fleming's almost none.
  const common = { planned, spending: 'pocock' } as const;
  return wantPercent === undefined
    ? { ...common, endsWhen: 'settled' }
    : { ...common, endsWhen: 'precise', wantPercent };
}

/** Number of blocks that fit into the remaining time, if one takes `blockS` seconds. */
export function blocksWithin(leftS: number, blockS: number): number {
  return blockS > 0 ? Math.max(0, Math.floor(leftS / blockS)) : 0;
}
