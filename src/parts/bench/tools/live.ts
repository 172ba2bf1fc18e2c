import type { ChannelInfo, MeterEvent, Sample } from '../../../contracts/reading.ts';
import { computeTiming } from './timing.ts';

/** Number of the last readings that are kept, for the trace and the rate. */
const REMEMBERED = 240;

/** State of a watched channel, in bounded memory. */
export class LiveChannel {
  readonly info: ChannelInfo;
  readonly #last: Sample[] = [];
  #readings = 0;
  #energyJ = 0;
  #timeS = 0;
  #minW = Number.POSITIVE_INFINITY;
  #maxW = Number.NEGATIVE_INFINITY;

  constructor(info: ChannelInfo) {
    this.info = info;
  }

  take(sample: Sample): void {
    this.#last.push(sample);
    if (this.#last.length > REMEMBERED) this.#last.shift();
    this.#readings++;
    this.#energyJ += sample.powerW * sample.durationS;
    this.#timeS += sample.durationS;
    this.#minW = Math.min(this.#minW, sample.powerW);
    this.#maxW = Math.max(this.#maxW, sample.powerW);
  }

  /** Null before the first reading. Time-weighted mean; rate (hertz) and jitter (seconds) of the last readings, null for fewer than three. */
  now(): LiveNow | null {
    const last = this.#last.at(-1);
    if (!last) return null;
    const timing = this.#last.length < 3 ? null : computeTiming(this.info, this.#last);
    return {
      powerW: last.powerW,
      traceW: this.#last.map(({ powerW }) => powerW),
      readings: this.#readings,
      minW: this.#minW,
      meanW: this.#timeS === 0 ? last.powerW : this.#energyJ / this.#timeS,
      maxW: this.#maxW,
      rateHz: timing === null ? null : 1 / timing.periodS,
      jitterS: timing === null ? null : timing.jitterS,
    };
  }
}

export interface LiveNow {
  readonly powerW: number;
  /** The last readings, oldest first, watts. */
  readonly traceW: readonly number[];
  readonly readings: number;
  readonly minW: number;
  readonly meanW: number;
  readonly maxW: number;
  readonly rateHz: number | null;
  readonly jitterS: number | null;
}

/** Number of gaps, and the last event, in bounded memory. */
export class LiveEvents {
  gaps = 0;
  last: MeterEvent | null = null;

  take(event: MeterEvent): void {
    if (event.kind === 'gap') this.gaps++;
    this.last = event;
  }
}
