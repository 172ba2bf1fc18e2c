import type { Traced, TracedLine } from '../../findings/explain.ts';
import { familyRates } from '../../stats/adjust.ts';
import { tTest } from '../../stats/welch.ts';
import type { ObservedRecord } from '../../store/observed.ts';
import type { RunResult } from '../results.ts';
import { lineEstimate } from './estimate.ts';

/** As for all that observed runs tell. */
const FALSE_DISCOVERIES = 0.05;
const LEAST_RUNS = 2;
/** strace tells no less than a microsecond: runs that agree by that are not alike. */
const STRACE_GRAIN_S = 1e-6;
const AMOUNTS = ['calls', 'errors', 'seconds'] as const;

type Amounts = Readonly<Record<TracedLine['amount'], number>>;
const NONE: Amounts = { calls: 0, errors: 0, seconds: 0 };

export interface TracedRequest {
  readonly records: readonly ObservedRecord[];
  /** Of the experiment itself, on the primary channel. */
  readonly runs: readonly RunResult[];
  readonly baseline: string;
  readonly variants: readonly string[];
}

/**
 * What runs under a tracer told of system calls: those of which calls, errors or seconds differ by more than between runs of one variant. They are
 * compared with one another alone, since the tracer stretches them. Null: no run was traced.
 */
export function tracedOf({ records, runs, baseline, variants }: TracedRequest): Traced | null {
  const traced = records.filter(({ way, status }) => way === 'traced' && status === 'ok');
  if (traced.length === 0) return null;
  const of = (variant: string) => traced.filter((record) => record.variant === variant);
  const before = of(baseline).map(callsOf);
  const asked = variants.flatMap((variant) => {
    const after = of(variant).map(callsOf);
    if (variant === baseline || before.length < LEAST_RUNS || after.length < LEAST_RUNS) return [];
    return linesOf(variant, before, after);
  });
  return {
    runs: variants.flatMap((variant) => {
      const own = of(variant);
      return own.length === 0 ? [] : [{ of: variant, runs: own.length, factor: factorOf(own, runs) }];
    }),
    lines: clear(
      AMOUNTS.map((amount) => asked.filter(({ line }) => line.amount === amount)).filter((all) => all.length > 0),
    ),
  };
}

function callsOf({ counts }: ObservedRecord): ReadonlyMap<string, Amounts> {
  const found = new Map<string, Amounts>();
  for (const { kind, name, value, errors } of counts) {
    const sum = found.get(name) ?? NONE;
    if (kind === 'syscall') found.set(name, { ...sum, calls: sum.calls + value, errors: sum.errors + (errors ?? 0) });
    if (kind === 'stretched') found.set(name, { ...sum, seconds: sum.seconds + value });
  }
  return found;
}

/** How much longer one execution took than when its energy was measured; null: nobody knows how long that is. */
function factorOf(own: readonly ObservedRecord[], runs: readonly RunResult[]): number | null {
  const usual = runs.flatMap(({ status, variant, durationS, executions = 1 }) =>
    status === 'ok' && variant === own[0]?.variant && durationS !== null ? [durationS / executions] : [],
  );
  const took = own.map(({ startNs, endNs }) => Number(endNs - startNs) / 1e9);
  return usual.length > 0 && mean(usual) > 0 ? mean(took) / mean(usual) : null;
}

interface Asked {
  readonly line: Omit<TracedLine, 'q'>;
  readonly p: number;
}

function linesOf(
  of: string,
  before: readonly ReadonlyMap<string, Amounts>[],
  after: readonly ReadonlyMap<string, Amounts>[],
): Asked[] {
  const names = new Set([...before, ...after].flatMap((calls) => [...calls.keys()]));
  return [...names].flatMap((name) =>
    AMOUNTS.flatMap((amount): Asked[] => {
      const [x, y] = [before, after].map((arm) => arm.map((calls) => (calls.get(name) ?? NONE)[amount])) as [
        number[],
        number[],
      ];
      const kind = amount === 'seconds' ? 'function' : 'syscall';
      const estimate = lineEstimate({ kind, baseline: x, variant: y, grainS: STRACE_GRAIN_S });
      if (estimate === null) return [];
      const { p, ci95 } = tTest(estimate);
      const means = { baseline: mean(x), variant: mean(y) };
      return [{ line: { of, name, amount, ...means, difference: estimate.value, ci95: [...ci95] }, p }];
    }),
  );
}

/** Those that hold against the false discovery rate, amount by amount, the greatest differences first. */
function clear(amounts: readonly (readonly Asked[])[]): TracedLine[] {
  const rates = familyRates(
    amounts.map((asked) => asked.map(({ p }) => p)),
    FALSE_DISCOVERIES,
  );
  return amounts.flatMap((asked, a) =>
    asked
      .flatMap(({ line }, i) => {
        const q = rates[a]?.[i] ?? 1;
        return q < FALSE_DISCOVERIES ? [{ ...line, q }] : [];
      })
      .toSorted((x, y) => Math.abs(y.difference) - Math.abs(x.difference)),
  );
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
