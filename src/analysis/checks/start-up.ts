import type { CheckOf } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { RunResult } from '../results.ts';

/** Maximum share of the place's start in a window: with more, mostly the start is measured. */
const MAX_SHARE = 0.1;

/**
 * Share of the windows before the place has started, such as the start of a container before its workload. Facts, no
 * test. Empty for places without a start. `asksForStarts`: the experiment measures the cost of starts.
 */
export function startUpCheck(
  runs: readonly RunResult[],
  { asksForStarts: asked, batch }: { readonly asksForStarts: boolean; readonly batch: 'refused' | 'auto' | null },
): CheckOf<'start-up'>[] {
  const known = runs.flatMap(({ status, variant, durationS, executions = 1, place }) => {
    const { startUpS = null, starts = 1 } = place ?? {};
    if (status !== 'ok' || startUpS === null || !durationS) return [];
    return [
      { variant, executions, starts, startS: startUpS / starts, windowS: durationS, share: startUpS / durationS },
    ];
  });
  const seen = [...Map.groupBy(known, ({ variant }) => variant)].map(([variant, of]) => ({
    variant,
    executions: of[0]?.executions ?? 1,
    starts: of[0]?.starts ?? 1,
    start_s: median(of.map(({ startS }) => startS)),
    window_s: median(of.map(({ windowS }) => windowS)),
    percent: 100 * median(of.map(({ share }) => share)),
  }));
  if (seen.length === 0) return [];
  const name = 'start-up';
  const facts = { asked, seen, ...(batch && { batch }) };
  if (seen.every(({ percent }) => percent <= 100 * MAX_SHARE)) return [{ name, state: 'ok', reason: 'small', facts }];
  return [{ name, state: asked ? 'ok' : 'warn', reason: 'large', facts }];
}
