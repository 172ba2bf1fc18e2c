import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeRemoteExecutor } from '../../../src/executors/remote/executor.ts';
import { RemoteHost } from '../../../src/hosts/host.ts';
import { type SecondMachine, SSHD, secondMachine } from '../../hosts/sshd.ts';
import { Bench, native } from '../bench.ts';

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
