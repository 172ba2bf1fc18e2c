import type { Spending } from '../stats/lan-demets.ts';

/** Repetitions that follow from what is seen, within these limits. */
export interface AutoRepetitions {
  /** Blocks before the first interim analysis. */
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
  /** Of `precise`. */
  readonly wantPercent?: number;
}

/** Each interim analysis has so many times the blocks of the one before: more often costs more of the error than it saves in blocks. */
const GROWTH = 1.15;

/** The plan of an experiment that has at most so many blocks; null: their number is fixed. */
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
  // Most experiments end at an early analysis: Pocock's spending leaves enough for those, O'Brien and Fleming's next to nothing.
  const common = { planned, spending: 'pocock' } as const;
  return wantPercent === undefined
    ? { ...common, endsWhen: 'settled' }
    : { ...common, endsWhen: 'precise', wantPercent };
}

/** How many blocks fit into what is left of the time, one taking `blockS` seconds. */
export function blocksWithin(leftS: number, blockS: number): number {
  return blockS > 0 ? Math.max(0, Math.floor(leftS / blockS)) : 0;
}
