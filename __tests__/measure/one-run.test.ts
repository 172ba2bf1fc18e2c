// Class: system.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Execution } from '../../src/contracts/execution.ts';
import type { ChannelInfo } from '../../src/contracts/reading.ts';
import { MeasureError, Stopped } from '../../src/errors.ts';
import type { Executor, PreparedRun } from '../../src/executors/executor.ts';
import { PlaceLostError } from '../../src/executors/failures.ts';
import { SHORTEST_IDLE_S } from '../../src/measure/machine-counters.ts';
import { ObservationBuffer } from '../../src/measure/observation-buffer.ts';
import { type OneRunSetup, performRun } from '../../src/measure/one-run.ts';
import type { MeterSink } from '../../src/meters/meter.ts';
import { nowNs } from '../../src/system/clock.ts';

// The places and the meter are stand-ins that write down what happens and when: the order is what is proved here.
// Real processes, containers and ports are used in __tests__/executors, __tests__/meters and __tests__/e2e.

const REST_S = 0.08;
const GUARD_S = 0.05;
const NEXT = { run: 1, block: 1, position: 1, variant: 'native', warmup: false, attempt: 1 };

interface Happening {
  readonly what: string;
  readonly atNs: bigint;
}

function setup(
  options: {
    execution?: Partial<Execution>;
    failAt?: 'prepare' | 'execute' | 'dispose';
    error?: typeof MeasureError;
    /** The workload runs for so long before `failAt: 'execute'`. */
    loadMs?: number;
    readings?: boolean;
    /** The event loop stands still for so long in the window. */
    stallMs?: number;
    channel?: Partial<ChannelInfo>;
    /** Further channels. */
    beside?: readonly string[];
    /** The place tells after the guard where its window was. */
    settled?: Partial<Execution>;
    counters?: OneRunSetup['counters'];
  } = {},
) {
  const happened: Happening[] = [];
  const note = (what: string): void => void happened.push({ what, atNs: nowNs() });
  const failing = (step: string): void => {
    if (options.failAt === step) throw new (options.error ?? MeasureError)(`${step} went wrong.`);
  };
  const beside = (options.beside ?? []).map((channel) => ({ ...COUNTER, channel }));
  const channels = [{ ...COUNTER, ...options.channel }, ...beside];
  const buffer = new ObservationBuffer(channels);
  const controller = new AbortController();
  const lost = new AbortController();
  const executor: Executor = {
    setup: async () => ({}),
    makeService: async () => {
      throw new Error('there are no services');
    },
    prepare: async () => {
      note('prepare');
      failing('prepare');
      return place;
    },
  };
  const place: PreparedRun = {
    leftByPrepare: null,
    execute: async (hooks) => {
      if (options.loadMs) await sleep(options.loadMs);
      failing('execute');
      const startNs = nowNs();
      hooks.onEdge('start');
      note('run');
      if (options.stallMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, options.stallMs);
      const endNs = nowNs();
      hooks.onEdge('end');
      const result = {
        exitCode: 0,
        signal: null,
        timedOut: false,
        limit: null,
        outputTail: '',
        leftRunning: null,
        startUpS: null,
        ...options.execution,
      };
      return { startNs, endNs, ...result };
    },
    ...(options.settled && {
      settle: async (execution) => {
        note('settle');
        return { ...execution, ...options.settled };
      },
    }),
    dispose: async () => {
      note('dispose');
      failing('dispose');
    },
  };
  const meters = {
    channels,
    mark: marking(buffer, options.readings ?? true, () => note('mark')),
    lostSignal: lost.signal,
  };
  const context = {
    experimentId: 'e',
    runId: 1,
    logFile: '/dev/null',
    signal: AbortSignal.any([controller.signal, lost.signal]),
  };
  const state = { governor: 'performance', temperatureC: 51, load: 0.1 };
  const sensors = {
    begin: () => note('look'),
    read: () => {
      note('look');
      return state;
    },
  };
  const incidents = { begin() {}, end: () => ({ throttled: 2, kernelMessages: null }) };
  const run = (stop?: AbortSignal) =>
    performRun(NEXT, {
      incidents,
      executor,
      meters,
      buffer,
      restS: REST_S,
      guardS: GUARD_S,
      context: { ...context, stop },
      sensors,
      ...(options.counters && { counters: options.counters }),
    });
  return { run, happened, buffer, controller, lost };
}

