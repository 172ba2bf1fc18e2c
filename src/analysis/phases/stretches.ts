import type { PhaseMark } from '../../contracts/execution.ts';

/** Part of a window between two checkpoints; nanoseconds after the session's origin. */
export interface Stretch {
  /** Null: outside of phases. */
  readonly phase: string | null;
  readonly start: Edge;
  readonly end: Edge;
}

export interface Edge {
  readonly ns: number;
  /** Uncertainty of its position: ± half of this; 0 for the edges of the window. */
  readonly lateNs: number;
  readonly ofWindow: boolean;
}

/**
 * Cuts the window at its checkpoints, without gaps. A checkpoint is placed in the middle of its possible times, and never
 * before the previous one. A marker of the current phase continues it.
 */
export function stretchesOf(
  marks: readonly PhaseMark[],
  { startNs, endNs, originNs }: { readonly startNs: bigint; readonly endNs: bigint; readonly originNs: bigint },
): Stretch[] {
  const at = (ns: bigint): number => Number(ns - originNs);
  const stretches: Stretch[] = [];
  let start: Edge = { ns: at(startNs), lateNs: 0, ofWindow: true };
  let phase: string | null = null;
  for (const mark of marks) {
    if (mark.phase === phase) continue;
    const lateNs = Number(mark.lateNs);
    const ns = Math.min(at(endNs), Math.max(start.ns, at(mark.tNs) - lateNs / 2));
    const edge = { ns, lateNs, ofWindow: ns === at(endNs) };
    if (ns > start.ns) stretches.push({ phase, start, end: edge });
    start = ns > start.ns ? edge : { ...start, lateNs: Math.max(start.lateNs, lateNs) };
    phase = mark.phase;
  }
  const end = { ns: at(endNs), lateNs: 0, ofWindow: true };
  if (end.ns > start.ns) stretches.push({ phase, start, end });
  return stretches;
}
