/** A foreign counter's fall, as a clause. */
export interface Fall {
  readonly missing: string;
}

/** Mean power between two looks at a counter of energy that somebody else keeps. */
export class EnergySteps {
  #tNs: bigint;
  #energyJ: number;

  constructor(tNs: bigint, energyJ: number) {
    this.#tNs = tNs;
    this.#energyJ = energyJ;
  }

  /** Watts since the look before. A counter that falls was reset: what it missed is unknown, and it starts anew. */
  look(tNs: bigint, energyJ: number): { readonly powerW: number } | Fall {
    const [seconds, joules] = [Number(tNs - this.#tNs) / 1e9, energyJ - this.#energyJ];
    const before = this.#energyJ;
    if (seconds <= 0) return { missing: 'its time does not advance' };
    this.#tNs = tNs;
    this.#energyJ = energyJ;
    return joules < 0 ? { missing: `its energy fell from ${before} J to ${energyJ} J` } : { powerW: joules / seconds };
  }
}
