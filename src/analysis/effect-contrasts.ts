import type { FactorialDesign } from '../experiment/experiment.ts';

type Cell = FactorialDesign['cells'][number];

/** What an effect is computed from. */
export interface EffectContrasts {
  /** Levels of the effect's factors, one of each, that the cells have. */
  readonly combinations: readonly (readonly string[])[];
  /** Levels of the other factors with which all of these combinations are there. */
  readonly averaged: readonly (readonly string[])[];
  readonly df: number;
  /** From a value of each cell to the mean of each combination over `averaged`. */
  means(logOf: (variant: string) => number): number[];
  /** What of these means is the effect: none of it comes from the general mean or, in an interaction, from one factor alone. */
  effect(means: readonly number[]): number[];
}

/**
 * The effect of the factors at these places. It is averaged, with equal weights, over those combinations of the other factors with which all of
 * its own are there: so the cells that were left out favour no level, and whatever the other factors do takes the same part in each. Its degrees of freedom are 0 where there is no such
 * combination, or where those of its own that are there tell nothing.
 */
export function effectContrasts(cells: readonly Cell[], places: readonly number[]): EffectContrasts {
  const ownOf = ({ levels }: Cell) => places.map((place) => levels[place] as string);
  const otherOf = ({ levels }: Cell) => levels.filter((_, place) => !places.includes(place));
  const combinations = distinct(cells.map(ownOf));
  const slices = [...Map.groupBy(cells, (cell) => keyOf(otherOf(cell))).values()].filter(
    (slice) => slice.length === combinations.length,
  );
  const basis = orthonormal(withoutEffect(combinations));
  const variants = combinations.map((own) =>
    slices.flatMap((slice) => slice.filter((cell) => keyOf(ownOf(cell)) === keyOf(own)).map(({ variant }) => variant)),
  );
  return {
    combinations,
    averaged: slices.map((slice) => otherOf(slice[0] as Cell)),
    df: slices.length === 0 ? 0 : combinations.length - basis.length,
    means: (logOf) => variants.map((names) => names.reduce((sum, name) => sum + logOf(name), 0) / names.length),
    effect: (means) => basis.reduce((left, axis) => minusAlong(left, axis), [...means]),
  };
}

const keyOf = (levels: readonly string[]): string => JSON.stringify(levels);

function distinct(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((list) => [keyOf(list), list])).values()];
}

/** The columns of what is no part of the effect: the mean, and in an interaction each level of either factor. */
function withoutEffect(combinations: readonly (readonly string[])[]): number[][] {
  if (combinations[0]?.length === 1) return [combinations.map(() => 1)];
  const places = combinations[0]?.map((_, place) => place) ?? [];
  return places.flatMap((place) =>
    [...new Set(combinations.map((levels) => levels[place]))].map((level) =>
      combinations.map((levels) => (levels[place] === level ? 1 : 0)),
    ),
  );
}

/** Axes of the same space, by Gram and Schmidt; what depends on those before is left out. */
function orthonormal(columns: readonly (readonly number[])[]): number[][] {
  const axes: number[][] = [];
  for (const column of columns) {
    const left = axes.reduce((rest, axis) => minusAlong(rest, axis), [...column]);
    const length = Math.hypot(...left);
    if (length > 1e-9 * Math.hypot(...column)) axes.push(left.map((value) => value / length));
  }
  return axes;
}

function minusAlong(values: readonly number[], axis: readonly number[]): number[] {
  const along = values.reduce((sum, value, i) => sum + value * (axis[i] as number), 0);
  return values.map((value, i) => value - along * (axis[i] as number));
}
