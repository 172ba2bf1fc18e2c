import type { SampleTimes } from '../../sampling/sample-clock.ts';
import type { ChannelRecord, SampleColumns } from '../../store/records.ts';
import { guardReadings, type RunEnergy, type RunMoments } from '../energy.ts';
import { firstAfter } from '../idle.ts';

/** How a run's energy comes together over its window. */
export interface Course {
  /** Gross energy from the window's start up to a moment in it, joules: 0 at the start, all of the run's at the end. */
  energyUpTo(ns: number): number;
  /** Readings on both sides of what a moment touches, watts; null: there are none on that side. */
  around(ns: number): { readonly beforeW: number | null; readonly afterW: number | null };
  /** Over how long the channel spreads what happens at one moment, seconds. */
  readonly widthS: number;
  /** Standard uncertainty of how late it shows it, seconds. */
  readonly latencyUncertaintyS: number;
  /** Power that the window's own edges are not sensitive to, watts: idle, or 0 for a counter. */
  readonly levelW: number;
}

export interface CourseOf {
  readonly channel: ChannelRecord;
  readonly columns: SampleColumns;
  readonly times: SampleTimes;
  readonly moments: RunMoments;
  readonly guardNs: number;
  readonly energy: RunEnergy;
}

/**
 * The readings that the run's energy was summed from, summed again up to a moment; a reading that lies across it counts with the part of its
 * time before it. What the guards hold belongs to the window's edges: all before the first moment, all after the last. So the parts of a
 * window add up to the run's energy exactly. The readings are shifted by the meter's latency.
 */
export function courseOf(given: CourseOf): Course {
  const { channel, columns, energy, moments } = given;
  const counter = channel.integration === 'counter';
  const { first, last, lengthS } = readingsOf(given);
  const levelW = counter ? 0 : (energy.idle?.powerW ?? 0);
  const response = responseOf(channel);
  const { latencyS, widthS } = response;
  const lateNs = latencyS * 1e9;
  const { tNs, powerW } = columns;
  const above = new Float64Array(Math.max(0, last - first + 2));
  for (let i = first; i <= last; i++) {
    above[i - first + 1] = (above[i - first] as number) + ((powerW[i] as number) - levelW) * (lengthS[i] as number);
  }
  const aboveUpTo = (ns: number): number => {
    const i = Math.min(last + 1, Math.max(first, firstAfter(tNs, ns + lateNs)));
    const whole = above[i - first] ?? 0;
    if (i > last) return whole;
    const length = lengthS[i] as number;
    const part = (ns + lateNs - (tNs[i] as number)) / 1e9 + length;
    return whole + ((powerW[i] as number) - levelW) * Math.min(length, Math.max(0, part));
  };
  const { startNs, endNs } = moments;
  const atStart = counter ? aboveUpTo(startNs) : 0;
  return {
    energyUpTo(ns) {
      if (ns <= startNs) return 0;
      if (ns >= endNs) return energy.energyJ;
      return aboveUpTo(ns) - atStart + (levelW * (ns - startNs)) / 1e9;
    },
    around(ns) {
      const halfNs = channel.clock === 'meter' ? 0 : (widthS / 2) * 1e9;
      const before = firstAfter(tNs, ns + lateNs - halfNs) - 1;
      const after = firstAfter(tNs, ns + lateNs + halfNs) + 1;
      const at = (k: number): number | null => (k >= first && k <= last ? (powerW[k] as number) : null);
      return { beforeW: at(before), afterW: at(after) };
    },
    widthS,
    latencyUncertaintyS: response.latencyUncertaintyS,
    levelW,
  };
}

function readingsOf({ channel, columns, times, moments, guardNs }: CourseOf) {
  if (channel.integration === 'counter') {
    const { startNs, endNs } = moments;
    const last = Math.min(columns.tNs.length - 1, firstAfter(columns.tNs, endNs));
    return { first: firstAfter(columns.tNs, startNs), last, lengthS: columns.durationS };
  }
  return { ...guardReadings(columns, times, moments, guardNs), lengthS: times.lengthS };
}

interface Response {
  readonly latencyS: number;
  readonly latencyUncertaintyS: number;
  readonly widthS: number;
}

/**
 * As `meter check` found it. Else a meter that sends the means of its periods is up to a period late; a register that averages and is asked,
 * as late and as wide as the guard that it needs at the most. Either is taken for uniform: its middle, ± its half over √3. A counter whose
 * readings have times is not late by itself.
 */
function responseOf({
  channel,
  integration,
  clock,
  samplingPeriodS,
  edgeS,
  meter,
  quantities = [],
}: ChannelRecord): Response {
  if (integration === 'counter') {
    return { latencyS: 0, latencyUncertaintyS: (edgeS ?? 0) / Math.sqrt(3), widthS: samplingPeriodS };
  }
  const mostS = clock === 'meter' ? samplingPeriodS : Math.max(samplingPeriodS, meter.minimumGuardS);
  const passport = meter.passport?.channel === channel ? meter.passport : null;
  const found = passport?.latency ?? null;
  const counts = quantities.some(({ role }) => role === 'counter' || role === 'interval');
  // The time of such a reading is where its energy ends.
  if (found === null && counts) {
    return { latencyS: 0, latencyUncertaintyS: (edgeS ?? samplingPeriodS) / Math.sqrt(3), widthS: samplingPeriodS };
  }
  if (found === null) return { latencyS: mostS / 2, latencyUncertaintyS: mostS / Math.sqrt(12), widthS: mostS };
  const guardS = passport?.guard_needed_s ?? null;
  const widthS = clock === 'meter' || guardS === null ? mostS : 2 * (guardS - found.mean_s);
  return {
    latencyS: found.mean_s,
    latencyUncertaintyS: found.sd_s ?? samplingPeriodS / Math.sqrt(12),
    widthS: Math.min(mostS, Math.max(samplingPeriodS, widthS)),
  };
}
