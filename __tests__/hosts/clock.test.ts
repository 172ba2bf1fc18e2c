// Class: world.
import { describe, expect, test } from '@jest/globals';
import { bestPoint, type ClockPoint, type ClockSample, windowHere } from '../../src/hosts/clock.ts';
import { createPrng } from '../../src/stats/prng.ts';

/** Another machine's clock: hours off, fast or slow, and looked at over a network whose ways there and back have nothing to do with each other. */
function world(seed: number) {
  const prng = createPrng(seed);
  const random = () => (prng.u32() + 1) / 2 ** 32;
  const rate = 1 + (2 * random() - 1) * 500e-6;
  const offsetNs = BigInt(Math.round((2 * random() - 1) * 1e16));
  const there = (hereNs: bigint): bigint => offsetNs + BigInt(Math.round(Number(hereNs) * rate));
  // Most ways take about as long, some a hundred times that (a packet that was lost is sent again).
  const wayNs = (least: number): bigint =>
    BigInt(Math.round(least * (1 - Math.log(random()) * (random() < 0.1 ? 100 : 0.3))));
  const looks = (fromNs: bigint, n: number): ClockSample[] => {
    const [out, back] = [1e5 + 2e7 * random(), 1e5 + 2e7 * random()];
    let now = fromNs;
    return Array.from({ length: n }, () => {
      const sentNs = now;
      const stampedNs = sentNs + wayNs(out);
      now = stampedNs + wayNs(back);
      return { sentNs, thereNs: there(stampedNs), arrivedNs: now };
    });
  };
  return { random, there, looks };
}

describe('the clock of another machine', () => {
  test('a window lies where it is told, within the bounds that are stated, in every one of a thousand worlds', () => {
    for (let seed = 1; seed <= 1000; seed++) {
      const { random, there, looks } = world(seed);
      const begin = 10n ** 12n;
      const before = bestPoint(looks(begin, 20));
      const startNs = before.hereNs + 10n ** 10n;
      const endNs = startNs + BigInt(Math.round(1e9 + 1e11 * random()));
      const after = bestPoint(looks(endNs + 5n * 10n ** 9n, 20));
      const reported = windowHere({ startNs: there(startNs), endNs: there(endNs) }, before, after);
      if (reported === null) throw new Error(`no window in world ${seed}`);
      expect(Math.abs(Number(reported.startNs - startNs)) / 1e9).toBeLessThanOrEqual(reported.edgeS);
      expect(Math.abs(Number(reported.endNs - endNs)) / 1e9).toBeLessThanOrEqual(reported.edgeS);
      expect(Math.abs(Number(reported.endNs - reported.startNs - (endNs - startNs))) / 1e9).toBeLessThanOrEqual(
        reported.lengthS,
      );
    }
  });

  test('and so it does where the other clock is slewed from the middle on, as fast as Linux does it', () => {
    const there = (ns: number) => BigInt(ns + Math.max(0, ns - 50e9) * 500e-6);
    const point = (ns: number): ClockPoint => ({ hereNs: BigInt(ns), thereNs: there(ns), withinNs: 0 });
    const reported = windowHere({ startNs: there(10e9), endNs: there(50e9) }, point(0), point(100e9));
    if (reported === null) throw new Error('no window');
    expect(Math.abs(Number(reported.endNs) - 50e9) / 1e9).toBeGreaterThan(0.01);
    expect(Math.abs(Number(reported.endNs) - 50e9) / 1e9).toBeLessThanOrEqual(reported.edgeS);
    expect(Math.abs(Number(reported.endNs - reported.startNs) - 40e9) / 1e9).toBeLessThanOrEqual(reported.lengthS);
  });

  test('the shortest way there and back is believed, and half of it is what is not known', () => {
    const look = (sentNs: bigint, arrivedNs: bigint): ClockSample => ({ sentNs, arrivedNs, thereNs: 500n + sentNs });
    expect(bestPoint([look(0n, 900n), look(1000n, 1100n), look(2000n, 2700n)])).toEqual({
      thereNs: 1500n,
      hereNs: 1050n,
      withinNs: 50,
    });
  });

  test('a clock that stood still or was set tells no window', () => {
    const point = (hereS: number, thereS: number): ClockPoint => ({
      hereNs: BigInt(hereS * 1e9),
      thereNs: BigInt(thereS * 1e9),
      withinNs: 1e6,
    });
    const window = { startNs: 3_610_000_000_000n, endNs: 3_620_000_000_000n };
    expect(windowHere(window, point(0, 3600), point(40, 3640))).not.toBeNull();
    expect(windowHere(window, point(0, 3600), point(40, 3635))).toBeNull();
    expect(windowHere(window, point(0, 3600), point(40, 10))).toBeNull();
    expect(windowHere({ ...window, startNs: 3_590_000_000_000n }, point(0, 3600), point(40, 3640))).toBeNull();
  });
});
