import type { ReportedQuantities } from '../contracts/reading.ts';
import { type CounterReading, inSi, powerFrom, type Quantity } from '../sampling/reported.ts';

/** Why a reading is missing, as a clause: the counter fell, or its time did not advance. */
export interface MissingReading {
  readonly missing: string;
}

/** Computes the mean power between two readings of an energy counter in another device or program. */
export class EnergySteps {
  readonly #counter: Quantity;
  #last: CounterReading;

  /** `value`: first reading, in the counter's own unit. */
  constructor(counter: Quantity, tNs: bigint, value: number) {
    this.#counter = counter;
    this.#last = { tNs, values: [value] };
  }

  /** Watts since the last reading. A counter that falls was reset: what it missed is unknown, and it starts anew. */
  advance(
    tNs: bigint,
    value: number,
  ): { readonly powerW: number; readonly reported: ReportedQuantities } | MissingReading {
    const [since, reading] = [this.#last, { tNs, values: [value] }];
    const powerW = powerFrom([this.#counter], reading, since);
    if (powerW === null) return { missing: 'its time does not advance' };
    this.#last = reading;
    if (powerW >= 0) return { powerW, reported: { ...reading, since } };
    const joules = (at: CounterReading) => inSi(at.values[0] ?? Number.NaN, this.#counter.unit);
    return { missing: `its energy fell from ${joules(since)} J to ${joules(reading)} J` };
  }
}
