import type { PhaseMark } from '../../contracts/execution.ts';

/** From one checkpoint to the next; nanoseconds after the session's origin. */
export interface Stretch {
  /** Null: outside of phases. */
  readonly phase: string | null;
  readonly start: Edge;
  readonly end: Edge;
}

export interface Edge {
  readonly ns: number;
  /** Where it lies is uncertain by ± half of this; 0 for the edges of the window. */
  readonly lateNs: number;
  readonly ofWindow: boolean;
}

/**
 * The window cut at its checkpoints, without a rest. A checkpoint lies in the middle of the time in which it may have been told, and never
 * before the one before it. A phase that begins while it runs goes on.
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
    const edge = { ns, lateNs, ofWindow: false };
    if (ns > start.ns) stretches.push({ phase, start, end: edge });
    start = ns > start.ns ? edge : { ...start, lateNs: Math.max(start.lateNs, lateNs) };
    phase = mark.phase;
  }
  const end = { ns: at(endNs), lateNs: 0, ofWindow: true };
  if (end.ns > start.ns) stretches.push({ phase, start, end });
  return stretches;
}
