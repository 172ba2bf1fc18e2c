import { type GoodRun, isGood } from '../../../analysis/assemble.ts';
import { completeBlocks } from '../../../analysis/effects.ts';
import type { Analysis } from '../../../analysis/results.ts';
import type { Findings } from '../../../findings/findings.ts';
import type { Summary } from '../../../findings/numbers.ts';
import { summarize } from '../../../stats/summary.ts';

interface Factor {
  readonly name: string;
  readonly levels: readonly string[];
}

interface Cell {
  readonly variant: string;
  readonly levels: readonly string[];
}

/** Energy, or another value of the runs, for the combinations of two factors of a matrix. */
export interface Combinations {
  readonly across: Factor;
  readonly lines: Factor;
  /** Number of combinations of the other factors in each mean; 0: there are no other factors. */
  readonly averaged: number;
  /** Number of other pairs of factors that were not chosen. */
  readonly others: number;
  /** Complete blocks used for the values. */
  readonly blocks: number;
  /** Summaries over the blocks, by the levels' indices; null: excluded combination. */
  readonly summaries: readonly (readonly (Summary | null)[])[];
}

/**
 * Two factors whose interaction is to be seen: those of two by two, or the pair whose interaction stands out most. Where there are other factors, an energy is, in each block, the mean over those of their
 * combinations that all levels of the two have. Null: no matrix, or nothing that is complete.
 */
export function factorCombinations(
  { findings, runs }: Analysis,
  readValue: (run: GoodRun) => number | null = ({ energyJ }) => energyJ,
): Combinations | null {
  const design = findDesign(findings);
  if (design === null) return null;
  const { factors, cells, channel, pair, others } = design;
  const [across, lines] = pair.map((place) => factors[place]) as [Factor, Factor];
  const all = runs.filter(isGood).flatMap((run) => {
    const value = run.channel === channel ? readValue(run) : null;
    // `completeBlocks` groups by energy, so another value replaces it.
    return value === null ? [] : [{ ...run, energyJ: value }];
  });
  const blocks = completeBlocks(
    all,
    cells.map(({ variant }) => variant),
  );
  const shared = sharedCells(cells, pair);
  const summaries = across.levels.map((first) =>
    lines.levels.map((second) => {
      const own = shared.filter(({ levels }) => levels[pair[0]] === first && levels[pair[1]] === second);
      if (own.length === 0) return null;
      const meanOf = (block: ReadonlyMap<string, number>): number =>
        own.reduce((sum, { variant }) => sum + (block.get(variant) as number), 0) / own.length;
      return summarize(blocks.map(meanOf));
    }),
  );
  if (summaries.flat().every((summary) => summary === null)) return null;
  const combinations = new Set(shared.map(({ levels }) => JSON.stringify(withoutPair(levels, pair)))).size;
  return {
    across,
    lines,
    others,
    summaries,
    averaged: factors.length > 2 ? combinations : 0,
    blocks: blocks.length,
  };
}

type Pair = readonly [number, number];

interface Design {
  readonly factors: readonly Factor[];
  readonly cells: readonly Cell[];
  readonly channel: string;
  readonly pair: Pair;
  readonly others: number;
}

function findDesign({ factorial, effects }: Findings): Design | null {
  if (factorial) {
    const { factors, cells, channel } = factorial;
    const [first, second] = factors;
    const named = cells.flatMap((row, i) =>
      row.map((variant, j) => ({ variant, levels: [first.levels[i] ?? '', second.levels[j] ?? ''] })),
    );
    return { factors, cells: named, channel, pair: [0, 1], others: 0 };
  }
  if (!effects || effects.factors.length < 2) return null;
  const { factors, cells, channel, tested } = effects;
  const interactions = tested.filter((effect) => effect.factors.length === 2);
  const [most] = interactions.filter(({ df }) => df > 0).toSorted((a, b) => (a.p ?? 1) - (b.p ?? 1));
  const placeOf = (name: string | undefined): number => factors.findIndex((factor) => factor.name === name);
  const pair: Pair = most === undefined ? [0, 1] : [placeOf(most.factors[0]), placeOf(most.factors[1])];
  return { factors, cells, channel, pair, others: interactions.length - 1 };
}

const withoutPair = (levels: readonly string[], pair: Pair): readonly string[] =>
  levels.filter((_, place) => !pair.includes(place));

/** Cells with those levels of the other factors that all combinations of the pair have; with two factors, all cells. */
function sharedCells(cells: readonly Cell[], pair: Pair): readonly Cell[] {
  const slices = [...Map.groupBy(cells, ({ levels }) => JSON.stringify(withoutPair(levels, pair))).values()];
  const combinations = new Set(cells.map(({ levels }) => JSON.stringify(pair.map((place) => levels[place])))).size;
  return slices.filter((slice) => slice.length === combinations).flat();
}
