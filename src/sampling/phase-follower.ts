/** Share of a residual by which the followed phase moves: low enough for a late arrival, high enough for a clock that is 0.5 % off. */
const FOLLOW = 0.2;

/** Periods between two readings from which the meter counts as having been away; it may have begun again with another phase. */
export const AWAY_STEPS = 3;

/**
 * Counts the periods of a meter that sends at its own even clock, from when its readings arrive. While measuring and in the analysis the same rule decides whether a reading is missing.
 */
export class PhaseFollower {
  readonly #nominalNs: number;
  #phase: number | null = null;

  constructor(nominalS: number) {
    this.#nominalNs = nominalS * 1e9;
  }

  /** Periods since the reading before; more than 1: readings between are missing. The first reading gives 1. `tNs`: its arrival. */
  steps(tNs: number): number {
    if (this.#phase === null) {
      this.#phase = tNs;
      return 1;
    }
    const steps = Math.max(1, Math.round((tNs - this.#phase) / this.#nominalNs));
    this.#phase += steps * this.#nominalNs;
    this.#phase += (steps >= AWAY_STEPS ? 1 : FOLLOW) * (tNs - this.#phase);
    return steps;
  }
}
