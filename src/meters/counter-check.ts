const TOLERANCE = 0.1;

/**
 * Compares a plug's own energy counter with its readings. The counter moves in steps too coarse to measure a run with, but over a stretch of many
 * steps both must give the same energy.
 */
export class CounterCheck {
  readonly #stretchWh: number;
  #start: { readonly totalWh: number } | null = null;
  #lastNs = 0n;
  #lastW = 0;
  #integratedWh = 0;

  /** `stretchWh`: watt-hours from one comparison to the next, many steps of the counter. */
  constructor(stretchWh: number) {
    this.#stretchWh = stretchWh;
  }

  /** A sentence where they disagree, or where the counter fell. */
  check(tNs: bigint, powerW: number, totalWh: number | null): string | null {
    if (totalWh === null) return null;
    if (this.#start === null) return this.#begin(tNs, powerW, totalWh);
    this.#integratedWh += (((this.#lastW + powerW) / 2) * Number(tNs - this.#lastNs)) / 3.6e12;
    this.#lastNs = tNs;
    this.#lastW = powerW;
    const countedWh = totalWh - this.#start.totalWh;
    if (countedWh < 0) {
      this.#begin(tNs, powerW, totalWh);
      return 'Its energy counter fell: it was restarted, or somebody reset it.';
    }
    if (countedWh < this.#stretchWh && this.#integratedWh < this.#stretchWh) return null;
    const integratedWh = this.#integratedWh;
    this.#begin(tNs, powerW, totalWh);
    if (Math.abs(countedWh - integratedWh) <= TOLERANCE * integratedWh) return null;
    return `Its own counter moved by ${countedWh.toFixed(2)} Wh while its readings make ${integratedWh.toFixed(2)} Wh.`;
  }

  #begin(tNs: bigint, powerW: number, totalWh: number): null {
    this.#start = { totalWh };
    this.#lastNs = tNs;
    this.#lastW = powerW;
    this.#integratedWh = 0;
    return null;
  }
}
