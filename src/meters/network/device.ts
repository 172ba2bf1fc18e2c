import type { ChannelInfo } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import { type HttpConnection, HttpFault } from './connection.ts';

/** Milliseconds for what is asked once, at the beginning, and for a reading. */
export const PATIENT_MS = 4000;
export const READING_MS = 1500;

/** Watts that no outlet carries: what is beyond is no reading. */
export const MAX_PLUG_W = 25_000;

/** Readings a sample: plugs renew their value about once a second, and the more often they are asked, the better its steps are placed. */
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
 * Makes of a connection, once it is open, what `make` makes; the connection is closed when that fails. Throws MeasureError with `failed` and what
 * went wrong on the wire, or whatever else `make` throws.
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
