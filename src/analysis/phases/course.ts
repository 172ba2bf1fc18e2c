import type { SampleTimes } from '../../sampling/sample-clock.ts';
import type { ChannelRecord, SampleColumns } from '../../store/records.ts';
import { guardReadings, type RunEnergy, type RunMoments } from '../energy.ts';
import { firstAfter } from '../idle.ts';

/** Cumulative energy of a run over its window. */
export interface Course {
  /** Gross energy from the window's start to a moment in it, joules: 0 at the start, the whole energy at the end. */
  energyUpTo(ns: number): number;
  /** Readings just before and after those that a moment affects, watts; null: none on that side. */
  around(ns: number): { readonly beforeW: number | null; readonly afterW: number | null };
  /** Duration over which the channel spreads an edge, seconds. */
  readonly widthS: number;
  /** Standard uncertainty of the channel's latency, seconds. */
  readonly latencyUncertaintyS: number;
  /** Level whose energy does not depend on the window's edges, watts: idle, or 0 for a counter. */
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
 * Sums the run's readings up to a moment; a reading across it counts in proportion to its time before. Energy in the guards
 * belongs to the window's edges: all of it before the first moment, or after the last. So the parts of a window add up
 * to the run's energy exactly. The readings are shifted by the meter's latency.
 */
export function computeCourse(given: CourseOf): Course {
  const { channel, columns, energy, moments } = given;
  const counter = channel.integration === 'counter';
  const { first, last, lengthS } = readingsOf(given);
  const levelW = counter ? 0 : (energy.idle?.powerW ?? 0);
  const response = channelResponse(channel);
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
 * Response of a channel, as `meter check` measured it. Otherwise: a meter that sends the means of its periods is up to a period late; a polled
 * register that averages, at most as late and as wide as the guard it needs. Both are assumed uniform: the middle, ± half over √3. A counter with
 * timestamps is not late.
 */
function channelResponse({
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
  // The timestamp of a counter's reading is the end of its energy.
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
