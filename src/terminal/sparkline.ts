const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/**
 * The last `width` values as a line of bars between the least and the largest of them. Differences below `leastRange` are not
 * blown up to the full height.
 */
export function sparkline(values: readonly number[], width: number, leastRange: number): string {
  const shown = width > 0 ? values.slice(-width) : [];
  const least = Math.min(...shown);
  const range = Math.max(Math.max(...shown) - least, leastRange);
  return shown.map((value) => bars[range > 0 ? Math.min(7, Math.floor(((value - least) / range) * 8)) : 0]).join('');
}
