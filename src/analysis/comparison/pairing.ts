/** A valid run in a comparison. Energies may be zero or negative (net energy); they are finite. */
export interface ComparedRun {
  readonly run: number;
  /** Null: the data have no blocks. */
  readonly block: number | null;
  readonly energyJ: number;
  readonly durationS: number | null;
}

export interface Pair {
  readonly block: number;
  readonly baseline: ComparedRun;
  readonly variant: ComparedRun;
}

/**
 * The blocks with exactly one run of each, in the order of the blocks; null when no run has a block. A block with a run missing, or
 * with two of one variant, is no pair: which of them to take would be a choice made after seeing the energies.
 */
export function pairBlocks(baseline: readonly ComparedRun[], variant: readonly ComparedRun[]): Pair[] | null {
  if ([...baseline, ...variant].every((run) => run.block === null)) return null;
  const ofBaseline = Map.groupBy(baseline, (run) => run.block);
  const pairs: Pair[] = [];
  for (const [block, runs] of Map.groupBy(variant, (run) => run.block)) {
    const others = ofBaseline.get(block) ?? [];
    if (block !== null && runs.length === 1 && others.length === 1) {
      pairs.push({ block, baseline: others[0] as ComparedRun, variant: runs[0] as ComparedRun });
    }
  }
  return pairs.sort((a, b) => a.block - b.block);
}
