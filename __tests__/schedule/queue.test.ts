// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { PlannedRun } from '../../src/schedule/plan.ts';
import { type FinishedRun, type GiveUp, RunQueue } from '../../src/schedule/queue.ts';

const PLAN: PlannedRun[] = [
  { run: 1, block: 0, position: 1, variant: 'native', warmup: true },
  { run: 2, block: 0, position: 2, variant: 'container', warmup: true },
  { run: 3, block: 1, position: 1, variant: 'container', warmup: false },
  { run: 4, block: 1, position: 2, variant: 'native', warmup: false },
];
const reversed = (_block: number, _attempt: number, variants: readonly string[]) => [...variants].reverse();

/** Runs through the queue; `outcome` says how each execution goes. */
function drain(queue: RunQueue, outcome: (run: number, variant: string) => FinishedRun['status'], from = 0) {
  const order: string[] = [];
  const superseded: number[] = [];
  let end: GiveUp | null = null;
  for (let next = queue.next(), run = from + 1; next !== null && end === null; next = queue.next(), run++) {
    const status = outcome(run, next.variant);
    order.push(`${run}: block ${next.block} ${next.variant} attempt ${next.attempt}`);
    const good = next.warmup ? 'warmup' : 'ok';
    const finished = queue.finish({
      run,
      planned: next.run,
      attempt: next.attempt,
      status: status === 'ok' ? good : status,
      cause: status === 'failed' ? 'exit-code' : status === 'invalid' ? 'missing-readings' : null,
    });
    superseded.push(...finished.superseded.map((one) => one.run));
    end = finished.giveUp;
  }
  return { order, superseded, end };
}

describe('RunQueue', () => {
  it('goes through the plan in its order', () => {
    const queue = new RunQueue(PLAN, [], reversed);
    expect(drain(queue, () => 'ok')).toEqual({
      order: [
        '1: block 0 native attempt 1',
        '2: block 0 container attempt 1',
        '3: block 1 container attempt 1',
        '4: block 1 native attempt 1',
      ],
      superseded: [],
      end: null,
    });
    expect(queue.done).toBe(4);
  });

  it('repeats the whole block of a failed run, in a new order, and sets its good runs aside', () => {
    const { order, superseded } = drain(new RunQueue(PLAN, [], reversed), (run) => (run === 4 ? 'failed' : 'ok'));
    expect(order.slice(3)).toEqual([
      '4: block 1 native attempt 1',
      '5: block 1 native attempt 2',
      '6: block 1 container attempt 2',
    ]);
    expect(superseded).toEqual([3]);
  });

  it('ends when a variant fails again in the repeated block', () => {
    const queue = new RunQueue(PLAN, [], reversed);
    const { end } = drain(queue, (_run, variant) => (variant === 'native' ? 'failed' : 'ok'));
    expect(end).toEqual({ kind: 'failed-twice', variant: 'native', runs: [1, 2], cause: 'exit-code' });
  });

  it('does not end when different variants of a block fail once each', () => {
    const failing = new Map([
      [1, 'native'],
      [3, 'container'],
    ]);
    const { order } = drain(new RunQueue(PLAN, [], reversed), (run, variant) =>
      failing.get(run) === variant ? 'failed' : 'ok',
    );
    expect(order.at(-1)).toMatch(/^\d+: block 1 native/);
  });

  it('repeats a block with an invalid run, but not for ever', () => {
    const queue = new RunQueue(PLAN, [], reversed);
    const { order, end } = drain(queue, () => 'invalid');
    expect(order).toHaveLength(4);
    expect(end).toEqual({ kind: 'too-many-attempts', block: 0, attempts: 4, cause: 'missing-readings' });
  });

  it('goes on after an interruption without running anything twice', () => {
    const finished: FinishedRun[] = [
      { run: 1, planned: 1, attempt: 1, status: 'warmup', cause: null },
      { run: 2, planned: 2, attempt: 1, status: 'warmup', cause: null },
      { run: 3, planned: 3, attempt: 1, status: 'ok', cause: null },
      { run: 4, planned: 4, attempt: 1, status: 'invalid', cause: 'stopped' },
    ];
    const queue = new RunQueue(PLAN, finished, reversed);
    expect(queue.done).toBe(3);
    expect(queue.superseded).toEqual([]);
    expect(drain(queue, () => 'ok', 4).order).toEqual(['5: block 1 native attempt 1']);
  });

  it('goes on in the middle of a repeated block', () => {
    const finished: FinishedRun[] = [
      { run: 1, planned: 1, attempt: 1, status: 'warmup', cause: null },
      { run: 2, planned: 2, attempt: 1, status: 'failed', cause: 'exit-code' },
      { run: 3, planned: 1, attempt: 2, status: 'warmup', cause: null },
    ];
    const { order } = drain(new RunQueue(PLAN, finished, reversed), () => 'ok', 3);
    expect(order[0]).toBe('4: block 0 container attempt 2');
    expect(order).toHaveLength(3);
  });

  it('finds the good runs of a block that gave up, or was killed before they were excluded', () => {
    const failed = { planned: 4, status: 'failed', cause: 'exit-code' } as const;
    const finished: FinishedRun[] = [
      { run: 1, planned: 1, attempt: 1, status: 'warmup', cause: null },
      { run: 2, planned: 2, attempt: 1, status: 'warmup', cause: null },
      { run: 3, planned: 3, attempt: 1, status: 'invalid', cause: 'block-repeated' },
      { run: 4, attempt: 1, ...failed },
      { run: 5, planned: 3, attempt: 2, status: 'ok', cause: null },
      { run: 6, attempt: 2, ...failed },
    ];
    const queue = new RunQueue(PLAN, finished, reversed);
    expect(queue.superseded).toEqual([{ run: 5, because: finished[5] }]);
    expect(drain(queue, () => 'ok', 6).order).toEqual([
      '7: block 1 native attempt 3',
      '8: block 1 container attempt 3',
    ]);
  });
});

