// Class: unit.
import { describe, expect, it } from '@jest/globals';
import {
  type Axis,
  axisAround,
  axisFromZero,
  axisTo,
  startNote,
  startNotes,
} from '../../../../src/report/charts/parts/axis.ts';
import { uniform } from '../../synthetic/random.ts';

const EPSILON = 2 ** -52;
const random = uniform(7);

/** A finite double of any sign and size, as often a small as a large one. */
function anyDouble(): number {
  const exponent = Math.floor(random() * 2098) - 1074;
  return (random() < 0.5 ? -1 : 1) * (1 + random()) * 2 ** Math.min(exponent, 1023) || 0;
}

/** The doubles around this one, equal ones too. */
function nearby(value: number): number {
  const steps = Math.floor(random() * 4);
  return value + steps * Math.max(Math.abs(value) * EPSILON, Number.MIN_VALUE);
}

const ordinary = (): number => (random() - 0.5) * 10 ** Math.floor(random() * 12 - 3);
const isNormal = (value: number): boolean => value === 0 || (Math.abs(value) > 1e-150 && Math.abs(value) < 1e150);

const pairs = Array.from({ length: 4000 }, (_, i): [number, number] => {
  const first = i % 2 === 0 ? anyDouble() : ordinary();
  const second = [nearby(first), anyDouble(), ordinary(), first][Math.floor(i / 2) % 4]!;
  return first < second ? [first, second] : [second, first];
}).filter(([low, high]) => Number.isFinite(low) && Number.isFinite(high));

function expectSound({ min, max, ticks, decimals }: Axis, most: number): void {
  const room = (max - min) * 1e-6;
  const isSound =
    Number.isFinite(min) &&
    Number.isFinite(max) &&
    min < max &&
    ticks.length > 0 &&
    ticks.length <= most &&
    ticks.every((tick, i) => tick >= min - room && tick <= max + room && (i === 0 || tick > ticks[i - 1]!)) &&
    decimals >= 0;
  if (!isSound) expect({ min, max, ticks, decimals }).toBe('an axis with a few rising numbers inside its limits');
}

describe('axes around any two doubles', () => {
  it('have a few rising numbers inside of finite limits', () => {
    for (const [low, high] of pairs) {
      for (const ticks of [3, 6, 8]) {
        expectSound(axisAround(low, high, ticks), ticks + 2);
        expectSound(axisFromZero(low, high, ticks), ticks + 2);
      }
      expectSound(axisTo(high), 9);
    }
  });

  it('hold the data', () => {
    for (const [low, high] of pairs.filter((pair) => pair.every(isNormal))) {
      for (const { min, max } of [axisAround(low, high), axisFromZero(low, high)]) {
        if (!(min <= low && max >= high)) expect({ low, high }).toEqual({ low: min, high: max });
      }
    }
  });

  it('take what differs by rounding alone for equal', () => {
    const { min, max, ticks } = axisAround(9.999999999999998, 10);
    expect(min).toBeCloseTo(9.9, 6);
    expect(max).toBeCloseTo(10.1, 6);
    expect(ticks).toEqual(axisAround(10, 10).ticks);
  });
});

describe('startNote', () => {
  it('warns of those axes of a plot that do not start at 0', () => {
    const [far, near] = [axisAround(9, 10), axisAround(0, 10)];
    expect(startNotes([far, 'time axis'], [far, 'energy axis'])).toBe('The axes do not start at 0.');
    expect(startNotes([near, 'time axis'], [far, 'energy axis'])).toBe('The energy axis does not start at 0.');
    expect(startNotes([near, 'time axis'], [near, 'energy axis'])).toBe('');
  });

  it('warns of an axis that does not start at 0, and of no other', () => {
    expect(startNote(axisAround(9, 10))).toBe('The axis does not start at 0.');
    expect(startNote(axisAround(-1, 10), 'power axis')).toBe('The power axis does not start at 0.');
    expect(startNote(axisAround(0, 10))).toBe('');
  });
});

describe('axes', () => {
  it.each([
    [243.2, 263.1],
    [0.0203, 0.0217],
    [250, 250],
    [0, 0],
    [-3, 6],
    [1e9, 2e9],
  ])('around %p to %p hold the data and have a few round ticks between their limits', (low, high) => {
    const axis = axisAround(low, high);
    expect(axis.min).toBeLessThanOrEqual(low);
    expect(axis.max).toBeGreaterThan(high);
    expect(axis.ticks.length).toBeGreaterThanOrEqual(2);
    expect(axis.ticks.length).toBeLessThanOrEqual(8);
    for (const tick of axis.ticks) {
      expect(tick >= axis.min - 1e-9 * axis.max && tick <= axis.max * (1 + 1e-9) + 1e-12).toBe(true);
      // The label says where the tick is, to the last digit.
      expect(Number(tick.toFixed(axis.decimals))).toBeCloseTo(tick, 10);
    }
  });

  it('do not go below zero for data that do not', () => {
    expect(axisAround(0, 5).min).toBe(0);
    expect(axisTo(12.3)).toMatchObject({ min: 0, max: 12.3, ticks: [0, 2, 4, 6, 8, 10, 12], decimals: 0 });
  });
});
