// Class: world.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { makeRemoteExecutor, makeRemoteRunner } from '../../../src/executors/remote/executor.ts';
import type { Service } from '../../../src/executors/service.ts';
import { RemoteHost } from '../../../src/hosts/host.ts';
import { type SecondMachine, SSHD, secondMachine } from '../../hosts/sshd.ts';
import { Bench, eventually, isRunning, native, pidIn } from '../bench.ts';

const { signal: never } = new AbortController();

(SSHD === null ? describe.skip : describe)('a workload on another machine (needs openssh-server)', () => {
  let sut: SecondMachine;
  let bench: Bench;
  beforeAll(() => {
    sut = secondMachine();
    bench = new Bench();
  });
  afterAll(async () => {
    sut[Symbol.dispose]();
    await bench.close();
  });

  test('may be executed so many times that their timeouts together are more than a timer holds', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const executor = makeRemoteExecutor(native({ run: ['true'], timeoutS: 36_000 }), bench.environment(), host);
    const run = await executor.prepare(bench.context({ executions: 100 }));
    expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0, timedOut: false });
    await run.dispose();
  });

  test('is ended when one of its executions takes longer than the timeout, however many there are', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    // The first is done at once, the second hangs.
    const hangs = `[ ! -e ${bench.path('again')} ] || exec sleep 600; : >${bench.path('again')}`;
    const executor = makeRemoteExecutor(native({ run: hangs, timeoutS: 1 }), bench.environment(), host);
    const run = await executor.prepare(bench.context({ executions: 1000 }));
    expect(await run.execute({ onEdge() {} })).toMatchObject({ timedOut: true });
    await run.dispose();
  });

  test.each([
    'prepare',
    'run',
    'cleanup',
  ] as const)('whose connection is cut in its %s leaves nothing there, and can run again', async (stage) => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const reported = bench.path(`in-${stage}`);
    const waits = `(setsid sh -c 'trap "" TERM; echo $$ >"$0.new"; mv "$0.new" "$0"; exec sleep 600' ${reported} &); sleep 600`;
    const executor = makeRemoteExecutor(native({ run: 'true', [stage]: waits }), bench.environment(), host);
    const whole = async () => {
      const run = await executor.prepare(bench.context());
      try {
        const execution = await run.execute({ onEdge() {} });
        await run.settle?.(execution);
      } finally {
        await run.dispose();
      }
    };
    const running = whole();
    running.catch(() => {});
    const pid = await pidIn(reported);
    sut.cut();
    await expect(running).rejects.toThrow(PlaceLostError);
    await eventually(() => sut.left().length === 0 && !isRunning(pid));
    await executor.recover?.(never);
    const again = makeRemoteExecutor(native(), bench.environment(), host);
    const run = await again.prepare(bench.context());
    expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
    await run.dispose();
  });

  test('is resumed on the machine that was measured alone, not on other hardware with a copy of its disk', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const executor = makeRemoteExecutor(native(), bench.environment(), host);
    const facts = await executor.setup(never);
    await executor.setup(never, facts);
    await expect(executor.setup(never, { ...facts, host_hardware: '0123456789abcdef' })).rejects.toThrow(
      'The hardware that answers as ssh://sut is not the same as before',
    );
    await expect(executor.setup(never, { ...facts, host_machine: '0123456789abcdef' })).rejects.toThrow(
      'Another machine answers as ssh://sut than before.',
    );
  });

  test('has a cleanup that a lost connection leaves out, which is told', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const executor = makeRemoteExecutor(native({ cleanup: 'true' }), bench.environment(), host);
    const context = bench.context();
    const run = await executor.prepare(context);
    host.connection.drop('the test ended it');
    await expect(run.dispose()).rejects.toThrow(PlaceLostError);
    expect(bench.lines).toEqual([
      `The connection to ssh://sut was lost, so the cleanup of variant "native" was not run after run ${context.runId}.`,
    ]);
  });

  test.each<[what: string, question: string | null, more: { cleanup?: string }]>([
    ['output', null, {}],
    ['time stamps', 'stamps', {}],
    ['cleanup', null, { cleanup: 'true' }],
  ])('whose connection is lost after its window is a place that was lost, for its %s', async (what, question, more) => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const { connection } = host;
    const lose = () => connection.drop('the test ended it');
    const executor = makeRemoteExecutor(native({ run: 'echo "step 1"', ...more }), bench.environment(), host);
    const phaseLines = [{ phase: 'step', pattern: 'step *' }];
    const run = await executor.prepare(bench.context({ stampsOutput: true, phaseLines }));
    await run.settle?.(await run.execute({ onEdge() {} }));
    if (what === 'cleanup') await run.telemetry?.();
    if (question === null) lose();
    const ask = connection.ask.bind(connection);
    connection.ask = (op, ...others) => {
      if (op === question) lose();
      return ask(op, ...others);
    };
    await run.telemetry?.();
    await expect(run.dispose()).rejects.toThrow(PlaceLostError);
  });

  test('whose connection is lost while a service of its run is stopped is a place that was lost', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const { connection } = host;
    const runner = makeRemoteRunner({ name: 'native', env: {}, workdir: null }, bench.environment(), host);
    const service: Service = {
      ...{ name: 'db', run: ['sleep', '600'], env: {}, workdir: null, place: 'variant', lifetime: 'run', ready: null },
      ...{ readyWithinS: 9, stop: { signal: 'SIGTERM', withinS: 9 } },
    };
    const made = await runner.makeService(service, { ...bench.context(), joins: null });
    await made.start();
    const ask = connection.ask.bind(connection);
    connection.ask = (...asked) => {
      if (asked[0] === 'service_stop') connection.drop('the test ended it');
      return ask(...asked);
    };
    await expect(made.stop(9)).rejects.toThrow(PlaceLostError);
  });

  test('prints as much as it likes: the two ends of that are brought in pieces, between which its machine is heard', async () => {
    await using host = await RemoteHost.open(sut.address, never, () => {});
    const { connection } = host;
    const most = 16 * 2 ** 20;
    const command = `printf first; head -c ${most + 990} /dev/zero; printf last; exit 1`;
    const executor = makeRemoteExecutor(native({ run: command }), bench.environment(), host);
    const sizes: number[] = [];
    const ask = connection.ask.bind(connection);
    connection.ask = async (...asked) => {
      const answer = await ask(...asked);
      sizes.push(JSON.stringify(answer).length);
      return answer;
    };
    const before = bench.log().length;
    const run = await executor.prepare(bench.context());
    const { outputTail } = await run.execute({ onEdge() {} });
    expect(outputTail).toBe(`${'\0'.repeat(3996)}last`);
    // The tail takes no more than itself.
    expect(sizes.length).toBeLessThan(10);
    await run.dispose();
    expect(Math.max(...sizes)).toBeLessThan(2 ** 19);
    const printed = bench.log().slice(before);
    expect([printed.slice(0, 5), printed.slice(-4)]).toEqual(['first', 'last']);
    const zeros = '\0'.repeat(most / 2 - 5);
    const note = printed.slice(most / 2, -most / 2);
    expect(printed === `first${zeros}${note}\0${zeros}last`).toBe(true);
    expect(note).toContain('999');
  });
});
