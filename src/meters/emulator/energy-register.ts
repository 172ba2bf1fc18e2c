import type { TruePower } from './emulator.ts';

/** The energy counter of an emulated meter: joules since its origin, each stretch of time looked at once. */
export class EnergyRegister {
  readonly #power: TruePower;
  #untilNs: bigint;
  #energyJ = 0;

  constructor(power: TruePower, originNs: bigint) {
    this.#power = power;
    this.#untilNs = originNs;
  }

  /** Joules up to a moment, or to a later one that was asked for already: a register never goes back. */
  untilJ(tNs: bigint): number {
    if (tNs <= this.#untilNs) return this.#energyJ;
    this.#energyJ += this.#power.energyJ(this.#untilNs, tNs);
    this.#untilNs = tNs;
    return this.#energyJ;
  }
}
