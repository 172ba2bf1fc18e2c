import type { ChannelInfo } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import { type HttpConnection, HttpFault } from './connection.ts';

/** Time limits, milliseconds, for questions at the beginning and for a reading. */
export const PATIENT_MS = 4000;
export const READING_MS = 1500;

/** Upper bound on an outlet's power, watts. */
export const MAX_PLUG_W = 25_000;

/** Readings per sample: a plug renews its value about once a second, and more frequent questions locate its steps better. */
export const PLUG_READINGS = 2;

/** What a plug meters: the whole machine, at its outlet. */
export function plugChannel(periodS: number, resolutionW: number): ChannelInfo {
  const edgeS = periodS / PLUG_READINGS;
  const wall = { channel: 'wall', part: 'machine', integration: 'guard', clock: 'host' } as const;
  return { ...wall, samplingPeriodS: periodS, edgeS, resolutionW };
}

export const PLUG_ADVICE =
  'Check its address, that this machine can reach it, and its password, which the option password-env takes from a variable.';

/** The error of a plug that is switched off. */
export function plugOff(): MeasureError {
  return new MeasureError('The plug is switched off: the machine on it has no power.', {
    advice: 'Switch it on at its button or in its app. joulediff never switches anything.',
  });
}

/**
 * Opens a connection and gives what `make` makes of it; the connection is closed when that fails. Throws MeasureError with `failed` and the network's
 * fault, or whatever else `make` throws.
 */
export async function openDevice<T, C extends Pick<HttpConnection, 'close'>>(
  opening: Promise<C>,
  { failed, advice }: { readonly failed: string; readonly advice: string },
  make: (connection: C) => Promise<T>,
): Promise<T> {
  try {
    const connection = await opening;
    try {
      return await make(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
  } catch (cause) {
    if (!(cause instanceof HttpFault)) throw cause;
    throw new MeasureError(`${failed}: ${cause.message}.`, { advice, cause });
  }
}
