/**
 * Two-sided Fisher exact p that two shares differ: `a` of `n` against `b` of `m`, summing the tables no likelier than the observed one.
 */
export function fisherExact(a: number, n: number, b: number, m: number): number {
  const marked = a + b;
  const least = Math.max(0, marked - m);
  const most = Math.min(n, marked);
  const weights: number[] = [1];
  for (let k = least; k < most; k++) {
    const ratio = ((n - k) * (marked - k)) / ((k + 1) * (m - marked + k + 1));
    weights.push((weights[k - least] as number) * ratio);
  }
  const limit = (weights[a - least] as number) * (1 + 1e-7);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return Math.min(1, weights.filter((weight) => weight <= limit).reduce((sum, weight) => sum + weight, 0) / total);
}
