// Class: system.
import { appendFileSync, readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { machineMark } from '../../../src/processes/labels.ts';
import { Bench, container, docker, testImage } from '../bench.ts';

const IMAGE = 'joulediff-test:busybox';
const WITH_ENTRYPOINT = 'joulediff-test:entrypoint';

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
  await testImage(WITH_ENTRYPOINT, [
    'ENTRYPOINT ["echo", "entry"]',
    'CMD ["default"]',
    'ENV FROM_IMAGE=1',
    'WORKDIR /tmp/in',
  ]);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('the window of a container', () => {
  it("encloses the workload's own times on the same clock, and lies between the edges", async () => {
    const clock =
      'const t = process.hrtime.bigint(); while (process.hrtime.bigint() - t < 20000000n); console.log(String(t), String(process.hrtime.bigint()))';
    const run = ['chroot', '/host', process.execPath, '-e', clock];
    const executor = await bench.ready(container(IMAGE, { run }, { volumes: ['/:/host:ro'] }));
    const prepared = await executor.prepare(bench.context());
    const edges: bigint[] = [];
    const { startNs, endNs, exitCode } = await prepared.execute({ onEdge: () => edges.push(process.hrtime.bigint()) });
    await prepared.dispose();
    expect(exitCode).toBe(0);
    const [firstNs = 0n, lastNs = 0n] = bench.log().trim().split(' ').map(BigInt);
    const times = [edges[0]!, startNs, firstNs, lastNs, endNs, edges[1]!];
    expect(edges).toHaveLength(2);
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
  });

  it.each([
    ['', {}],
    [', on a read-only root file system', { readOnly: true as const }],
  ])('holds the run and nothing of prepare and cleanup%s', async (_, more) => {
    const step = (name: string) => `echo ${name} >> /out/order`;
    const executor = await bench.ready(
      container(
        IMAGE,
        { prepare: step('prepare'), run: step('run'), cleanup: step('cleanup') },
        { volumes: [`${bench.folder}:/out`], ...more },
      ),
    );
    const run = await executor.prepare(bench.context());
    await run.execute({ onEdge: (edge) => appendFileSync(bench.path('order'), `${edge}\n`) });
    await run.dispose();
    const order = readFileSync(bench.path('order'), 'utf8').trim().split('\n');
    expect(order).toEqual(['prepare', 'start', 'run', 'end', 'cleanup']);
    const filters = { label: [`joulediff.experiment=${bench.experimentId}`] };
    expect((await docker.listVolumes({ filters })).Volumes ?? []).toEqual([]);
  });

  it('needs no container to be made: it is there, labeled and not started, before; and gone after', async () => {
    const executor = await bench.ready(container(IMAGE, { run: 'true' }));
    expect(await bench.containers()).toEqual([]);
    const run = await executor.prepare(bench.context());
    const [made] = await bench.containers();
    expect(made).toMatchObject({
      State: 'created',
      Labels: {
        'joulediff.experiment': bench.experimentId,
        'joulediff.run': '1',
        'joulediff.owner': expect.any(String),
        'joulediff.machine': machineMark(),
      },
    });
    await run.execute({ onEdge() {} });
    expect((await bench.containers())[0]).toMatchObject({ Id: made!.Id, State: 'exited' });
    await run.dispose();
    await run.dispose();
    expect(await bench.containers()).toEqual([]);
  });
});

describe('several executions in one window', () => {
  const stages: [string, string | null][] = [
    ['without stages', null],
    ['with a preparation', 'echo prepare >> /out/order'],
  ];

  // The first process of a container has no parent there.
  it.each(
    stages.flatMap(([name, prepare]) => [
      { name: `${name}, within one start`, prepare, ownStarts: false, parent: 1 },
      { name: `${name}, each a start of its own`, prepare, ownStarts: true, parent: 0 },
    ]),
  )('are of the same container, one after the other: $name', async ({ prepare, ownStarts, parent }) => {
    const run = 'echo run $(cat /etc/hostname) $PPID >> /out/order; echo printed';
    const volumes = [`${bench.folder}:/out`];
    const executor = await bench.ready(container(IMAGE, { prepare, run }, { volumes }));
    const prepared = await executor.prepare(bench.context({ executions: 4, ownStarts }));
    const edge = (name: string): void => appendFileSync(bench.path('order'), `${name}\n`);
    const { exitCode, startNs, endNs, startUpS } = await prepared.execute({ onEdge: edge });
    const [made] = await bench.containers();
    await prepared.dispose();
    expect(exitCode).toBe(0);
    expect(startUpS).toBeGreaterThan(0);
    expect(startUpS).toBeLessThan(Number(endNs - startNs) / 1e9);
    const line = `run ${made!.Id.slice(0, 12)} ${parent}`;
    const order = readFileSync(bench.path('order'), 'utf8').trim().split('\n');
    expect(order).toEqual([...(prepare === null ? [] : ['prepare']), 'start', line, line, line, line, 'end']);
    expect(bench.log()).toBe('printed\n'.repeat(4));
    expect(await bench.containers()).toEqual([]);
  });

  it.each([false, true])('end with the first that fails, own starts: %s', async (ownStarts) => {
    const run = 'echo x >> /out/count; test $(wc -l < /out/count) -lt 3 || { echo third; exit 7; }';
    const executor = await bench.ready(container(IMAGE, { run }, { volumes: [`${bench.folder}:/out`] }));
    const prepared = await executor.prepare(bench.context({ executions: 5, ownStarts }));
    expect(await prepared.execute({ onEdge() {} })).toMatchObject({ exitCode: 7, outputTail: 'third\n' });
    await prepared.dispose();
    expect(readFileSync(bench.path('count'), 'utf8')).toBe('x\nx\nx\n');
  });

  it('are given the arguments of the entry point, and any quoting', async () => {
    const executor = await bench.ready(container(WITH_ENTRYPOINT, { run: ['it', `a'b "c" $d`] }));
    const prepared = await executor.prepare(bench.context({ executions: 2 }));
    await prepared.execute({ onEdge() {} });
    await prepared.dispose();
    expect(bench.log()).toBe(`entry it a'b "c" $d\n`.repeat(2));
  });

  it('have the timeout each for itself', async () => {
    const long = await bench.ready(container(IMAGE, { run: ['sleep', '0.7'], timeoutS: 2 }));
    const fine = await long.prepare(bench.context({ executions: 4 }));
    expect(await fine.execute({ onEdge() {} })).toMatchObject({ exitCode: 0, timedOut: false });
    await fine.dispose();

    const run = 'if [ -e /second ]; then sleep 300; fi; touch /second';
    const stuck = await bench.ready(container(IMAGE, { run, timeoutS: 1 }));
    const prepared = await stuck.prepare(bench.context({ executions: 1000 }));
    expect(await prepared.execute({ onEdge() {} })).toMatchObject({ timedOut: true });
    await prepared.dispose();
  });

  it('need a shell in the image, which is asked for before', async () => {
    const bare = await testImage('joulediff-test:bare', ['RUN rm /bin/sh']);
    const problem = async (image: string) => {
      const executor = await bench.ready(container(image, { run: ['true'] }));
      return executor.repeatProblem?.(bench.stop.signal);
    };
    expect(await problem(bare)).toBe('its image has no shell "sh"');
    expect(await problem(IMAGE)).toBeNull();
    expect(await bench.containers()).toEqual([]);
  });
});

describe('the end of a run in a container', () => {
  it('tells exit code and the end of stdout and stderr', async () => {
    const execution = await bench.once(container(IMAGE, { run: 'echo out; echo err >&2; exit 3' }));
    expect(execution).toMatchObject({ exitCode: 3, timedOut: false });
    expect(execution.outputTail.trim().split('\n').sort()).toEqual(['err', 'out']);
  });

  it('tells of each run, at most 4,000 characters, and keeps all of every stage in the log, in order', async () => {
    const long = 'i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done';
    const variant = container(IMAGE, { prepare: `echo first; ${long}`, run: `${long}; exit 1`, cleanup: 'echo last' });
    const { outputTail } = await bench.once(variant);
    expect(outputTail).toHaveLength(4000);
    expect(outputTail).toMatch(/line 19999\n$/);
    const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}`);
    expect(bench.log()).toBe(['first', ...lines, ...lines, 'last', ''].join('\n'));
  });

  it('comes by force after the time limit', async () => {
    expect(await bench.once(container(IMAGE, { run: 'sleep 300', timeoutS: 0.3 }))).toMatchObject({
      timedOut: true,
      exitCode: 137,
    });
  });

  it('tells when the memory was not enough', async () => {
    const variant = container(IMAGE, { run: ['tail', '/dev/zero'] }, { memoryBytes: 16 * 1024 * 1024 });
    const prepared = await (await bench.ready(variant)).prepare(bench.context());
    const seen = await prepared.execute({ onEdge() {} });
    const execution = await prepared.settle?.(seen);
    const { usage } = (await prepared.telemetry?.()) ?? { usage: null };
    await prepared.dispose();
    expect(execution?.exitCode).toBe(137);
    // What nothing but a killed container's exit code tells is told as what may be: only where its accounts were gone.
    const isGone = usage?.unread.some((sentence) => sentence.includes('its control group had been removed')) ?? false;
    expect(execution?.limit).toMatch(isGone ? /^(perhaps-)?memory$/ : /^memory$/);
  });
});

describe('prepare, run and cleanup', () => {
  it('see the same files, and no other run does', async () => {
    const variant = container(IMAGE, {
      prepare: 'test ! -e /x && echo a > /x',
      run: 'cat /x; echo b >> /x',
      cleanup: 'cat /x',
    });
    await bench.once(variant);
    await bench.once(variant);
    expect(bench.log()).toBe('a\na\nb\na\na\nb\n');
  });

  it('take any quoting, and lists', async () => {
    const run = `echo 'single' "double" '$HOME' \\$x "it's"; echo $JOULEDIFF_STAGE`;
    await bench.once(container(IMAGE, { prepare: ['echo', `a'b "c" $d`], run }));
    expect(bench.log()).toBe(`a'b "c" $d\nsingle double $HOME $x it's\nrun\n`);
  });

  it('do not see what prepare left running, which is told', async () => {
    // Ends only when both are themselves: what is told are their names.
    const prepare = 'sleep 300 & setsid sleep 300 & until [ $(cat /proc/[0-9]*/comm | grep -c sleep) = 2 ]; do :; done';
    const run = '! grep -qs sleep /proc/[0-9]*/comm';
    for (const user of [null, '1000']) {
      const executor = await bench.ready(container(IMAGE, { prepare, run }, { user }));
      const prepared = await executor.prepare(bench.context());
      const { exitCode } = await prepared.execute({ onEdge() {} });
      await prepared.dispose();
      expect(prepared.leftByPrepare).toEqual({ names: ['sleep'], runOn: false });
      expect(exitCode).toBe(0);
    }
    const clean = await bench.ready(container(IMAGE, { prepare: 'sleep 0.05 & wait; exit 0' }));
    const nothing = await clean.prepare(bench.context());
    await nothing.dispose();
    expect(nothing.leftByPrepare).toBeNull();
  });

  it('that fail are errors with their output, and leave no container', async () => {
    const executor = await bench.ready(container(IMAGE, { prepare: 'echo no input; exit 9' }));
    const failure = /prepare command of variant "container" ended with exit code 9\.\nIts last output:\n {2}no input/;
    await expect(executor.prepare(bench.context())).rejects.toThrow(failure);
    expect(await bench.containers()).toEqual([]);
    await expect(bench.once(container(IMAGE, { cleanup: 'exit 8' }))).rejects.toThrow(/cleanup command .* exit code 8/);
    expect(await bench.containers()).toEqual([]);
  });
});

