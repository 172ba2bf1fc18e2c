import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import type { MeterSheet } from './meter.ts';

/**
 * A server's own management controller is coarse: whole watts, renewed every second or once a minute, averaged over an undocumented time. This is
 * the length of a sample, seconds, chosen so that runs under ten samples lead to no verdict, and runs of ten minutes do.
 */
const SAMPLE_S = 20;
/** Time between two questions, seconds, which spares the controller. */
const QUESTION_S = 5;
/** Averaging time where the controller does not tell it, seconds: the slowest one known renews its value once a minute. */
const SLOWEST_S = 60;

/** Time limit for one question. */
export const COARSE_MS = 4000;
export const COARSE_READINGS = SAMPLE_S / QUESTION_S;
/** Upper bound on a server's power, watts. */
export const MAX_SERVER_W = 100_000;

const CHANNEL: Omit<ChannelInfo, 'channel'> = {
  part: 'machine',
  integration: 'guard',
  clock: 'host',
  samplingPeriodS: SAMPLE_S,
  edgeS: SAMPLE_S,
  resolutionW: 1,
};

/** Data sheet of such meters; no accuracy is published. */
export const COARSE_SHEET: Pick<MeterSheet, 'price' | 'accuracy' | 'minimumGuardS' | 'channel' | 'blind' | 'risks'> = {
  price: 'nothing',
  accuracy: null,
  minimumGuardS: SLOWEST_S + SAMPLE_S,
  channel: CHANNEL,
  blind: 'what changes within a minute; which part of the machine, or which program, draws the power',
  risks: 'for runs of ten minutes and more; whole watts; find its lag with `meter check`',
};

/** `averageS`: seconds that a value averages, as the controller tells; null: it doesn't. */
export function coarse(averageS: number | null): Pick<MeterInfo, 'minimumGuardS' | 'channels' | 'remarks'> {
  const lateS = averageS ?? SLOWEST_S;
  const average = averageS === null ? 'It doesn’t say over how long it averages' : `It averages over ${averageS} s`;
  return {
    minimumGuardS: Math.max(SAMPLE_S, lateS) + SAMPLE_S,
    channels: [{ channel: 'wall', ...CHANNEL }],
    remarks: [
      `${average}: this meter is for runs of ten minutes and more, and shorter ones than ${10 * SAMPLE_S} s get no verdict. Find its lag with joulediff meter check; prefer a meter at the plug.`,
    ],
  };
}
