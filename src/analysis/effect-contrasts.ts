import type { FactorialDesign } from '../experiment/experiment.ts';

type Cell = FactorialDesign['cells'][number];

/** Contrasts that an effect is computed from. */
export interface EffectContrasts {
  /** Combinations of levels of the effect's factors that the cells have. */
  readonly combinations: readonly (readonly string[])[];
  /** Combinations of the other factors' levels that exist together with all of these; the means average over them. */
  readonly averaged: readonly (readonly string[])[];
  readonly df: number;
  /** Mean of each combination over `averaged`, from a value of each cell. */
  means(valueFor: (variant: string) => number): number[];
  /** The effect in these means, without the grand mean and, for an interaction, without the main effects. */
  effect(means: readonly number[]): number[];
}

/**
 * The effect of the factors at these indices. It is averaged, with equal weights, over the combinations of the other factors that exist with all of
 * its own: so missing cells bias no level, and other factors contribute equally to each level. Its degrees of freedom are 0 if there is
 * no such combination, or if the existing cells don't determine the effect.
 */
export function effectContrasts(cells: readonly Cell[], places: readonly number[]): EffectContrasts {
  const ownOf = ({ levels }: Cell) => places.map((place) => levels[place] as string);
  const otherLevels = ({ levels }: Cell) => levels.filter((_, place) => !places.includes(place));
  const combinations = distinct(cells.map(ownOf));
  const slices = [...Map.groupBy(cells, (cell) => keyOf(otherLevels(cell))).values()].filter(
    (slice) => slice.length === combinations.length,
  );
  const basis = orthonormal(withoutEffect(combinations));
  const variants = combinations.map((own) =>
    slices.flatMap((slice) => slice.filter((cell) => keyOf(ownOf(cell)) === keyOf(own)).map(({ variant }) => variant)),
  );
  return {
    combinations,
    averaged: slices.map((slice) => otherLevels(slice[0] as Cell)),
    df: slices.length === 0 ? 0 : combinations.length - basis.length,
    means: (valueFor) => variants.map((names) => names.reduce((sum, name) => sum + valueFor(name), 0) / names.length),
    effect: (means) => basis.reduce((left, axis) => minusAlong(left, axis), [...means]),
  };
}

const keyOf = (levels: readonly string[]): string => JSON.stringify(levels);

function distinct(lists: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(lists.map((list) => [keyOf(list), list])).values()];
}

/** Columns that are not part of the effect: the mean, and for an interaction each level of either factor. */
function withoutEffect(combinations: readonly (readonly string[])[]): number[][] {
  if (combinations[0]?.length === 1) return [combinations.map(() => 1)];
  const places = combinations[0]?.map((_, place) => place) ?? [];
  return places.flatMap((place) =>
    [...new Set(combinations.map((levels) => levels[place]))].map((level) =>
      combinations.map((levels) => (levels[place] === level ? 1 : 0)),
    ),
  );
}

/** Orthonormal basis of the columns' span (Gram–Schmidt); linearly dependent columns are dropped. */
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
