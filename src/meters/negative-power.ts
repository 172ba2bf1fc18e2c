import { MeasureError } from '../errors.ts';

/** Number of clearly negative readings, without a positive one, that shows a reversed meter: a single one may be noise. */
const FIRST_READINGS = 3;
/** Power from which a reading is clearly not zero, watts. */
const CLEAR_W = 1;

/** Watches the first readings of each channel for a meter that is connected the wrong way round. */
export class NegativePower {
  /** Number of clearly negative readings of each channel without a positive one. */
  readonly #negative = new Map<string, number>();
  readonly #positive = new Set<string>();

  /** The error to refuse the meter with, once: at the third clearly negative reading of a channel without a positive one; else null. */
  take(channel: string, powerW: number): MeasureError | null {
    if (this.#positive.has(channel)) return null;
    if (powerW >= CLEAR_W) this.#positive.add(channel);
    // Readings around zero decide nothing: a meter may show some until its first mean is complete.
    if (powerW > -CLEAR_W) return null;
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
