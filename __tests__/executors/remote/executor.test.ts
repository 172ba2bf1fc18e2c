// Class: world.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PlaceLostError } from '../../../src/executors/failures.ts';
import { makeRemoteExecutor } from '../../../src/executors/remote/executor.ts';
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
    await run.dispose();
    expect(bench.lines).toEqual([
      `The connection to ssh://sut was lost, so the cleanup of variant "native" was not run after run ${context.runId}.`,
    ]);
  });
});
