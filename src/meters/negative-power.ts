import { MeasureError } from '../errors.ts';

/** Readings from the first that must all be negative: a single one is noise. */
const FIRST_READINGS = 3;
/** Below this, no noise around zero is meant, watts. */
const CLEARLY_NEGATIVE_W = -1;

/** Watches the first readings of each channel for a meter that is connected the wrong way round. */
export class NegativePower {
  /** Negative readings so far, of the channels that have no other one yet. */
  readonly #negative = new Map<string, number>();
  readonly #positive = new Set<string>();

  /** The error to refuse the meter with, once at the last of the first readings when all are clearly negative; else null. */
  take(channel: string, powerW: number): MeasureError | null {
    if (this.#positive.has(channel)) return null;
    if (powerW > CLEARLY_NEGATIVE_W) {
      this.#positive.add(channel);
      return null;
    }
    const count = (this.#negative.get(channel) ?? 0) + 1;
    this.#negative.set(channel, count);
    return count === FIRST_READINGS ? reversed(channel, powerW) : null;
  }
}

function reversed(channel: string, powerW: number): MeasureError {
  return new MeasureError(
    `The power of the channel ${channel} is negative (${powerW.toFixed(1)} W): the meter is probably connected the wrong way round.`,
    {
      advice:
        'Turn the current clamp round, or exchange line and load at the meter. joulediff does not change the sign by itself. If the channel meters something else, name another one.',
    },
  );
}
