// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { lanDeMets, type Spending } from '../../src/stats/lan-demets.ts';
import { normalTwoSided } from '../../src/stats/normal.ts';
import { createRandom } from '../simulate/random.ts';

const fixture = new URL('../fixtures/lan-demets/expected.json', import.meta.url);
type Case = { information: number[]; alpha: number; spending: Spending; z: number[] };
const expected: Case[] = JSON.parse(readFileSync(fixture, 'utf8'));

describe('bounds of several looks', () => {
  it.each(expected)('at $information, $spending at $alpha, are those of the reference', (wanted) => {
    const bounds = lanDeMets(wanted.information, wanted.alpha, wanted.spending);
    bounds.forEach((bound, i) => {
      expect(Math.abs(bound.z / (wanted.z[i] as number) - 1)).toBeLessThan(1e-9);
      expect(bound.nominalP).toBeCloseTo(normalTwoSided(bound.z), 14);
    });
    expect(bounds.map((bound) => bound.information)).toEqual(wanted.information);
  });

  // Reboussin, DeMets, Kim and Lan 2000, and the manual of R’s ldbounds.
  it.each([
    [3, [3.7103, 2.5114, 1.993]],
    [4, [4.3326, 2.9631, 2.359, 2.0141]],
    [5, [4.8769, 3.357, 2.6803, 2.2898, 2.031]],
  ])('at %d even looks are those of the published tables', (looks, table) => {
    const even = Array.from({ length: looks }, (_, i) => (i + 1) / looks);
    lanDeMets(even).forEach(({ z }, i) => {
      expect(z).toBeCloseTo(table[i] as number, 4);
    });
  });

  it('are crossed in 5 % of experiments with nothing in them, however the looks lie', () => {
    const random = createRandom(30);
    for (const shares of [[0.3, 0.31, 0.5, 1], Array.from({ length: 30 }, (_, i) => (i + 1) / 30)]) {
      const bounds = lanDeMets(shares);
      const experiments = 40_000;
      let crossed = 0;
      for (let i = 0; i < experiments; i++) {
        let sum = 0;
        let before = 0;
        for (const { information, z } of bounds) {
          sum += Math.sqrt(information - before) * random.normal();
          before = information;
          if (Math.abs(sum) < z * Math.sqrt(information)) continue;
          crossed++;
          break;
        }
      }
      // Three standard errors.
      expect(Math.abs(crossed / experiments - 0.05)).toBeLessThan(0.0033);
    }
  });

  it('never stop a look at which almost nothing is in', () => {
    const [first, second, last] = lanDeMets([0.0005, 0.5, 1]);
    expect(first).toEqual({ information: 0.0005, z: Number.POSITIVE_INFINITY, nominalP: 0 });
    expect(second?.z).toBeCloseTo(lanDeMets([0.5, 1])[0]?.z as number, 12);
    expect(last?.z).toBeCloseTo(lanDeMets([0.5, 1])[1]?.z as number, 12);
  });

  it.each([
    [[0.5, 0.5]],
    [[0.7, 0.4]],
    [[0, 1]],
    [[-0.1, 1]],
    [[0.5, 1.1]],
    [[Number.NaN]],
  ])('are refused at %j', (shares) => {
    expect(() => lanDeMets(shares)).toThrow(RangeError);
  });
});
