/** Part of a residual that moves the followed phase: slow enough for a late arrival, quick enough for a clock 0.5 % off. */
const FOLLOW = 0.2;

/** So many steps at once: the meter was away, and may have begun anew with another phase. */
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

  /** Periods since the reading before, at least 1; more than 1: readings are missing between. Arrival in ns; the first gives 1. */
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
