import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** No processor package takes this much, watts. */
const IMPOSSIBLE_W = 2000;

/** One zone's energy counter. Its methods throw as `readFileSync` does, and on content that is no number. */
export class ZoneCounter {
  readonly #file: string;
  readonly #rangeUj: bigint;
  #lastUj: bigint;

  constructor(folder: string) {
    this.#file = join(folder, 'energy_uj');
    this.#rangeUj = readMicrojoules(join(folder, 'max_energy_range_uj'));
    this.#lastUj = readMicrojoules(this.#file);
  }

  /**
   * Microjoules since the call before (or the construction). A counter that is lower than before has wrapped: the rest of its range counts, short
   * by one unit at most. Null when it was reset instead (the power would be impossible), or may have wrapped more than once.
   */
  advance(elapsedS: number): bigint | null {
    const lastUj = this.#lastUj;
    const nowUj = readMicrojoules(this.#file);
    this.#lastUj = nowUj;
    const possibleUj = BigInt(Math.ceil(elapsedS * IMPOSSIBLE_W * 1e6));
    if (possibleUj > this.#rangeUj) return null;
    if (nowUj >= lastUj) return nowUj - lastUj;
    const wrappedUj = this.#rangeUj - lastUj + nowUj;
    // A counter moves in steps of about 1 ms, so a short time may hold the energy of a little more.
    return wrappedUj > possibleUj + BigInt(IMPOSSIBLE_W * 10_000) ? null : wrappedUj;
  }
}

function readMicrojoules(file: string): bigint {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${file} holds no number`);
  return BigInt(text);
}
