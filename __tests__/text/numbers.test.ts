// Class: unit.
import { describe, expect, it } from '@jest/globals';
import {
  bytes,
  changeOfAmount,
  confidenceDown,
  duration,
  durationText,
  fixed,
  percent,
  percentInterval,
  percentWithInterval,
  quantity,
  short,
  signed,
  significant,
} from '../../src/text/numbers.ts';
import { uniform } from '../report/synthetic/random.ts';

describe('numbers', () => {
  it('are written with a minus sign, never as minus zero, and grouped from five digits on', () => {
    expect(fixed(-1.25, 1)).toBe('−1.3');
    expect(fixed(-0.001, 2)).toBe('0.00');
    expect([fixed(9999, 0), fixed(12345.6, 1)]).toEqual(['9999', '12,345.6']);
    expect([signed(0.2, 1), signed(0.001, 1), signed(-2, 0)]).toEqual(['+0.2', '0.0', '−2']);
  });

  it('have no digits of what rounding leaves where there is nothing', () => {
    expect(percentWithInterval(1e-14, [-3e-14, 2e-13])).toBe('0.0 % (0.0 to 0.0)');
    expect(percentWithInterval(1e-4, [5e-5, 2e-4])).toBe('+0.00010 % (+0.00005 to +0.00020)');
  });

  it('of bytes have the unit that fits, and confidences are never rounded up', () => {
    expect([0, 4096, 3.5 * 2 ** 20, 2 ** 34, -4096].map(bytes)).toEqual([
      '0 bytes',
      '4 KiB',
      '3.5 MiB',
      '16 GiB',
      '−4 KiB',
    ]);
    expect([0.9375, 0.9609375, 0.95].map(confidenceDown)).toEqual(['93.7 %', '96.0 %', '95.0 %']);
  });

  it('have about as many digits as asked for, from nanojoules to gigajoules', () => {
    expect([250.07, 0.012345, 12345, 3.2, 0].map((v) => significant(v))).toEqual([
      '250.1',
      '0.01235',
      '12,345',
      '3.200',
      '0',
    ]);
    expect(significant(1.5e-8, 2)).toBe('1.5e−8');
    expect([significant(2.5e10), significant(2.5e16, 2)]).toEqual(['25,000,000,000', '2.5e16']);
    expect([short(1), short(0.1), short(100), short(1.5)]).toEqual(['1', '0.1', '100', '1.5']);
    expect(quantity(null, 'J')).toBe('–');
  });

  it('have the unit in which they are best read', () => {
    expect([0.25, 0.0025, 3e-6, 0, -0.05].map((v) => quantity(v, 's', 2))).toEqual([
      '0.25 s',
      '2.5 ms',
      '3.0 µs',
      '0 s',
      '−50 ms',
    ]);
    expect([quantity(0.0025, 'J', 2), quantity(311.5, '%', 2)]).toEqual(['2.5 mJ', '312 %']);
  });
});

describe('any finite number', () => {
  const random = uniform(11);
  const anySize = (): number => {
    const size = (1 + random()) * 2 ** Math.min(Math.floor(random() * 2098) - 1074, 1023);
    return random() < 0.5 ? -size : size;
  };
  const ordinary = (): number => (random() - 0.5) * 10 ** Math.floor(random() * 30 - 12);
  const values = [
    0,
    -0,
    5e-324,
    Number.MAX_VALUE,
    1e15,
    1e21,
    999_999_999_999_999.9,
    0.99995,
    9.9995,
    119.9999,
    7199.99,
  ]
    .flatMap((value) => [value, -value])
    .concat(Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? anySize() : ordinary())))
    .filter(Number.isFinite);
  const numberIn = (text: string): number => Number(text.replace(/,/g, '').replace(/−/g, '-'));
  /** What is written, of all that goes wrong. */
  const wrong = (write: (value: number) => string, isRight: (text: string, value: number) => boolean): string[] =>
    values
      .map((value) => `${value}: ${write(value)}`)
      .filter((line, i) => !isRight(line.split(': ')[1] ?? '', values[i] as number));
  const isPlain = (text: string): boolean => text.length <= 30 && !/NaN|Infinity|undefined|e\+/.test(text);

  it.each<[string, (value: number) => string]>([
    ['fixed', (value) => fixed(value, 2)],
    ['signed', (value) => signed(value, 1)],
    ['short', (value) => short(value)],
    ['joules', (value) => quantity(value, 'J')],
    ['percent', (value) => percent(value)],
    ['duration', (value) => duration(Math.abs(value))],
    ['bytes', bytes],
  ])('is written in a few characters by %s', (_, write) => {
    expect(wrong(write, isPlain)).toEqual([]);
  });

  it('is the number that was given, to its digits', () => {
    const isNear = (text: string, value: number, error: number): boolean =>
      Math.abs(value) > 1e308 || Math.abs(numberIn(text) - value) <= error;
    expect(
      wrong(
        (v) => significant(v),
        (text, v) => isNear(text, v, 5.1e-4 * Math.abs(v)),
      ),
    ).toEqual([]);
    expect(
      wrong(
        (v) => fixed(v, 3),
        (text, v) => isNear(text, v, 5.1e-4 * Math.max(1, Math.abs(v))),
      ),
    ).toEqual([]);
  });

  it('stands in an interval with up to twelve decimals', () => {
    const lines = values.slice(1).map((value, i) => {
      const other = [value, value + Math.abs(value) * 2 ** -52, values[i] as number][i % 3] as number;
      const interval: [number, number] = value < other ? [value, other] : [other, value];
      return percentWithInterval(value, interval);
    });
    expect(lines.filter((line) => line.length > 100 || /NaN|Infinity|e\+/.test(line))).toEqual([]);
  });
});

describe('percentages', () => {
  it('have the decimals that their interval bears out', () => {
    expect(percentWithInterval(3.123, [2.61, 3.68])).toBe('+3.1 % (+2.6 to +3.7)');
    expect(percentWithInterval(3.1234, [3.101, 3.146])).toBe('+3.12 % (+3.10 to +3.15)');
    expect(percentWithInterval(30.5, [18.2, 44.9])).toBe('+30.5 % (+18.2 to +44.9)');
    expect(percent(3.1)).toBe('+3.1 %');
  });

  it('never show a limit beside zero as zero: that would read as another verdict', () => {
    expect(percentInterval([0.004, 1.2])).toBe('+0.004 to +1.200');
    expect(percentInterval([-1.2, -0.03])).toBe('−1.20 to −0.03');
    expect(changeOfAmount(1, [0.004, 2], () => ({ unit: 'J', size: 1 })).interval).toBe('+0.004 to +2.000');
  });

  it('of nothing are a dash', () => {
    expect([percent(null), percentInterval(null), percentWithInterval(null, null)]).toEqual(['–', '–', '–']);
  });
});

describe('duration', () => {
  it('is written as a person says it', () => {
    expect([duration(0.1), duration(12.34), duration(250), duration(7500)]).toEqual([
      '0.1 s',
      '12.3 s',
      '4 min 10 s',
      '2 h 5 min',
    ]);
    expect([duration(119.96), duration(600), duration(7199.6), duration(10_790)]).toEqual([
      '120 s',
      '10 min',
      '2 h',
      '3 h',
    ]);
  });

  it('is written in whole seconds where they count down', () => {
    expect([-1, 0.4, 59.6, 250, 600, 3600, 7170, 7500].map(durationText)).toEqual([
      '0 s',
      '0 s',
      '1 min',
      '4 min 10 s',
      '10 min',
      '1 h',
      '2 h',
      '2 h 5 min',
    ]);
  });
});
