import { phasesByName } from '../../../analysis/phases/by-name.ts';
import { stretchesOf } from '../../../analysis/phases/stretches.ts';
import type { RunResult } from '../../../analysis/results.ts';
import { TRACER_WAYS, TRACERS, type TracerName } from '../../../contracts/tracers.ts';
import type { Pair, Traced, TracedLine } from '../../../findings/explain.ts';
import { mean } from '../../../stats/sums.ts';
import { type Estimate, tInterval, tTest } from '../../../stats/welch.ts';
import type { ObservedRecord } from '../../../store/observed.ts';
import { areAlike, byDifference, discovered, type LineValues, lineEstimate, MIN_RUNS } from './estimate.ts';

/** Resolution of tracers, seconds: equal times may differ by it. */
const GRAIN_S = 1e-6;
/** Resolution of uftrace for times above a minute, which it rounds to whole seconds. */
const MINUTES_GRAIN_S = 1e-2;
const AMOUNTS = {
  strace: ['calls', 'errors', 'seconds'],
  'strace-services': ['calls', 'errors', 'seconds'],
  uftrace: ['calls', 'seconds'],
} as const satisfies Readonly<Record<TracerName, readonly TracedLine['amount'][]>>;

type Amounts = Readonly<Record<TracedLine['amount'], number>>;
const NONE: Amounts = { calls: 0, errors: 0, seconds: 0 };

export interface TracedRequest {
  readonly records: readonly ObservedRecord[];
  /** Measured runs of the experiment, on the primary channel. */
  readonly runs: readonly RunResult[];
  readonly pairs: readonly Pair[];
  readonly variants: readonly string[];
  /** Whether a mark of this name begins a phase; absent: all do. */
  readonly isPhase?: (name: string) => boolean;
}

/**
 * Calls in traced runs whose number, errors or seconds differ by more than between runs of one variant. Runs of one tracer are only compared
 * with each other, since tracing slows them down. Null: no run was traced.
 */
export function compareTraced(request: TracedRequest): Traced | null {
  const found = TRACERS.flatMap((tracer) => tracedBy(tracer, request) ?? []);
  return found.length === 0
    ? null
    : { runs: found.flatMap(({ runs }) => runs), lines: found.flatMap(({ lines }) => lines) };
}

function tracedBy(tracer: TracerName, { records, runs, pairs, variants, isPhase }: TracedRequest): Traced | null {
  const traced = records.filter(({ way, status }) => way === TRACER_WAYS[tracer] && status === 'ok');
  if (traced.length === 0) return null;
  const of = (variant: string) => traced.filter((record) => record.variant === variant);
  const by = tracer === 'strace' ? {} : { tracer };
  const asked = pairs.flatMap(({ baseline, variant }) => {
    const [before, after] = [of(baseline).map(sumCalls), of(variant).map(sumCalls)] as const;
    if (before.length < MIN_RUNS || after.length < MIN_RUNS) return [];
    return linesOf({ of: variant, against: baseline, ...by }, before, after, AMOUNTS[tracer]);
  });
  const amounts = AMOUNTS[tracer].map((amount) => asked.filter(({ line }) => line.amount === amount));
  return {
    runs: variants.flatMap((variant) => {
      const own = of(variant);
      if (own.length === 0) return [];
      const phases = phaseFactors(own, runs, isPhase);
      const reported = { of: variant, ...by, runs: own.length, factor: factorOf(own, runs) };
      return [{ ...reported, ...(phases.length > 0 && { phases }) }];
    }),
    lines: discovered(amounts.filter((all) => all.length > 0)).flatMap((lines) =>
      lines
        .map(({ of: { line, estimate }, q, confidence }) => ({ ...line, ci95: tInterval(estimate, confidence), q }))
        .sort(byDifference),
    ),
  };
}

