// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { DataRecord } from '../../../src/meters/watts-up-pro/packets.ts';
import { Cadence } from '../../../src/meters/watts-up-pro/record-stream.ts';

const steady: DataRecord = { powerW: 40, voltageV: 120, maximumW: 40, minimumW: 40 };
const ns = (seconds: number) => BigInt(Math.round(seconds * 1e9));

/** Kinds of the events at each arrival; an arrival is a time in seconds, with the number of records that came then. */
function watch(arrivals: readonly (number | [number, number])[]): string[][] {
  const cadence = new Cadence(0n, steady);
  return arrivals.map((arrival) => {
    const [seconds, count] = typeof arrival === 'number' ? [arrival, 1] : arrival;
    return cadence.take(ns(seconds), Array<DataRecord>(count).fill(steady)).map(({ kind }) => kind);
  });
}

describe('Cadence', () => {
  it('has nothing to say for an hour of records that jitter as on a saturated host, with a clock 0.05 % off', () => {
    const arrivals = Array.from({ length: 3600 }, (_, index) => (index + 1) * 1.0005 + 0.12 * Math.sin(index * 7.3));
    expect(watch(arrivals).flat()).toEqual([]);
  });

  it('tells of every missing second, once', () => {
    expect(watch([1, 3, 4, 5])).toEqual([[], ['gap'], [], []]);
    expect(watch([1, 5, 6])).toEqual([[], ['gap'], []]);
    expect(watch([1, 2.9, 4.1, 5])).toEqual([[], ['gap'], [], []]);
  });

  it('says how many seconds are missing', () => {
    const cadence = new Cadence(0n, steady);
    expect(cadence.take(ns(4), [steady])[0]?.detail).toBe('The records of 3 seconds are missing.');
  });

  it('takes a record that the host read late for late, not for missing', () => {
    expect(watch([1, 2.7, 3, 4])).toEqual([[], ['note'], [], []]);
    expect(watch([1, 2.3, 3, 4])).toEqual([[], [], [], []]);
  });

  it('takes records that were read together for all there', () => {
    expect(watch([1, [3.1, 2], 4, 5])).toEqual([[], [], [], []]);
    expect(watch([1, [4.6, 3], 5, 6]).flat()).toEqual(['note']);
  });

  it('notices a missing record behind a late one', () => {
    expect(watch([1, 2.7, 4, 5])).toEqual([[], ['note'], ['gap'], []]);
  });

  it('starts again after a silence that was told already', () => {
    const cadence = new Cadence(0n, steady);
    cadence.restart(ns(7.4), steady);
    expect(cadence.take(ns(8.4), [steady])).toEqual([]);
  });

  it('tells of a gap when maximum and minimum do not span the record before', () => {
    const cadence = new Cadence(0n, steady);
    const [event] = cadence.take(ns(1), [{ ...steady, maximumW: 52 }]);
    expect(event).toMatchObject({ kind: 'gap', tNs: ns(1) });
    expect(cadence.take(ns(2), [steady])).toEqual([]);
  });

  it('does not make every run invalid for a firmware that fills maximum and minimum otherwise', () => {
    const cadence = new Cadence(0n, steady);
    const sinceStart = { ...steady, maximumW: 52 };
    const kinds = [1, 2, 3, 4, 5].map((seconds) => cadence.take(ns(seconds), [sinceStart]).map(({ kind }) => kind));
    expect(kinds).toEqual([['gap'], ['gap'], ['note'], [], []]);
    expect(cadence.take(ns(7), [sinceStart]).map(({ kind }) => kind)).toEqual(['gap']);
  });
});
