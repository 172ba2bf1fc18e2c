// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { Batch, batchFor, MAX_EXECUTIONS, windowTargetS } from '../../src/schedule/batch.ts';

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
    expect(batchFor(durations({ native: [0.0001] }), 30)).toBe(MAX_EXECUTIONS);
    expect(batchFor(durations({ native: [0] }), 30)).toBe(MAX_EXECUTIONS);
    expect(batchFor(durations({}), 30)).toBe(1);
  });
});

describe('Batch', () => {
  const seconds = (s: number) => BigInt(Math.round(s * 1e9));
  const run = (variant: string, windowS: number, executions: number, startUpS: number | null) => ({
    variant,
    status: 'warmup' as const,
    startNs: 0n,
    endNs: seconds(windowS),
    executions,
    startUpS,
  });

  it('leaves out what starting takes where one start holds all executions, and finds a short command by many of them', () => {
    // A start takes 0.3 s, telling of the end 0.1 s, an execution 5 ms.
    const batch = new Batch({ executions: 'auto', ownStarts: false }, 30, []);
    expect(batch.warmupExecutions('a')).toBe(1);
    batch.observe(run('a', 0.405, 1, 0.3));
    expect(batch.warmupExecutions('b')).toBe(1);
    batch.observe(run('b', 0.505, 1, 0.4));
    const more = batch.warmupExecutions('a');
    expect([300, 301]).toContain(more);
    batch.observe(run('a', 0.4 + 0.005 * more, more, 0.3));
    batch.observe(run('b', 0.5 + 0.005 * more, more, 0.4));
    const windowS = 0.005 * batch.executions;
    expect(windowS).toBeGreaterThan(29);
    expect(windowS).toBeLessThan(33);
  });

  it('keeps it in where each execution is a start', () => {
    const batch = new Batch({ executions: 'auto', ownStarts: true }, 30, []);
    batch.observe(run('a', 0.5, 1, 0.3));
    expect(batch.warmupExecutions('a')).toBe(1);
    expect(batch.executions).toBe(63);
  });

  it('finds how much faster a command is in a loop than alone', () => {
    const batch = new Batch({ executions: 'auto', ownStarts: false }, 5, []);
    batch.observe(run('a', 0.01, 1, null));
    const more = batch.warmupExecutions('a');
    batch.observe(run('a', 0.002 * more, more, null));
    expect(0.002 * batch.executions).toBeGreaterThanOrEqual(5);
  });

  it('warms up with single executions where the number is given', () => {
    const given = new Batch({ executions: 7, ownStarts: false }, 30, [{ ...run('a', 1, 1, 0.3), block: 0 }]);
    expect(given.warmupExecutions('a')).toBe(1);
    expect(given.executions).toBe(7);
    expect(given.addedS).toBeCloseTo(6 * 0.7, 9);
  });
});
