/** Adjusted p-values for several comparisons, in the order given. */

/** Adjusted p-values by Holm (1979): bounds the chance of any false positive, however the tests depend on each other. */
export function holm(p: readonly number[]): number[] {
  const adjusted = new Array<number>(p.length);
  let most = 0;
  ascending(p).forEach((i, place) => {
    most = Math.max(most, Math.min(1, (p.length - place) * (p[i] as number)));
    adjusted[i] = most;
  });
  return adjusted;
}

/** Adjusts the p-values that are known, by Holm's method unless told otherwise; null stays null. */
export function adjustKnown(ps: readonly (number | null)[], method: (p: readonly number[]) => number[] = holm) {
  const adjusted = method(ps.filter((p) => p !== null));
  let place = 0;
  return ps.map((p) => (p === null ? null : (adjusted[place++] ?? null)));
}

/** The same; a p-value that is alone needs no adjustment, and is null. */
export function adjustSeveral(ps: readonly (number | null)[], method?: (p: readonly number[]) => number[]) {
  return adjustKnown(ps, ps.filter((p) => p !== null).length < 2 ? () => [] : method);
}

/** Adjusted p-values by Benjamini and Hochberg (1995): bounds the expected share of false positives among the findings. */
export function benjaminiHochberg(p: readonly number[]): number[] {
  const adjusted = new Array<number>(p.length);
  let least = 1;
  const order = ascending(p);
  for (let place = p.length; place >= 1; place--) {
    const i = order[place - 1] as number;
    least = Math.min(least, (p.length / place) * (p[i] as number));
    adjusted[i] = least;
  }
  return adjusted;
}

/**
 * Adjusted rates for several families of hypotheses. Rates below `level` bound the false discovery rate, averaged over the families with findings.
 * Where no hypothesis of any family is true, the chance of a finding is at most `level`. Benjamini–Hochberg selects families by their Simes p-values;
 * the rates inside a family grow with the share of families not selected (Benjamini and Bogomolov 2014).
 */
export function familyRates(families: readonly (readonly number[])[], level: number): number[][] {
  const rates = families.map(benjaminiHochberg);
  const simes = rates.map((of) => of.reduce((least, rate) => Math.min(least, rate), 1));
  const selected = benjaminiHochberg(simes).filter((rate) => rate < level).length;
  return rates.map((of) => of.map((rate) => Math.min(1, (rate * families.length) / Math.max(1, selected))));
}

/**
 * Confidence needed for the intervals of what `familyRates` found below `level`, by family. Found effects are selected for their size, so intervals
 * at 1 − `level` are too narrow. With these, at most `level` of the intervals miss on average (Benjamini and Yekutieli 2005), and none contains 0.
 */
export function confidencesOfFound(rates: readonly (readonly number[])[], level: number): number[] {
  const found = rates.map((of) => of.filter((rate) => rate < level).length);
  const selected = found.filter((n) => n > 0).length;
  return found.map((n, i) => {
    const all = (rates[i] as readonly number[]).length;
    return n === 0 ? 1 - level : 1 - level * (n / all) * (selected / rates.length);
  });
}

function ascending(p: readonly number[]): number[] {
  return p.map((_, i) => i).sort((i, j) => (p[i] as number) - (p[j] as number));
}
