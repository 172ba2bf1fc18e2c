import { chiSquaredTail } from './gamma.ts';
import { aboveZero } from './normal.ts';
import { midranks, tieSum } from './ranks.ts';

export interface KruskalWallis {
  readonly h: number;
  readonly df: number;
  readonly p: number;
}

/** Kruskal–Wallis H of two or more groups, tie-corrected, with the χ² approximation. Null for an empty group or when all is equal. */
export function kruskalWallis(groups: readonly (readonly number[])[]): KruskalWallis | null {
  if (groups.length < 2 || groups.some((group) => group.length === 0)) return null;
  const { ranks, groups: tied } = midranks(groups.flat());
  const total = ranks.length;
  const correction = 1 - tieSum(tied) / (total ** 3 - total);
  if (!(correction > 0)) return null;
  let from = 0;
  let between = 0;
  for (const { length } of groups) {
    const sum = ranks.slice(from, from + length).reduce((a, b) => a + b, 0);
    between += length * (sum / length - (total + 1) / 2) ** 2;
    from += length;
  }
  const h = ((12 / (total * (total + 1))) * between) / correction;
  return { h, df: groups.length - 1, p: aboveZero(chiSquaredTail(h, groups.length - 1)) };
}
