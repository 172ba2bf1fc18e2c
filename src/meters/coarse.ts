import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import type { MeterSheet } from './meter.ts';

/**
 * What a server's own management controller tells is coarse: whole watts, renewed every second or once a minute, averaged over what nobody
 * publishes. A sample stands for so long, seconds; so runs under ten of them lead to no verdict, and ten minutes are enough.
 */
const SAMPLE_S = 20;
/** From question to question: a controller has better things to do. */
const QUESTION_S = 5;
/** Where it doesn't tell over how long a value is averaged: the slowest that is known renews it once a minute. */
const SLOWEST_S = 60;

/** For one question. */
export const COARSE_MS = 4000;
export const COARSE_READINGS = SAMPLE_S / QUESTION_S;
/** Watts that no server takes. */
export const MAX_SERVER_W = 100_000;

const CHANNEL: Omit<ChannelInfo, 'channel'> = {
  part: 'machine',
  integration: 'guard',
  clock: 'host',
  samplingPeriodS: SAMPLE_S,
  edgeS: SAMPLE_S,
  resolutionW: 1,
};

/** What a buyer must know: nothing of it is published. */
export const COARSE_SHEET: Pick<MeterSheet, 'price' | 'accuracy' | 'minimumGuardS' | 'channel' | 'blind' | 'risks'> = {
  price: 'nothing',
  accuracy: null,
  minimumGuardS: SLOWEST_S + SAMPLE_S,
  channel: CHANNEL,
  blind: 'what changes within a minute; which part of the machine draws it, or which program',
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
