/** One line of the bench: what was measured, beside what it is compared with. */
export interface Figure {
  readonly what: string;
  readonly joulediff: string;
  readonly beside: string;
  readonly goal: string;
}

/** A plain table for a terminal or a log. */
export function table(figures: readonly Figure[]): string {
  const rows = [['', 'joulediff', 'beside', 'goal'], ...figures.map((f) => [f.what, f.joulediff, f.beside, f.goal])];
  const widths = [0, 1, 2, 3].map((c) => Math.max(...rows.map((row) => (row[c] ?? '').length)));
  const line = (row: string[]): string =>
    row
      .map((cell, c) => cell.padEnd(widths[c] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

export const ms = (seconds: number): string => `${(seconds * 1000).toFixed(1)} ms`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