describe('an image', () => {
  it('is used by id: a tag that moves during the experiment changes nothing', async () => {
    const tag = `${bench.experimentId}:moving`;
    const repo = bench.experimentId;
    await docker.getImage(IMAGE).tag({ repo, tag: 'moving' });
    try {
      const executor = await bench.ready(container(tag, { run: ['echo', 'still the first'] }));
      await docker.getImage(WITH_ENTRYPOINT).tag({ repo, tag: 'moving' });
      const run = await executor.prepare(bench.context());
      await run.execute({ onEdge() {} });
      await run.dispose();
      expect(bench.log()).toBe('still the first\n');
    } finally {
      await docker.getImage(tag).remove();
    }
  });

  it('without the program says so, and without a shell what needs one', async () => {
    const executor = await bench.ready(container(IMAGE, { run: ['nowhere'] }));
    const run = await executor.prepare(bench.context());
    await expect(run.execute({ onEdge() {} })).rejects.toThrow(
      /run command of variant "container" could not be started in its container: .*nowhere/,
    );
    await run.dispose();
    const bare = await testImage('joulediff-test:bare', ['RUN rm /bin/sh']);
    const staged = await bench.ready(container(bare, { prepare: ['true'] }));
    await expect(staged.prepare(bench.context())).rejects.toThrow(/image has no shell "sh"/);
    expect(await bench.containers()).toEqual([]);
  });

  it('on a network that is not there is refused before anything runs', async () => {
    await expect(bench.ready(container(IMAGE, {}, { network: 'joulediff-nowhere' }))).rejects.toThrow(
      /network .*joulediff-nowhere/,
    );
  });
});
