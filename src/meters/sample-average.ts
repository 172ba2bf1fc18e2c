import type { Sample } from './meter.ts';

/** Samples of several channels, each the mean of some readings, weighted by the time that each reading stands for. */
export class SampleAverage {
  readonly #readings: number;
  #meansW: number[] = [];
  #seconds = 0;
  #dueNs: bigint | null = null;

  /** `readings`: how many make a sample. */
  constructor(readings: number) {
    this.#readings = readings;
  }

  /** Adds a reading, which stands for the `durationS` before `tNs`. */
  add(powerW: readonly number[], durationS: number): void {
    this.#seconds += durationS;
    const share = durationS / this.#seconds;
    this.#meansW = powerW.map((watts, channel) => {
      const before = this.#meansW[channel] ?? 0;
      return before + (watts - before) * share;
    });
  }

  /** Drops the readings since the last sample. */
  forget(): void {
    this.#meansW = [];
    this.#seconds = 0;
  }

  /** A sample a channel, when they are due at `tNs`: on an even grid, so that a question that is late delays none but its own. */
  take(tNs: bigint, periodNs: bigint): Sample[] {
    if (this.#readings > 1) {
      this.#dueNs ??= tNs;
      // Half of the time between two questions: a reading belongs to the moment of the grid that it is nearest to.
      const pastNs = tNs - this.#dueNs + periodNs / BigInt(2 * this.#readings);
      if (pastNs < 0n) return [];
      this.#dueNs += (pastNs / periodNs + 1n) * periodNs;
    }
    const samples = this.#meansW.map((powerW) => ({ tNs, powerW, durationS: this.#seconds }));
    this.forget();
    return samples;
  }
}
