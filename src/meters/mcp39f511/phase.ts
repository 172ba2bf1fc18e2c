import type { Block } from './block.ts';

/**
 * Keeps the moment of reading away from that at which the meter puts in its next result. Read around the same moment, a result comes twice and the one
 * after it never, as chance has it. A result that came twice has all numbers alike (voltage, frequency, currents, powers),
 * which two results hardly ever have; where they have, getting away without need does no harm.
 */
export class Phase {
  #last: Block | null = null;

  /** Takes a reading and says after how many periods the next should be: 1, or 1.5 to get away. */
  after(block: Block): number {
    const again = this.#last?.equals(block) ?? false;
    this.#last = block;
    return again ? 1.5 : 1;
  }
}
