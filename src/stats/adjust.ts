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

function ascending(p: readonly number[]): number[] {
  return p.map((_, i) => i).sort((i, j) => (p[i] as number) - (p[j] as number));
}
