// Class: system.
import { describe, expect, it } from '@jest/globals';
import { countedUj } from '../../../src/meters/rapl/zones.ts';
import { createPrng } from '../../../src/stats/prng.ts';

/** The register of a processor: 32 bits that count units, and what the kernel makes of it (intel_rapl_common.c). */
class Register {
  readonly #unitUj: number;
  /** Joules that were really used, in microjoules. */
  trueUj: number;

  constructor(unitUj: number, trueUj: number) {
    this.#unitUj = unitUj;
    this.trueUj = trueUj;
  }

  get rangeUj(): bigint {
    return BigInt(Math.floor(0xffffffff * this.#unitUj));
  }

  get shownUj(): bigint {
    return BigInt(Math.floor((Math.floor(this.trueUj / this.#unitUj) % 2 ** 32) * this.#unitUj));
  }
}

const CLIENT = { name: 'of a desktop, in steps of 61 µJ', unitUj: 1e6 / 2 ** 14 };
const AMD = { name: 'of AMD and of server memory, in steps of 15 µJ', unitUj: 1e6 / 2 ** 16 };
const LIMIT_W = 2000;

describe.each([CLIENT, AMD])('a counter $name', ({ unitUj }) => {
  /** The longest time that can't hold two wraps. */
  const wrapS = (0xffffffff * unitUj) / 1e6 / LIMIT_W - 0.011;

  it.each([
    ['at full power, read at the last moment', () => LIMIT_W, () => wrapS],
    [
      'at any power, read at any time within a wrap',
      (share: number) => share * LIMIT_W,
      (share: number) => share * wrapS,
    ],
    ['at any power, read ten times a second', (share: number) => share * LIMIT_W, () => 0.1],
    ['that stands still', () => 0, (share: number) => share * wrapS],
  ])('loses and invents no wrap: %s', (_, powerW, afterS) => {
    const random = createPrng(11);
    const share = () => random.u32() / 2 ** 32;
    const register = new Register(unitUj, share() * 0xffffffff * unitUj);
    let [last, counted, wraps] = [register.shownUj, 0n, 0];
    const fromUj = register.trueUj;
    for (let days = 0, i = 0; days < 4 && i < 100_000; i++) {
      const seconds = afterS(share());
      register.trueUj += powerW(share()) * seconds * 1e6;
      const limits = { rangeUj: register.rangeUj, limitW: LIMIT_W };
      const now = register.shownUj;
      const more = countedUj(last, now, seconds, limits);
      if (more === null) throw new Error(`nothing was counted in ${seconds} s`);
      if (now < last) wraps++;
      counted += more;
      last = now;
      days += seconds / 86_400;
    }
    // Of each wrap one unit is unknown, of the first and the last reading as well.
    expect(Math.abs(Number(counted) - (register.trueUj - fromUj))).toBeLessThan((wraps + 2) * (unitUj + 1));
    expect(wraps).toBe(Math.floor(register.trueUj / (unitUj * 2 ** 32)) - Math.floor(fromUj / (unitUj * 2 ** 32)));
  });

  it('tells nothing of a time that may hold two wraps, whatever the counter shows', () => {
    const random = createPrng(12);
    const limits = { rangeUj: new Register(unitUj, 0).rangeUj, limitW: LIMIT_W };
    for (let i = 0; i < 1000; i++) {
      const [last, now] = [random.u32(), random.u32()].map((at) => BigInt(Math.floor(at * unitUj))) as [bigint, bigint];
      expect(countedUj(last, now, wrapS + 0.01 + i, limits)).toBeNull();
    }
  });

  it('tells nothing where the power would be impossible: it was reset, downwards or upwards', () => {
    const limits = { rangeUj: new Register(unitUj, 0).rangeUj, limitW: LIMIT_W };
    expect(countedUj(30_000_000_000n, 1000n, 1, limits)).toBeNull();
    expect(countedUj(1000n, 30_000_000_000n, 1, limits)).toBeNull();
    expect(countedUj(1000n, 1_900_001_000n, 1, limits)).toBe(1_900_000_000n);
  });
});
