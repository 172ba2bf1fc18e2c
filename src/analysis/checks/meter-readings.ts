import type { Check } from '../../findings/checks.ts';
import { median } from '../../stats/quantiles.ts';
import type { SampleColumns } from '../../store/records.ts';
import { firstAfter } from '../idle.ts';
import type { RunEnergies } from '../run-energies.ts';

/** Minimum load of a run, processors, whose start and end the meter must show. */
export const BUSY = 0.3;
/** Minimum readings around an edge; with fewer, it is not checked. */
const MIN_READINGS = 4;
/** Minimum edges, and runs, for a result. */
export const MIN_EDGES = 6;
const MIN_RUNS = 4;
/** Minimum step that a meter shows clearly, in multiples of the smallest difference between two readings. */
export const CLEAR_STEPS = 3;
/** Share of edges with a repeated reading from which the meter has failed. */
const MANY = 0.05;
const MAX_REPORTED = 20;

/** An edge, nanoseconds after the session's origin, and the readings where the load begins or ends. */
interface Edge {
  readonly run: number;
  readonly steps: readonly number[];
}

/** Checks of the primary channel's readings, and those that another meter of the whole machine fails: of it the rest of the machine is computed. */
export function meterReadings(energies: RunEnergies, guardS: number): Check[] {
  const [primary, ...others] = new Map(energies.channels.map(({ channel }) => [channel.channel, channel])).values();
  const whole = others.filter(({ part, integration }) => part === 'machine' && integration === 'guard');
  return [
    ...(primary === undefined ? [] : readingsOf(energies, guardS, primary.channel, {})),
    ...whole.flatMap(({ channel }) =>
      readingsOf(energies, guardS, channel, { channel }).filter(({ state }) => state !== 'ok'),
    ),
  ];
}

/**
 * Whether the meter followed the load. *frozen*: a reading repeats exactly across the beginning or end of a run that kept
 * processors busy. *late*: in most runs, the power rises more than a guard after the beginning, and falls more than a guard after the
 * end, so that the guards cut off energy.
 */
function readingsOf(energies: RunEnergies, guardS: number, of: string, named: { readonly channel?: string }): Check[] {
  const here = energies.channels.filter(({ channel }) => channel.channel === of);
  const busy = busyProcessors(energies);
  const guardNs = guardS * 1e9;
  const edges: Edge[] = [];
  const lags: boolean[] = [];
  let stepW = Infinity;
  for (const { columns, records, times } of here) {
    stepW = Math.min(stepW, smallestStep(columns.powerW));
    for (const { run, startNs, endNs } of records) {
      if ((busy.get(run) ?? 0) < BUSY) continue;
      for (const edge of [startNs, endNs]) {
        const steps = columns.powerW.subarray(
          firstAfter(columns.tNs, edge - guardNs),
          firstAfter(columns.tNs, edge + 2 * guardNs),
        );
        if (steps.length >= MIN_READINGS) edges.push({ run, steps: [...steps] });
      }
      const late = isLate(columns, { startNs, endNs, guardNs, periodNs: times.periodS * 1e9 });
      if (late !== null) lags.push(late);
    }
  }
  if (edges.length < MIN_EDGES) return [];
  const frozen = edges.filter(({ steps }) => steps.every((watts) => watts === steps[0]));
  const seen = edges
    .filter((edge) => !frozen.includes(edge))
    .map(({ steps }) => Math.max(...steps) - Math.min(...steps));
  const lateRuns = lags.filter((late) => late).length;
  const facts = {
    ...named,
    edges: edges.length,
    frozen_edges: frozen.length,
    frozen_runs: [...new Set(frozen.map(({ run }) => run))].slice(0, MAX_REPORTED),
    late_runs: lateRuns,
    runs: lags.length,
    guard_s: guardS,
  };
  const name = 'meter readings';
  // A meter too coarse for this load repeats readings without being frozen.
  const isFine = seen.length === 0 || median(seen) >= CLEAR_STEPS * stepW;
  if (frozen.length >= 2 && isFine) {
    return [{ name, state: frozen.length >= MANY * edges.length ? 'fail' : 'warn', reason: 'frozen', facts }];
  }
  if (lags.length >= MIN_RUNS && lateRuns > lags.length / 2) return [{ name, state: 'fail', reason: 'late', facts }];
  return [{ name, state: 'ok', reason: 'follow', facts }];
}

/** Number of processors that each run kept busy, if known. */
export function busyProcessors({ runs, channels }: RunEnergies): ReadonlyMap<number, number> {
  const primary = channels[0]?.channel;
  return new Map(
    runs.flatMap((run) => {
      const cpuS = run.channel === primary?.channel ? run.resources?.cpuS : null;
      return cpuS == null || !run.durationS ? [] : [[run.run, cpuS / run.durationS] as const];
    }),
  );
}

/** The meter's resolution as its readings show it: the smallest difference between two different values, watts. */
export function smallestStep(watts: ArrayLike<number>): number {
  const values = Float64Array.from(watts).toSorted();
  return values.reduce((least, watts, i) => {
    const step = watts - (values[i - 1] ?? Number.NEGATIVE_INFINITY);
    return step > 0 && step < least ? step : least;
  }, Number.POSITIVE_INFINITY);
}

interface Window {
  readonly startNs: number;
  readonly endNs: number;
  readonly guardNs: number;
  readonly periodNs: number;
}

/** Whether the power rises and falls more than a guard late. Null: the window is too short, or the power does not rise. */
function isLate({ tNs, powerW }: SampleColumns, { startNs, endNs, guardNs, periodNs }: Window): boolean | null {
  const between = (fromNs: number, toNs: number): number[] => [
    ...powerW.subarray(firstAfter(tNs, fromNs), firstAfter(tNs, toNs)),
  ];
  const idle = between(startNs - guardNs, startNs);
  const load = between(startNs + guardNs + 2 * periodNs, endNs);
  const [rising] = between(startNs + guardNs, startNs + guardNs + 2 * periodNs);
  const [falling] = between(endNs + guardNs, endNs + guardNs + 2 * periodNs);
  if (idle.length < 2 || load.length < 2 || rising === undefined || falling === undefined) return null;
  const [low, high] = [median(idle), median(load)];
  const scatter = Math.max(...idle) - Math.min(...idle);
  if (high - low <= 2 * scatter || high <= low) return null;
  const half = (low + high) / 2;
  return rising < half && falling > half;
}
