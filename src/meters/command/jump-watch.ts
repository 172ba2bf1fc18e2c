import { LineFault, TOGETHER_NS } from '../program/line-meter.ts';

/** Number of readings after which the usual delay of a program's lines is known, and number of latest ones that it is taken from. */
const FEW_DELAYS = 5;
const MAX_DELAYS = 20;
/** The clock has jumped when this many readings in a row come later than usual by at least MIN_JUMP_NS. */
const JUMPED_READINGS = 3;
const MIN_JUMP_NS = 200_000_000n;

/** Watches for jumps of a program's clock against this machine's: its readings would be counted in the wrong run. */
export class JumpWatch {
  #lastArrivedNs: bigint | null = null;
  /** Delays of the latest readings: from their times to their arrivals. */
  #delaysNs: bigint[] = [];
  /** Delays of readings in a row that came clearly later than usual. */
  #lateNs: bigint[] = [];

  /** Throws LineFault where the clock has jumped; later readings are compared with the clock after the jump. */
  take(tNs: bigint, arrivedNs: bigint): void {
    const isTogether = this.#lastArrivedNs !== null && arrivedNs - this.#lastArrivedNs < TOGETHER_NS;
    this.#lastArrivedNs = arrivedNs;
    // Lines that arrive together come from a buffer, or a blocked machine: their delays say nothing about a clock.
    if (isTogether) return;
    const delayNs = arrivedNs - tNs;
    const known = this.#delaysNs.toSorted((a, b) => Number(a - b));
    const [leastNs, usualNs] = [known[0], known[Math.floor(0.8 * known.length)]];
    if (leastNs === undefined || usualNs === undefined || known.length < FEW_DELAYS) {
      this.#delaysNs.push(delayNs);
      return;
    }
    if (delayNs < leastNs - MIN_JUMP_NS) throw this.#jumped([delayNs], delayNs - leastNs);
    if (delayNs <= usualNs + MIN_JUMP_NS) {
      this.#delaysNs = [...this.#delaysNs, ...this.#lateNs, delayNs].slice(-MAX_DELAYS);
      this.#lateNs = [];
      return;
    }
    this.#lateNs.push(delayNs);
    if (this.#lateNs.length === JUMPED_READINGS) throw this.#jumped(this.#lateNs, delayNs - usualNs);
  }

  #jumped(delaysNs: readonly bigint[], byNs: bigint): LineFault {
    this.#delaysNs = [...delaysNs];
    this.#lateNs = [];
    const ms = Math.abs(Number(byNs)) / 1e6;
    return new LineFault(
      `has a t_ns that went ${byNs > 0n ? 'back' : 'ahead'} by ${ms.toFixed(0)} ms against the clock of this machine`,
    );
  }
}
