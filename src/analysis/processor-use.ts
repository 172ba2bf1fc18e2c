import type { ProcessorReading } from '../store/records.ts';

/** How busy all processors of the machine were together in a run, in stretches between two moments. */
export interface ProcessorUse {
  /** The moments, seconds after the start of the window. The first one begins the first stretch. */
  readonly tS: Float64Array;
  /** Busy time from the first moment to each of them, seconds: one second is all processors busy for a second. */
  readonly fullS: Float64Array;
}

/** Processor use in a window from the kernel's counters; null: they hold no stretch. */
export function processorUse(
  readings: readonly ProcessorReading[],
  { startNs, endNs }: { readonly startNs: bigint; readonly endNs: bigint },
): ProcessorUse | null {
  const [first, ...others] = readings;
  if (first === undefined) return null;
  // The first and the last reading come just before the window and just after it.
  const at = ({ tNs }: ProcessorReading): number =>
    Math.min(Math.max(Number(tNs - startNs), 0), Number(endNs - startNs)) / 1e9;
  let from = first;
  const moments = [{ t: at(first), full: 0 }];
  for (const to of others) {
    const last = moments.at(-1) as (typeof moments)[number];
    const stretchS = at(to) - last.t;
    const allS = to.allS - from.allS;
    // The kernel may lower a count a little.
    if (!(stretchS > 0 && allS > 0)) continue;
    const share = Math.min(Math.max((to.busyS - from.busyS) / allS, 0), 1);
    moments.push({ t: at(to), full: last.full + share * stretchS });
    from = to;
  }
  if (moments.length < 2) return null;
  return { tS: Float64Array.from(moments, ({ t }) => t), fullS: Float64Array.from(moments, ({ full }) => full) };
}

/** The share of the processors in each stretch, at its end, percent; the first point is the start of the first stretch. */
export function useSteps({ tS, fullS }: ProcessorUse): { readonly x: number; readonly y: number }[] {
  return Array.from(tS, (x, i) => {
    const to = Math.max(i, 1);
    return { x, y: (100 * (fullS[to]! - fullS[to - 1]!)) / (tS[to]! - tS[to - 1]!) };
  });
}
