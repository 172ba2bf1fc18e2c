/** A range of counts that share a colour. */
export interface CountClass {
  readonly from: number;
  /** Inclusive. */
  readonly to: number;
}

/**
 * At most `most` classes of counts from 1 to `highest`, each about as many times the one before, with round bounds: powers
 * because a few places have most of the readings.
 */
export function countClasses(highest: number, most: number): CountClass[] {
  if (highest <= most) return Array.from({ length: Math.max(highest, 1) }, (_, i) => ({ from: i + 1, to: i + 1 }));
  const starts = new Set([1]);
  for (let k = 1; k < most; k++) {
    const bound = roundCount((highest + 1) ** (k / most));
    if (bound <= highest) starts.add(Math.max(bound, k + 1));
  }
  const from = [...starts].sort((a, b) => a - b);
  return from.map((start, i) => ({ from: start, to: (from[i + 1] ?? highest + 1) - 1 }));
}

/** Nearest of 1, 2, 3, 5, 7 × 10^k, on a ratio's scale; small counts as they are. */
function roundCount(value: number): number {
  if (value < 10) return Math.round(value);
  const power = 10 ** Math.floor(Math.log10(value));
  const candidates = [1, 1.5, 2, 3, 4, 5, 7, 10].map((f) => f * power);
  const apart = (c: number): number => Math.abs(Math.log(c / value));
  return candidates.reduce((best, c) => (apart(c) < apart(best) ? c : best));
}

/** Place of the class that a count of at least 1 belongs to. */
export function classOf(classes: readonly CountClass[], count: number): number {
  const place = classes.findIndex((c) => count <= c.to);
  return place < 0 ? classes.length - 1 : place;
}
