import type { Told } from '../contracts/reading.ts';
import { type CounterReading, inSi, powerFrom, type Quantity } from '../sampling/told.ts';

/** A foreign counter's fall, as a clause. */
export interface Fall {
  readonly missing: string;
}

/** Mean power between two readings of a counter of energy that somebody else keeps. */
export class EnergySteps {
  readonly #counter: Quantity;
  #last: CounterReading;

  /** `value`: in the counter's own unit. */
  constructor(counter: Quantity, tNs: bigint, value: number) {
    this.#counter = counter;
    this.#last = { tNs, values: [value] };
  }

  /** Watts since the last reading. A counter that falls was reset: what it missed is unknown, and it starts anew. */
  advance(tNs: bigint, value: number): { readonly powerW: number; readonly told: Told } | Fall {
    const [since, reading] = [this.#last, { tNs, values: [value] }];
    const powerW = powerFrom([this.#counter], reading, since);
    if (powerW === null) return { missing: 'its time does not advance' };
    this.#last = reading;
    if (powerW >= 0) return { powerW, told: { ...reading, since } };
    const joules = (at: CounterReading) => inSi(at.values[0] ?? Number.NaN, this.#counter.unit);
    return { missing: `its energy fell from ${joules(since)} J to ${joules(reading)} J` };
  }
}