const COUNTER: ChannelInfo = { channel: 'wall', integration: 'counter', clock: 'host', samplingPeriodS: 0.1 };

function marking(sink: MeterSink, readings: boolean, onMark: () => void): () => void {
  return () => {
    onMark();
    if (readings) sink.sample('wall', { tNs: nowNs(), powerW: 10, durationS: 0.1 });
  };
}

describe('performRun', () => {
  it('prepares, rests, runs between two marks, keeps the guard, and only then cleans up', async () => {
    const { run, happened } = setup();
    const outcome = await run();
    expect(happened.map((h) => h.what)).toEqual(['prepare', 'look', 'look', 'mark', 'run', 'mark', 'dispose']);
    expect(outcome).toMatchObject({
      status: 'ok',
      reason: null,
      machine: { temperatureC: 51 },
      incidents: { throttled: 2 },
    });
    const at = (i: number) => happened[i]?.atNs as bigint;
    expect(Number(outcome.startNs - at(0)) / 1e9).toBeGreaterThanOrEqual(REST_S);
    expect(Number(at(6) - outcome.endNs) / 1e9).toBeGreaterThanOrEqual(GUARD_S);
    expect(outcome.restStartNs).toBeGreaterThanOrEqual(at(0));
    expect(outcome.guardEndNs).toBeLessThanOrEqual(at(6));
  });

  it('takes the window that its place tells when the guard is over, and how far off that may be', async () => {
    const startNs = nowNs();
    const clock = { edgeS: GUARD_S / 5, lengthS: 0.001 };
    const { run, happened } = setup({ settled: { startNs, endNs: startNs + 1n, clock } });
    const outcome = await run();
    expect(happened.map((h) => h.what).slice(-3)).toEqual(['mark', 'settle', 'dispose']);
    expect(outcome).toMatchObject({ startNs, endNs: startNs + 1n, execution: { clock } });
  });

  it('leaves time to count what the machine does while idle, also after a run whose end it sees late', async () => {
    const at: Record<string, bigint> = {};
    const counts = (what: string) => (): [] => {
      at[what] = nowNs();
      return [];
    };
    const counters = {
      rest: counts('rest'),
      begin: counts('begin'),
      end: counts('end'),
      idle: counts('idle'),
      processors: () => [],
    };
    const startNs = nowNs();
    // Its guard is over before it is known to have ended.
    await setup({ execution: { startNs, endNs: startNs + 1n }, counters }).run();
    const { end = 0n, idle = 0n } = at;
    expect(Number(idle - end) / 1e9).toBeGreaterThanOrEqual(SHORTEST_IDLE_S);
  });

  it('fails where the clock of the window is known so badly that it could reach into the guards', async () => {
    const { run } = setup({ settled: { clock: { edgeS: GUARD_S / 3, lengthS: 0.001 } } });
    expect(await run()).toMatchObject({
      status: 'failed',
      cause: 'place',
      reason: expect.stringMatching(
        /^The clock of the machine that timed the window is known to 17 ms only, .* guard of 0\.05 s/,
      ),
    });
  });

  it.each([
    ['its exit code', { execution: { exitCode: 3 } }, 'failed', 'exit code 3', 'exit-code'],
    ['a signal', { execution: { exitCode: null, signal: 'SIGSEGV' } }, 'failed', 'ended by signal SIGSEGV', 'signal'],
    [
      'its timeout',
      { execution: { exitCode: null, timedOut: true } },
      'failed',
      'took longer than its timeout',
      'timeout',
    ],
    [
      'what it left running',
      { execution: { leftRunning: { ended: ['sleep'], remaining: [] } } },
      'invalid',
      'it ended but left processes running, which were ended then (sleep)',
      'left-running',
    ],
    [
      'what it left running for good',
      { execution: { leftRunning: { ended: ['sleep'], remaining: ['java, process 7'] } } },
      'invalid',
      'it ended but left processes running, and not all of them could be ended (java, process 7)',
      'left-running',
    ],
    ['its preparation', { failAt: 'prepare' as const }, 'failed', 'prepare went wrong', 'place'],
    ['its start', { failAt: 'execute' as const }, 'failed', 'execute went wrong', 'place'],
    [
      'its place, gone before it was cleaned up',
      { failAt: 'dispose' as const, error: PlaceLostError, execution: { exitCode: 143 } },
      'invalid',
      'dispose went wrong',
      'place-lost',
    ],
    ['its clean-up', { failAt: 'dispose' as const }, 'failed', 'dispose went wrong', 'place'],
    ['the meter', { readings: false }, 'invalid', 'no reading of wall lies between its guards', 'missing-readings'],
  ])('says when a run is not good because of %s', async (_what, options, status, reason, cause) => {
    const { run, happened } = setup(options);
    const outcome = await run();
    expect([outcome.status, outcome.reason, outcome.cause]).toEqual([status, reason, cause]);
    // A place that was made is taken down whatever happened in it.
    expect(happened.some((h) => h.what === 'dispose')).toBe(
      options !== undefined && !('failAt' in options && options.failAt === 'prepare'),
    );
  });

  it('tells of a clean-up that fails after its meter was lost, and nothing where joulediff is stopped', async () => {
    for (const stopped of [false, true]) {
      const { run, lost, controller } = setup({ failAt: 'dispose', stallMs: 1 });
      const running = run(stopped ? undefined : controller.signal);
      (stopped ? controller : lost).abort(new MeasureError('It is gone.'));
      const outcome = await running;
      expect(outcome).toMatchObject({
        status: 'invalid',
        reason: stopped ? 'It is gone' : expect.stringMatching(/^It is gone; /),
      });
    }
  });

  // The run before it takes its idle power from this rest.
  it('ends the rest of a run whose service died before its load, and not after it', async () => {
    const { run, happened } = setup({ failAt: 'execute', loadMs: 400 });
    const outcome = await run();
    const restedNs = happened.findLast(({ what }) => what === 'look')?.atNs as bigint;
    expect(outcome).toMatchObject({ status: 'failed', execution: null, endNs: outcome.startNs });
    expect(Number(outcome.startNs - restedNs) / 1e9).toBeLessThan(0.2);
    expect(Number(outcome.guardEndNs - outcome.endNs) / 1e9).toBeGreaterThan(0.3);
  });

  it('makes a run invalid when the meter told of a gap inside its guards', async () => {
    const { run, buffer, happened } = setup();
    const promise = run();
    while (!happened.some(({ what }) => what === 'run')) await new Promise((resolve) => setTimeout(resolve, 1));
    buffer.event({ tNs: nowNs(), kind: 'gap', detail: 'no record for 2.5 s' });
    expect(await promise).toMatchObject({ status: 'invalid', reason: 'readings are missing: no record for 2.5 s' });
  });

  it.each([
    ['a gap of the primary channel', ['wall'], 'invalid', []],
    ['a gap of another channel', ['board'], 'ok', [{ channel: 'board', reason: 'readings are missing: it was reset' }]],
    ['a gap of all channels', undefined, 'invalid', []],
  ])('judges a run by its primary channel: %s', async (_what, channels, status, unread) => {
    const { run, buffer, happened } = setup({ beside: ['board'] });
    const promise = run();
    while (!happened.some(({ what }) => what === 'run')) await new Promise((resolve) => setTimeout(resolve, 1));
    buffer.sample('board', { tNs: nowNs(), powerW: 10, durationS: 0.1 });
    buffer.event({ tNs: nowNs(), kind: 'gap', detail: 'it was reset.', ...(channels && { channels }) });
    expect(await promise).toMatchObject({ status, unread });
  });

  it('makes a run invalid whose end may have been seen late, because joulediff was stopped meanwhile', async () => {
    expect(await setup({ stallMs: 1800 }).run()).toMatchObject({
      status: 'invalid',
      cause: 'missing-readings',
      reason: expect.stringMatching(
        /^joulediff did not run for \d+\.\d s of its window, and may have seen its end too late$/,
      ),
    });
  });

  it('makes a run invalid when a polled meter was not read for too long', async () => {
    const { run, buffer } = setup({ channel: { integration: 'guard', clock: 'host', samplingPeriodS: 0.02 } });
    const polls = setInterval(() => buffer.sample('wall', { tNs: nowNs(), powerW: 10, durationS: 0.02 }), 10);
    const pause = setTimeout(() => clearInterval(polls), REST_S * 1000 - 20);
    const outcome = await run();
    clearTimeout(pause);
    clearInterval(polls);
    expect(outcome).toMatchObject({
      status: 'invalid',
      reason: expect.stringMatching(/^wall was not read for \d+\.\d s between its guards$/),
    });
  });

  it.each([
    ['nothing is missing', false, 'ok'],
    ['one reading is missing', true, 'invalid'],
  ])('judges a meter with a clock of its own as the analysis will: %s', async (_, missing, status) => {
    const { run, buffer, happened } = setup({
      channel: { integration: 'guard', clock: 'meter', samplingPeriodS: 0.02 },
      readings: false,
    });
    const periodNs = 20_000_000n;
    let skipped: bigint | null = null;
    let next = nowNs() / periodNs;
    const sending = setInterval(() => {
      const window = happened.find(({ what }) => what === 'run');
      for (; next * periodNs <= nowNs(); next++) {
        // The first reading after the window lies inside the guard, however late the timers are.
        if (missing && window !== undefined && next * periodNs >= window.atNs) skipped ??= next;
        if (next !== skipped) buffer.sample('wall', { tNs: next * periodNs, powerW: 10, durationS: 0.02 });
      }
    }, 2);
    const outcome = await run();
    clearInterval(sending);
    expect(outcome).toMatchObject({
      status,
      reason: missing ? 'a reading of wall is missing between its guards' : null,
    });
  });

  it('takes the readings that came while it got no time itself before it misses one', async () => {
    const periodNs = 20_000_000n;
    let next = nowNs() / periodNs;
    const take = () => {
      for (; next * periodNs <= nowNs(); next++) {
        buffer.sample('wall', { tNs: next * periodNs, powerW: 10, durationS: 0.02 });
      }
    };
    const sending = setInterval(take, 2);
    const { run, buffer } = setup({
      channel: { integration: 'guard', clock: 'meter', samplingPeriodS: 0.02 },
      readings: false,
      counters: {
        rest() {},
        begin() {},
        end: () => [],
        processors: () => [],
        idle: () => {
          // At the guard's end: what comes meanwhile is there, but its reader's turn is the next one.
          clearInterval(sending);
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
          setImmediate(take);
          return [];
        },
      },
    });
    expect(await run()).toMatchObject({ status: 'ok', reason: null });
  });

  it('cleans up and tells when it is stopped from outside', async () => {
    const { run, happened, controller } = setup();
    const promise = run();
    setTimeout(() => controller.abort(new Stopped('SIGINT')), 20);
    expect(await promise).toMatchObject({ status: 'invalid', reason: 'stopped by SIGINT', cause: 'stopped' });
    expect(happened.map((h) => h.what)).toEqual(['prepare', 'dispose']);
  });

  it('is not interrupted, but invalid, when its meter is lost, even if it is stopped right after', async () => {
    const { run, controller, lost } = setup();
    const promise = run();
    setTimeout(() => {
      lost.abort(new MeasureError('The meter was lost: gone.'));
      controller.abort(new Stopped('SIGINT'));
    }, 20);
    expect(await promise).toMatchObject({
      status: 'invalid',
      reason: 'The meter was lost: gone',
      cause: 'meter-lost',
    });
  });
});
