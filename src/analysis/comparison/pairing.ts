/** A valid run in a comparison. Energies may be zero or negative (net energy); they are finite. */
export interface ComparedRun {
  readonly run: number;
  /** Null: the data have no blocks. */
  readonly block: number | null;
  readonly energyJ: number;
  readonly durationS: number | null;
}

export interface Pair<Run = ComparedRun> {
  readonly block: number;
  readonly baseline: Run;
  readonly variant: Run;
}

/**
 * The blocks with exactly one run of each, in the order of the blocks; null when no run has a block. A block with a run missing, or
 * with two of one variant, is no pair: which of them to take would be a choice made after seeing the energies.
 */
export function pairBlocks<Run extends Pick<ComparedRun, 'block'>>(
  baseline: readonly Run[],
  variant: readonly Run[],
): Pair<Run>[] | null {
  if ([...baseline, ...variant].every((run) => run.block === null)) return null;
  const ofBaseline = Map.groupBy(baseline, (run) => run.block);
  const pairs: Pair<Run>[] = [];
  for (const [block, [run, ...more]] of Map.groupBy(variant, (run) => run.block)) {
    const [other, ...others] = ofBaseline.get(block) ?? [];
    if (block === null || run === undefined || other === undefined || more.length + others.length > 0) continue;
    pairs.push({ block, baseline: other, variant: run });
  }
  return pairs.sort((a, b) => a.block - b.block);
}