function sumCalls({ counts }: ObservedRecord): ReadonlyMap<string, Amounts> {
  const found = new Map<string, Amounts>();
  for (const { kind, name, value, errors } of counts) {
    const sum = found.get(name) ?? NONE;
    if (kind === 'syscall' || kind === 'call') {
      found.set(name, { ...sum, calls: sum.calls + value, errors: sum.errors + (errors ?? 0) });
    }
    if (kind === 'stretched') found.set(name, { ...sum, seconds: sum.seconds + value });
  }
  return found;
}

/** Slowdown of one execution by tracing; null: the untraced duration is unknown. */
function factorOf(own: readonly ObservedRecord[], runs: readonly RunResult[]): number | null {
  const usual = runs.flatMap(({ status, variant, durationS, executions = 1 }) =>
    status === 'ok' && variant === own[0]?.variant && durationS !== null ? [durationS / executions] : [],
  );
  const took = own.map(({ startNs, endNs }) => Number(endNs - startNs) / 1e9);
  return usual.length > 0 && mean(usual) > 0 ? mean(took) / mean(usual) : null;
}

/** Slowdown of each phase that both kinds of runs have. */
function phaseFactors(
  own: readonly ObservedRecord[],
  runs: readonly RunResult[],
  isPhase: (name: string) => boolean = () => true,
): { phase: string; factor: number }[] {
  const took = own.map(({ marks, startNs, endNs }) => {
    const seconds = new Map<string, number>();
    const reported = marks.filter(({ phase }) => phase === null || isPhase(phase));
    for (const { phase, start, end } of stretchesOf(reported, { startNs, endNs, originNs: startNs })) {
      if (phase !== null) seconds.set(phase, (seconds.get(phase) ?? 0) + (end.ns - start.ns) / 1e9);
    }
    return seconds;
  });
  const measured = runs.filter(({ status, variant }) => status === 'ok' && variant === own[0]?.variant);
  return [...new Set(took.flatMap((seconds) => [...seconds.keys()]))].flatMap((phase) => {
    const usual = measured.flatMap((run) => {
      const durationS = phasesByName(run).get(phase)?.durationS;
      return durationS === undefined ? [] : [durationS / (run.executions ?? 1)];
    });
    if (usual.length === 0 || !(mean(usual) > 0)) return [];
    return [{ phase, factor: mean(took.flatMap((seconds) => seconds.get(phase) ?? [])) / mean(usual) }];
  });
}

interface Asked {
  readonly line: Omit<TracedLine, 'q' | 'ci95'>;
  readonly estimate: Estimate;
  readonly p: number;
}

function linesOf(
  whose: Pick<TracedLine, 'of' | 'against' | 'tracer'>,
  before: readonly ReadonlyMap<string, Amounts>[],
  after: readonly ReadonlyMap<string, Amounts>[],
  amounts: readonly TracedLine['amount'][],
): Asked[] {
  const names = new Set([...before, ...after].flatMap((calls) => [...calls.keys()]));
  return [...names].flatMap((name) =>
    amounts.flatMap((amount): Asked[] => {
      const valuesIn = (arm: typeof before) => arm.map((calls) => (calls.get(name) ?? NONE)[amount]);
      const [x, y] = [valuesIn(before), valuesIn(after)] as const;
      const kind = amount === 'seconds' ? 'function' : 'syscall';
      const values: LineValues = {
        kind,
        baseline: x,
        variant: y,
        grainS: whose.tracer === 'uftrace' && Math.max(...x, ...y) >= 60 ? MINUTES_GRAIN_S : GRAIN_S,
      };
      const estimate = lineEstimate(values);
      if (estimate === null) return [];
      const { p } = tTest(estimate);
      const means = { baseline: mean(x), variant: mean(y) };
      const alike = amount !== 'seconds' && areAlike(values) ? { alike: true as const } : {};
      return [{ line: { ...whose, name, amount, ...means, difference: estimate.value, ...alike }, estimate, p }];
    }),
  );
}
