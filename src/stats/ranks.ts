export interface Ranking {
  /** Rank of each value from 1; tied values share the mean of their ranks. */
  readonly ranks: readonly number[];
  /** Sizes of the groups of equal values, groups of one value included. */
  readonly groups: readonly number[];
  readonly ties: boolean;
}

/** Midranks of the values, with the sizes of the tied groups. */
export function midranks(values: readonly number[]): Ranking {
  const order = values.map((_, i) => i).sort((i, j) => (values[i] as number) - (values[j] as number));
  const ranks = new Array<number>(values.length).fill(0);
  const groups: number[] = [];
  for (let from = 0; from < order.length; ) {
    const value = values[order[from] as number];
    let to = from + 1;
    while (to < order.length && values[order[to] as number] === value) to++;
    for (let i = from; i < to; i++) ranks[order[i] as number] = (from + to + 1) / 2;
    groups.push(to - from);
    from = to;
  }
  return { ranks, groups, ties: groups.length < values.length };
}

/** Σ (t³ − t) over groups of t equal values: the correction of a rank variance for ties. */
export function tieSum(groups: readonly number[]): number {
  return groups.reduce((total, t) => total + (t * t * t - t), 0);
}
