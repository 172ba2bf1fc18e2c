/** Adjusted p-values for several comparisons, in the order given. */

/** Holm (1979): holds the chance of any false alarm, whatever the dependence. */
export function holm(p: readonly number[]): number[] {
  const adjusted = new Array<number>(p.length);
  let most = 0;
  ascending(p).forEach((i, place) => {
    most = Math.max(most, Math.min(1, (p.length - place) * (p[i] as number)));
    adjusted[i] = most;
  });
  return adjusted;
}

/** Benjamini and Hochberg (1995): holds the share of false alarms among the findings. */
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
 * Rates of several families of hypotheses, such that those below `level` are held to it on average over the families in which there are any, and that where nothing
 * is there in none of them anything is found in no more than that share of cases: families are selected by Benjamini and Hochberg from their Simes p-values, and
 * what is tested within them pays for the others (Benjamini and Bogomolov 2014).
 */
export function familyRates(families: readonly (readonly number[])[], level: number): number[][] {
  const rates = families.map(benjaminiHochberg);
  const simes = rates.map((of) => of.reduce((least, rate) => Math.min(least, rate), 1));
  const selected = benjaminiHochberg(simes).filter((rate) => rate < level).length;
  return rates.map((of) => of.map((rate) => Math.min(1, (rate * families.length) / Math.max(1, selected))));
}

/**
 * How confident the intervals of what `familyRates` found below `level` have to be, by family: somebody picked it for its size, and its own interval at 1 − `level` would hold
 * less often the less surely it is found. So wide, on average no more than `level` of those that are shown don't hold (Benjamini and Yekutieli 2005), and none of them holds zero.
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
