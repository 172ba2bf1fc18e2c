import type { Check } from '../../findings/checks.ts';
import { MIN_READINGS } from '../../schedule/batch.ts';
import { quantileOfSorted } from '../../stats/quantiles.ts';
import { sorted } from '../../stats/sums.ts';
import type { SampleColumns } from '../../store/records.ts';
import { firstAfter } from '../idle.ts';
import type { ChannelSession, RunEnergies } from '../run-energies.ts';
import { BUSY, busyProcessors, CLEAR_STEPS, MIN_EDGES, smallestStep } from './meter-readings.ts';

/** Update intervals up to this, seconds, need no check: the guards of wall meters are long enough for them. */
const MIN_RENEWAL_S = 5;
/** Minimum runs of a variant with a clear change of the value, for checking the variant's edges. */
const MIN_CLEAR_RUNS = 2;

/** Values as the meter gave them, in time order (nanoseconds after the session's origin). */
interface Values {
  readonly tNs: readonly number[];
  readonly watts: readonly number[];
}

/**
 * How often a polled meter updates its value: the smallest of three times, so that a quiet machine on a coarse meter raises no alarm.
 * These are between two changes of the value (10 % quantile), and from the start and the end of runs to the next change (90 % quantiles).
 * A window with few updates has few independent readings, and an update interval longer than the guard moves energy out of the window.
 */
export function renewal(energies: RunEnergies, guardS: number): Check[] {
  const primary = energies.channels[0]?.channel;
  if (primary === undefined || primary.integration === 'counter' || primary.clock === 'meter') return [];
  const sessions = energies.channels
    .filter(({ channel }) => channel.channel === primary.channel)
    .map((session) => ({ records: session.records, values: valuesOf(session.columns) }));
  const gaps = sessions.flatMap(({ values }) => {
    const changes = findChanges(values);
    return changes.slice(1).map((tNs, i) => tNs - (changes[i] as number));
  });
  const stepW = primary.resolutionW ?? Math.min(...sessions.map(({ values }) => smallestStep(values.watts)));
  const held = heldNs(sessions, clearRuns(energies, sessions, { guardNs: guardS * 1e9, leastW: CLEAR_STEPS * stepW }));
  const lengths = energies.runs.flatMap(({ channel, status, durationS }) =>
    channel === primary.channel && status === 'ok' && durationS !== null ? [durationS] : [],
  );
  if (held.starts.length + held.ends.length < MIN_EDGES || gaps.length < MIN_EDGES || lengths.length === 0) return [];
  const renewalS = Math.min(quantile(gaps, 0.1), quantile(held.starts, 0.9), quantile(held.ends, 0.9)) / 1e9;
  const shortestS = Math.min(...lengths);
  const facts = {
    meter: primary.meter.name,
    renewal_s: renewalS,
    longest_s: gaps.reduce((most, gap) => Math.max(most, gap), 0) / 1e9,
    resolution_w: primary.resolutionW ?? null,
    period_s: primary.samplingPeriodS,
    guard_s: guardS,
    shortest_s: shortestS,
    enough_s: MIN_READINGS * renewalS,
  };
  const name = 'renewal';
  if (renewalS <= Math.max(MIN_RENEWAL_S, primary.samplingPeriodS)) {
    return [{ name, state: 'ok', reason: 'prompt', facts }];
  }
  if (renewalS > guardS) return [{ name, state: 'fail', reason: 'beyond-guard', facts }];
  if (shortestS < facts.enough_s) return [{ name, state: 'fail', reason: 'few', facts }];
  return [{ name, state: 'ok', reason: 'enough', facts }];
}

const quantile = (values: readonly number[], p: number): number => quantileOfSorted(sorted(values), p);

/** A sample may be the mean of several values. */
function valuesOf({ tNs, powerW, readings }: SampleColumns): Values {
  const values: { tNs: number[]; watts: number[] } = { tNs: [], watts: [] };
  powerW.forEach((mean, i) => {
    const raw = readings?.get(i) ?? [[0, mean] as const];
    let at = (tNs[i] as number) - raw.reduce((sum, [durationNs]) => sum + durationNs, 0);
    for (const [durationNs, watts] of raw) {
      at += durationNs;
      values.tNs.push(at);
      values.watts.push(watts);
    }
  });
  return values;
}

const findChanges = ({ tNs, watts }: Values): number[] => tNs.filter((_, i) => i > 0 && watts[i] !== watts[i - 1]);

interface Session extends Pick<ChannelSession, 'records'> {
  readonly values: Values;
}

/** Busy runs of variants whose load the meter can show: their values differ clearly in at least two runs. */
function clearRuns(
  energies: RunEnergies,
  sessions: readonly Session[],
  { guardNs, leastW }: { readonly guardNs: number; readonly leastW: number },
): ReadonlySet<number> {
  const busy = busyProcessors(energies);
  const variants = new Map(energies.runs.map(({ run, variant }) => [run, variant]));
  const seen = sessions.flatMap(({ records, values }) =>
    records
      .filter(({ run }) => (busy.get(run) ?? 0) >= BUSY)
      .map(({ run, startNs, endNs }) => {
        const before = Math.max(0, firstAfter(values.tNs, startNs) - 1);
        const watts = values.watts.slice(before, firstAfter(values.tNs, endNs + guardNs));
        const [lowW, highW] = watts.reduce(
          ([low, high], one) => [Math.min(low, one), Math.max(high, one)],
          [Infinity, -Infinity],
        );
        return { run, isClear: highW - lowW >= leastW };
      }),
  );
  const byVariant = Map.groupBy(seen, ({ run }) => variants.get(run) ?? '');
  const clear = [...byVariant.values()].filter(
    (runs) => runs.filter(({ isClear }) => isClear).length >= MIN_CLEAR_RUNS,
  );
  return new Set(clear.flat().map(({ run }) => run));
}

/** Times from the start and the end of these runs to the next change of the value, nanoseconds. */
function heldNs(sessions: readonly Session[], runs: ReadonlySet<number>): { starts: number[]; ends: number[] } {
  const held = sessions.flatMap(({ records, values }) => {
    const changes = [...findChanges(values), values.tNs.at(-1) ?? 0];
    const next = (edgeNs: number): number => (changes[firstAfter(changes, edgeNs)] ?? edgeNs) - edgeNs;
    return records
      .filter(({ run }) => runs.has(run))
      .map(({ startNs, endNs }) => [next(startNs), next(endNs)] as const);
  });
  return { starts: held.map(([start]) => start), ends: held.map(([, end]) => end) };
}
