import { describe, expect, it } from '@jest/globals';
import { batchFor, MOST_EXECUTIONS, windowTargetS } from '../../src/schedule/batch.ts';

const durations = (given: Record<string, number[]>) => new Map(Object.entries(given));

describe('windowTargetS', () => {
  it('is thirty readings of the slowest channel that reports late, or five seconds of counters', () => {
    const guard = (samplingPeriodS: number) => ({ integration: 'guard' as const, samplingPeriodS });
    expect(windowTargetS([guard(1)])).toBe(30);
    expect(windowTargetS([guard(0.5), guard(2), { integration: 'counter', samplingPeriodS: 5 }])).toBe(60);
    expect(windowTargetS([{ integration: 'counter', samplingPeriodS: 0.1 }])).toBe(5);
  });
});

describe('batchFor', () => {
  it('takes as many executions as the fastest variant needs, the same for all', () => {
    expect(batchFor(durations({ native: [10, 9], container: [12, 11] }), 30)).toBe(4);
    // Windows of exactly the target would often come out a little shorter.
    expect(batchFor(durations({ native: [10] }), 30)).toBe(4);
    expect(batchFor(durations({ native: [10.6] }), 30)).toBe(3);
  });

  it('leaves a workload alone that is long enough', () => {
    expect(batchFor(durations({ native: [30], container: [31] }), 30)).toBe(1);
  });

  it('ends somewhere', () => {
    expect(batchFor(durations({ native: [0.0001] }), 30)).toBe(MOST_EXECUTIONS);
    expect(batchFor(durations({ native: [0] }), 30)).toBe(MOST_EXECUTIONS);
    expect(batchFor(durations({}), 30)).toBe(1);
  });
});
