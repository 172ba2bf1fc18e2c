import type { ChannelInfo, Sample } from '../../../contracts/reading.ts';
import type { CalibrationPoint } from '../../../findings/passport.ts';
import type { Meter } from '../../../meters/meter.ts';
import { type Clock, SYSTEM_CLOCK, secondsToNs, sleepUntil } from '../../../system/clock.ts';
import type { ReferenceLoad } from './calibration.ts';

const MIN_S = 10;
const MIN_READINGS = 30;
/** Number of equal parts of a recording, whose means give the uncertainty even for correlated readings. */
const PARTS = 8;

/** Seconds for settling and for measuring a load. */
export function referenceTimes(
  meter: Meter,
  channel: ChannelInfo,
): { readonly settleS: number; readonly readS: number } {
  const { samplingPeriodS } = channel;
  return {
    settleS: meter.info.minimumGuardS + samplingPeriodS,
    readS: Math.max(MIN_S, MIN_READINGS * samplingPeriodS),
  };
}

/** Measures a constant load; starts and stops the meter. Rejects with the meter's error when it is lost, or the signal's reason. */
export async function readReference(
  meter: Meter,
  channel: ChannelInfo,
  load: ReferenceLoad,
  { signal, clock = SYSTEM_CLOCK }: { readonly signal: AbortSignal; readonly clock?: Clock },
): Promise<CalibrationPoint> {
  const samples: Sample[] = [];
  const lost = new AbortController();
  const { settleS, readS } = referenceTimes(meter, channel);
  let fromNs = clock.nowNs();
  try {
    await meter.start({
      sample: (name, sample) => {
        if (name === channel.channel && sample.tNs > fromNs + secondsToNs(settleS)) samples.push(sample);
      },
      event: () => {},
      lost: (error) => lost.abort(error),
    });
    fromNs = clock.nowNs();
    await sleepUntil(fromNs + secondsToNs(settleS + readS), AbortSignal.any([signal, lost.signal]), clock);
  } finally {
    await meter.stop();
  }
  return pointOf(samples, channel, load);
}

/** Mean of the readings, with the uncertainty from its parts' means and the meter's resolution, which matters for constant power. */
export function pointOf(samples: readonly Sample[], channel: ChannelInfo, load: ReferenceLoad): CalibrationPoint {
  const mean = (some: readonly Sample[]): number => {
    const seconds = some.reduce((sum, { durationS }) => sum + durationS, 0);
    return some.reduce((sum, { powerW, durationS }) => sum + powerW * durationS, 0) / seconds;
  };
  const each = Math.ceil(samples.length / PARTS);
  const means = Array.from({ length: PARTS }, (_, i) => samples.slice(i * each, (i + 1) * each))
    .filter((part) => part.length > 0)
    .map(mean);
  const read = mean(samples);
  const variance = means.reduce((sum, part) => sum + (part - read) ** 2, 0) / (means.length - 1) / means.length;
  const step = (channel.resolutionW ?? 0) / Math.sqrt(12);
  return {
    when: new Date().toISOString(),
    true_w: load.powerW,
    true_u_w: (load.limitW ?? 0) / Math.sqrt(3),
    read_w: read,
    read_u_w: Math.hypot(Math.sqrt(variance), step),
    readings: samples.length,
  };
}