describe('RunQueue of a suite', () => {
  const benchmarks = new Map(['x/a', 'x/b', 'y/a', 'y/b'].map((variant) => [variant, variant[0]!]));
  const plan = ['x/a', 'y/a', 'y/b', 'x/b', 'y/b', 'x/a', 'x/b', 'y/a'].map(
    (variant, i): PlannedRun => ({
      run: i + 1,
      block: 1 + Math.floor(i / 4),
      position: (i % 4) + 1,
      variant,
      warmup: false,
    }),
  );

  it('repeats only the benchmark of a run that was not good, after all others of the block', () => {
    const { order, superseded, end } = drain(new RunQueue(plan, [], reversed, benchmarks), (run) =>
      run === 2 ? 'failed' : 'ok',
    );
    expect(order.slice(0, 6)).toEqual([
      '1: block 1 x/a attempt 1',
      '2: block 1 y/a attempt 1',
      '3: block 1 x/b attempt 1',
      '4: block 1 y/b attempt 2',
      '5: block 1 y/a attempt 2',
      '6: block 2 y/b attempt 1',
    ]);
    expect({ superseded, end }).toEqual({ superseded: [], end: null });
  });

  it('gives up a benchmark that failed twice, and goes on with the others', () => {
    const queue = new RunQueue(plan, [], reversed, benchmarks);
    const { order, end } = drain(queue, (_, variant) => (variant === 'y/a' ? 'failed' : 'ok'));
    expect(end).toBeNull();
    expect([...queue.dropped]).toEqual([['y', 'failed']]);
    expect(order.filter((line) => line.includes('block 2'))).toEqual([
      '6: block 2 x/a attempt 1',
      '7: block 2 x/b attempt 1',
    ]);
    expect([queue.done, queue.total]).toEqual([4, 4]);
  });

  it('tells a benchmark whose runs stay invalid from one that failed', () => {
    const queue = new RunQueue(plan, [], reversed, benchmarks);
    const { order, end } = drain(queue, (_, variant) => (variant === 'y/b' ? 'invalid' : 'ok'));
    expect([end, [...queue.dropped]]).toEqual([null, [['y', 'invalid']]]);
    expect(order.filter((line) => /y\/b attempt 4|block 2 y/.test(line))).toEqual(['7: block 1 y/b attempt 4']);
  });

  it('knows from the record what was given up', () => {
    const bad = (run: number, attempt: number): FinishedRun => ({
      run,
      planned: 2,
      attempt,
      status: 'failed',
      cause: 'exit-code',
    });
    const queue = new RunQueue(plan, [bad(1, 1), bad(2, 2)], reversed, benchmarks);
    expect([...queue.dropped]).toEqual([['y', 'failed']]);
    expect(queue.next()).toMatchObject({ variant: 'x/a' });
  });

  it('runs a benchmark that is settled no more, and the others to the end', () => {
    const queue = new RunQueue(plan, [], reversed, benchmarks);
    queue.limitGroup('x', 1);
    const { order } = drain(queue, () => 'ok');
    expect(order.filter((line) => line.includes('block 2'))).toEqual([
      '5: block 2 y/b attempt 1',
      '6: block 2 y/a attempt 1',
    ]);
    expect([queue.done, queue.total]).toEqual([6, 6]);
  });

  it('gives up the experiment with its last benchmark', () => {
    const { end } = drain(new RunQueue(plan, [], reversed, benchmarks), () => 'failed');
    expect(end).toMatchObject({ kind: 'failed-twice' });
  });
});
