/** Least and greatest of any number of values; [Infinity, −Infinity] of none. `Math.min(...values)` fails beyond some 100,000. */
export function extentOf(values: Iterable<number>): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
