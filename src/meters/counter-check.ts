/** So much must have gone by, watt-hours: a hundred pulses of the metering chip, in which its counter moves. */
const STRETCH_WH = 1.1;
const TOLERANCE = 0.1;

/**
 * The device's own counter beside the readings. It moves in steps (a Shelly's in pulses of some 39 J), but over a stretch of many steps
 * both tell the same energy; where they don't, the device is not what its readings make it.
 */
export class CounterCheck {
  #start: { readonly totalWh: number } | null = null;
  #lastNs = 0n;
  #lastW = 0;
  #integratedWh = 0;

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
    if (countedWh < STRETCH_WH && this.#integratedWh < STRETCH_WH) return null;
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
