// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { Batch, batchFor, iterationsFor, MAX_EXECUTIONS, windowTargetS } from '../../src/schedule/batch.ts';

const own = (variant: string): string => variant;
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

describe('a command that repeats itself', () => {
  /** Warm-up runs until the number is settled, for a start and an execution that take so long. */
  const found = (startS: number, eachS: number, warmups: number, targetS = 1): number => {
    const seen: { executions: number; windowS: number }[] = [];
    for (let i = 0; i < warmups; i++) {
      const executions = i === 0 ? 1 : iterationsFor(seen, targetS);
      seen.push({ executions, windowS: startS + executions * eachS });
    }
    return iterationsFor(seen, targetS);
  };

  it.each([
    ['a nanosecond after a fast start', 0.003, 1e-9],
    ['a microsecond after the start of an interpreter', 0.4, 1e-6],
    ['ten milliseconds after that of a virtual machine', 1.2, 0.01],
    ['a tenth of a second', 0.01, 0.1],
  ])('finds how often %s fills a window, in four warm-up runs', (_, startS, eachS) => {
    const windowS = startS + found(startS, eachS, 4) * eachS;
    expect(windowS).toBeGreaterThan(Math.max(1, startS));
    expect(windowS).toBeLessThan(Math.max(1.3, startS * 4.4 + 2 * eachS));
    // The start is in the energy of an execution: it is to be little of it.
    expect(startS / windowS).toBeLessThan(0.26);
  });

  it('is executed once where once is long enough, and ends somewhere', () => {
    expect(found(0.1, 4, 3)).toBe(1);
    expect(found(0.5, 0, 12)).toBe(1_000_000_000);
    expect(iterationsFor([], 1)).toBe(1);
  });

  it('tries no window that takes much longer than the one it looks for', () => {
    const seen = [{ executions: 1, windowS: 0.5 + 0.002 }];
    const executions = iterationsFor(seen, 1);
    expect(0.5 + executions * 0.002).toBeLessThan(11);
  });

  it('starts a command once that repeats itself, whatever each execution of the others is', () => {
    const groups = {
      groupOf: own,
      loopsItself: (variant: string) => variant === 'loops',
      executionsOf: () => undefined,
    };
    const batch = new Batch({ executions: 'auto', ownStarts: true }, 1, [], groups);
    for (const variant of ['loops', 'plain']) {
      batch.observe({ variant, status: 'warmup', startNs: 0n, endNs: 100_000_000n, executions: 1, startUpS: null });
    }
    expect(batch.warmupExecutions('plain')).toBe(1);
    expect(batch.warmupExecutions('loops')).toBeGreaterThan(1);
  });

  it('has a number of its own for each group', () => {
    const groups = {
      groupOf: (variant: string) => variant.split('/')[0]!,
      loopsItself: (variant: string) => variant.startsWith('own'),
      executionsOf: (group: string) => (group === 'thrice' ? 3 : undefined),
    };
    const batch = new Batch({ executions: 'auto', ownStarts: false }, 1, [], groups);
    const warmup = (variant: string, windowS: number, executions: number) =>
      batch.observe({
        variant,
        status: 'warmup',
        startNs: 0n,
        endNs: BigInt(Math.round(windowS * 1e9)),
        executions,
        startUpS: null,
      });
    for (const side of ['a', 'b']) {
      warmup(`own/${side}`, 0.101, 1);
      warmup(`own/${side}`, 0.201, 101);
      warmup(`shell/${side}`, side === 'a' ? 0.5 : 0.25, 1);
      warmup(`thrice/${side}`, 0.1, 1);
    }
    expect(batch.executionsOf('own/a')).toBe(batch.executionsOf('own/b'));
    expect(batch.executionsOf('own/a')).toBeCloseTo(950, -1);
    expect(batch.executionsOf('shell/a')).toBe(5);
    expect(batch.warmupExecutions('thrice/a')).toBe(1);
    expect(batch.executionsOf('thrice/a')).toBe(3);
    // A compared window of the first is 1.05 s; of the others 5 and 3 executions.
    expect(batch.addedS).toBeCloseTo(
      (2 * (1.05 - 0.101) + 2 * (1.05 - 0.201) + 4 * 0.5 + 4 * 0.25 + 2 * 2 * 0.1) / 8,
      1,
    );
    expect(batch.range).toEqual([3, batch.executionsOf('own/a')]);
  });
});
