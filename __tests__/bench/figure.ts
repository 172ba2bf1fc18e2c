/** One figure of the bench: what was measured, beside what it is compared with. */
export interface Figure {
  readonly what: string;
  readonly joulediff: string;
  readonly beside: string;
  readonly goal: string;
}

/** A figure for a terminal or a log: what it is, and below it its numbers. */
export function figureText({ what, joulediff, beside, goal }: Figure): string {
  const parts = [joulediff, beside, goal === '' ? '' : `goal: ${goal}`];
  return `${what}\n    ${parts.filter(Boolean).join('   ')}\n`;
}

export const ms = (seconds: number): string => `${(seconds * 1000).toFixed(1)} ms`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
