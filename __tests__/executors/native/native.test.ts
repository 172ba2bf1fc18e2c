// Class: system.
import { appendFileSync, chmodSync, existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InputError, MeasureError } from '../../../src/errors.ts';
import { workloadEnvironment } from '../../../src/executors/environment.ts';
import { Bench, eventually, isRunning, native, pidIn } from '../bench.ts';

/** Prints the kernel's monotonic clock first thing and last thing. */
const CLOCK = [
  process.execPath,
  '-e',
  'const now = () => process.hrtime.bigint(); const a = now(); while (now() - a < 20000000n); console.log(String(a), String(now()))',
];

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

describe('the window', () => {
  it("encloses the workload's own times on the same clock, and lies between the edges", async () => {
    const executor = await bench.ready(native({ run: CLOCK }));
    const run = await executor.prepare(bench.context());
    const edges: bigint[] = [];
    const { startNs, endNs } = await run.execute({ onEdge: () => edges.push(process.hrtime.bigint()) });
    await run.dispose();
    const [firstNs = 0n, lastNs = 0n] = bench.log().trim().split(' ').map(BigInt);
    const times = [edges[0]!, startNs, firstNs, lastNs, endNs, edges[1]!];
    expect(edges).toHaveLength(2);
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('holds the run and nothing of prepare and cleanup', async () => {
    const order = bench.path('order');
    const step = (name: string) => `echo ${name} >> ${order}`;
    const executor = await bench.ready(
      native({ prepare: step('prepare'), run: step('run'), cleanup: step('cleanup') }),
    );
    const run = await executor.prepare(bench.context());
    await run.execute({ onEdge: (edge) => appendFileSync(order, `${edge}\n`) });
    await run.dispose();
    await run.dispose();
    expect(readFileSync(order, 'utf8').trim().split('\n')).toEqual(['prepare', 'start', 'run', 'end', 'cleanup']);
  });
});

// A meter that is lost, or a service that dies, ends one run; the next one follows.
it.each([
  ['cleaned up where it had to end alone', false],
  ['not cleaned up where joulediff is stopped', true],
])('a run is %s', async (_, isStopped) => {
  const [started, cleaned] = [bench.path('started'), bench.path('cleaned')];
  const executor = await bench.ready(native({ run: `touch ${started}; sleep 300`, cleanup: `touch ${cleaned}` }));
  const [end, stop] = [new AbortController(), new AbortController()];
  const run = await executor.prepare({ ...bench.context(), signal: end.signal, stop: stop.signal });
  const running = run.execute({ onEdge() {} });
  await eventually(() => existsSync(started));
  if (isStopped) stop.abort(new Error('stopped'));
  end.abort(new Error('it has to end'));
  await running.catch(() => {});
  await run.dispose();
  expect(existsSync(cleaned)).toBe(!isStopped);
});

describe.each([
  ['of one start', false],
  ['each a start of its own', true],
])('several executions in one window, %s,', (_, ownStarts) => {
  const several = (executions: number) => bench.context({ executions, ownStarts });

  it('run one after the other, from the first start to the last end', async () => {
    const order = bench.path('order');
    const executor = await bench.ready(
      native({ prepare: `echo prepare >> ${order}`, run: CLOCK, cleanup: `echo cleanup >> ${order}` }),
    );
    const run = await executor.prepare(several(5));
    const { startNs, endNs, exitCode } = await run.execute({ onEdge: (edge) => appendFileSync(order, `${edge}\n`) });
    await run.dispose();
    expect(exitCode).toBe(0);
    expect(readFileSync(order, 'utf8').trim().split('\n')).toEqual(['prepare', 'start', 'end', 'cleanup']);
    const inside = bench.log().trim().split(/\s/).map(BigInt);
    expect(inside).toHaveLength(10);
    const times = [startNs, ...inside, endNs];
    expect(times).toEqual([...times].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('end with the first that fails', async () => {
    const count = bench.path('count');
    const failing = native({ run: `echo x >> ${count}; test $(wc -l < ${count}) -lt 3 || { echo third; exit 7; }` });
    const run = await (await bench.ready(failing)).prepare(several(5));
    const edges: string[] = [];
    const failed = await run.execute({ onEdge: (edge) => edges.push(edge) });
    await run.dispose();
    expect(failed).toMatchObject({ exitCode: 7, outputTail: 'third\n' });
    expect(edges).toEqual(['start', 'end']);
    expect(readFileSync(count, 'utf8')).toBe('x\nx\nx\n');
  });

  it('have the timeout each for itself', async () => {
    const long = await (await bench.ready(native({ run: 'sleep 0.5', timeoutS: 2 }))).prepare(several(5));
    expect(await long.execute({ onEdge() {} })).toMatchObject({ exitCode: 0, timedOut: false });
    await long.dispose();

    const stuck = native({ run: 'if [ -e second ]; then sleep 300; fi; touch second', timeoutS: 0.5 });
    const run = await (await bench.ready(stuck)).prepare(several(1000));
    expect(await run.execute({ onEdge() {} })).toMatchObject({ timedOut: true });
    await run.dispose();
  });

  it('are the program that a list names, not what a shell has of that name', async () => {
    await bench.file('bin/echo', '#!/bin/sh\nprintf "%s\\n" "ours: $*"\n', 0o755);
    const variant = native({ run: ['echo', `a'b "c" $d`, ''] });
    const executor = await bench.ready(variant, { PATH: `${bench.path('bin')}:${process.env.PATH}` });
    const run = await executor.prepare(several(2));
    expect(await run.execute({ onEdge() {} })).toMatchObject({ exitCode: 0 });
    await run.dispose();
    expect(bench.log()).toBe(`ours: a'b "c" $d \n`.repeat(2));
  });

  it('leave nothing running, whichever of them started it', async () => {
    const pids = bench.path('pids');
    const run = native({ run: ['sh', '-c', `env -i sleep 60 & echo $! >> ${pids}`] });
    const prepared = await (await bench.ready(run)).prepare(several(3));
    await prepared.execute({ onEdge() {} });
    const started = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
    expect(started).toHaveLength(3);
    expect(started.filter(isRunning)).toEqual([]);
    await prepared.dispose();
  });
});

describe('the end of a run', () => {
  it('tells exit code and the end of stdout and stderr', async () => {
    const execution = await bench.once(native({ run: 'echo out; echo err >&2; exit 3' }));
    expect(execution).toMatchObject({ exitCode: 3, signal: null, timedOut: false, outputTail: 'out\nerr\n' });
  });

  it('tells the signal that ended the workload', async () => {
    expect(await bench.once(native({ run: 'kill -9 $$' }))).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('quotes the run only, at most 4,000 characters, and keeps everything in the log', async () => {
    const run = 'i=0; while [ $i -lt 3000 ]; do echo "line é $i"; i=$((i+1)); done; exit 1';
    const { outputTail } = await bench.once(native({ prepare: 'echo before', run }));
    expect(outputTail).toHaveLength(4000);
    expect(outputTail).toMatch(/line é 2999\n$/);
    expect(outputTail).not.toContain('\uFFFD');
    expect(bench.log().split('\n')).toHaveLength(3002);
    expect((await bench.once(native({ prepare: 'echo before', run: 'false' }))).outputTail).toBe('');
  });

  it('leaves the failures of a shell to its exit code and output', async () => {
    const execution = await bench.once(native({ run: 'isnt-there' }));
    expect(execution).toMatchObject({ exitCode: 127, outputTail: expect.stringContaining('not found') });
  });

  it('comes by force after the time limit, for a workload that ignores SIGTERM too', async () => {
    const run = `trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done`;
    expect(await bench.once(native({ run, timeoutS: 0.3 }))).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    expect(isRunning(await pidIn(bench.path('pid')))).toBe(false);
  });
});

describe('what a run starts with', () => {
  it('is an empty stdin, the experiment folder, the given variables and the marks of the run', async () => {
    const run = 'cat; pwd; echo "$GIVEN $INHERITED $JOULEDIFF_EXPERIMENT $JOULEDIFF_RUN $JOULEDIFF_VARIANT"';
    const inherited = { PATH: process.env.PATH ?? '', INHERITED: 'from outside', GIVEN: 'overridden' };
    await bench.once(native({ run, env: { GIVEN: 'from the file' } }), inherited);
    expect(bench.log()).toBe(`${bench.folder}\nfrom the file from outside ${bench.experimentId} 1 native\n`);
  });

  it('is the working directory that is given', async () => {
    await bench.file('sub/x', '');
    await bench.once(native({ run: ['pwd'], workdir: 'sub' }));
    expect(bench.log()).toBe(`${bench.path('sub')}\n`);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ['its folder', 1, {}, 'sub'],
    ['its folder, started twice', 2, {}, 'sub'],
    ['what the file gives', 1, { PWD: '/from/the/file' }, '/from/the/file'],
  ])('has in PWD %s, and nothing of the folders of joulediff', async (_, executions, env, folder) => {
    await bench.file('sub/x', '');
    const tell = [process.execPath, '-p', 'process.env.PWD + " " + process.env.OLDPWD'];
    const { inherited } = workloadEnvironment({ PATH: process.env.PATH, PWD: '/usr', OLDPWD: '/bin' });
    const variant = native({ prepare: tell, run: tell, cleanup: tell, workdir: 'sub', env });
    const run = await (await bench.ready(variant, inherited)).prepare(bench.context({ executions }));
    await run.execute({ onEdge() {} });
    await run.dispose();
    const line = `${resolve(bench.folder, folder)} undefined`;
    expect(bench.log().trim().split('\n')).toEqual(Array(2 + executions).fill(line));
  });
});

describe('a service starts in', () => {
  it.each([
    ['the folder of its workload', null, 'sub'],
    ['the folder that it is given, from that of the experiment', 'data', 'data'],
  ])('%s', async (_, workdir, folder) => {
    await bench.file('sub/x', '');
    await bench.file('data/x', '');
    const executor = await bench.ready(native({ run: 'true', workdir: 'sub' }));
    const stop = { signal: 'SIGTERM', withinS: 1 } as const;
    const service = { name: 'server', run: 'pwd', env: {}, workdir, stop };
    const made = await executor.makeService(service, { ...bench.context(), joins: null });
    await made.start();
    await made.ended;
    await made.stop(1);
    expect(bench.log()).toBe(`${bench.path(folder)}\n`);
  });
});

// Only root may become another user.
const asRoot = process.geteuid?.() === 0 ? describe : describe.skip;
asRoot('a user of its own', () => {
  it('has the rights, groups, home and environment of that user, and no way back', async () => {
    const run =
      'id -u; id -g; id -G; echo "$HOME $USER $LOGNAME $GIVEN"; grep NoNewPrivs /proc/self/status; cat /etc/shadow';
    await bench.file('run.log', '');
    chmodSync(bench.folder, 0o755);
    const variant = { ...native({ run, env: { GIVEN: 'from the file' } }), user: 'nobody' };
    const { exitCode } = await bench.once(variant, { PATH: process.env.PATH ?? '', HOME: '/root', USER: 'root' });
    expect(exitCode).toBe(1);
    const [passwd = ''] = readFileSync('/etc/passwd', 'utf8').match(/^nobody:.*$/m) ?? [];
    const [, , uid, gid, , home] = passwd.split(':');
    expect(bench.log().split('\n').slice(0, 5)).toEqual([
      uid,
      gid,
      gid,
      `${home} nobody nobody from the file`,
      'NoNewPrivs:\t1',
    ]);
    expect(bench.log()).toMatch(/shadow.*denied/);
  });

  it('has what it leaves running ended all the same', async () => {
    chmodSync(bench.folder, 0o777);
    const run = 'env -i setsid sleep 300 > /dev/null 2>&1 & echo $! > daemon';
    const { leftRunning } = await bench.once({ ...native({ run }), user: 'nobody' });
    expect(leftRunning).toMatchObject({ remaining: [] });
    expect(isRunning(await pidIn(bench.path('daemon')))).toBe(false);
  });

  it('finds a program where that user may execute it, and passes over folders that are closed to them', async () => {
    await bench.file('run.log', '');
    for (const folder of ['closed', 'open']) {
      await bench.file(`${folder}/greet`, `#!/bin/sh\necho ${folder}\n`, 0o755);
    }
    chmodSync(bench.path('closed'), 0o700);
    chmodSync(bench.folder, 0o755);
    const PATH = [bench.path('closed'), bench.path('open'), process.env.PATH].join(':');
    const { exitCode } = await bench.once({ ...native({ run: ['greet'] }), user: 'nobody' }, { PATH });
    expect([exitCode, bench.log()]).toEqual([0, 'open\n']);
  });

  it('is refused before anything runs where there is none', async () => {
    await expect(bench.ready({ ...native({ run: 'true' }), user: 'nobody-at-all' })).rejects.toThrow(
      'There is no user "nobody-at-all" on this machine.',
    );
    await expect(bench.ready({ ...native({ run: 'true' }), user: 'nobody:no-group' })).rejects.toThrow(
      'There is no group "no-group" on this machine.',
    );
  });
});

describe('the timeout', () => {
  it('holds for prepare and cleanup too', async () => {
    const prepare = await bench.ready(native({ prepare: 'sleep 300', timeoutS: 0.2 }));
    await expect(prepare.prepare(bench.context())).rejects.toThrow(
      'The prepare command of variant "native" ended at its timeout.',
    );
    const cleanup = await bench.ready(
      native({ run: 'true', cleanup: 'trap "exit 0" TERM; sleep 300 & wait', timeoutS: 0.2 }),
    );
    const run = await cleanup.prepare(bench.context());
    await run.execute({ onEdge() {} });
    await expect(run.dispose()).rejects.toThrow('The cleanup command of variant "native" ended at its timeout.');
  });
});

describe('left-over processes', () => {
  it('are ended after the run and told, daemons that left group, environment, output and folder included', async () => {
    // Ends only when all are themselves: what is told are their names.
    const daemons =
      'setsid sleep 300 & echo $! > daemon; env -i sleep 300 & echo $! > bare; ' +
      '(cd /; exec env -i setsid sleep 300 > /dev/null 2>&1) & echo $! > hidden; ' +
      'for f in daemon bare hidden; do until grep -q ^sleep /proc/$(cat $f)/comm; do sleep 0.01; done; done';
    const executor = await bench.ready(native({ run: daemons }));
    const run = await executor.prepare(bench.context());
    const { leftRunning } = await run.execute({ onEdge() {} });
    for (const name of ['daemon', 'bare', 'hidden']) {
      expect(isRunning(await pidIn(bench.path(name)))).toBe(false);
    }
    expect(leftRunning).toEqual({ ended: ['sleep'], remaining: [] });
    await run.dispose();
  });

  it('of prepare are none where it ends what it starts', async () => {
    const executor = await bench.ready(native({ prepare: 'sleep 300 & kill $!; setsid sleep 0.05 &' }));
    const run = await executor.prepare(bench.context());
    expect(run.leftByPrepare).toBeNull();
    await run.dispose();
  });

  it('are none where a workload waits for all that it starts', async () => {
    const { leftRunning } = await bench.once(native({ run: 'env -i setsid sleep 0.05 & wait' }));
    expect(leftRunning).toBeNull();
  });

  it('of prepare serve the run and cleanup, and go after it', async () => {
    const alive = 'kill -0 $(cat server)';
    const executor = await bench.ready(
      native({ prepare: 'setsid sleep 300 & echo $! > server', run: alive, cleanup: alive }),
    );
    const run = await executor.prepare(bench.context());
    expect(run.leftByPrepare).toEqual({ names: ['sleep'], runOn: true });
    expect((await run.execute({ onEdge() {} })).exitCode).toBe(0);
    expect(isRunning(await pidIn(bench.path('server')))).toBe(true);
    await run.dispose();
    expect(isRunning(await pidIn(bench.path('server')))).toBe(false);
    expect(bench.lines).toEqual([]);
  });
});

describe('a stop', () => {
  it('ends the workload, its children and its daemons, and settles', async () => {
    const run = 'setsid sleep 300 & echo $! > daemon; sh -c "trap : TERM; echo \\$\\$ > child; sleep 300; sleep 300"';
    const executor = await bench.ready(native({ run, cleanup: 'touch cleaned' }));
    const prepared = await executor.prepare(bench.context());
    const execution = prepared.execute({ onEdge() {} });
    const pids = [await pidIn(bench.path('daemon')), await pidIn(bench.path('child'))];
    bench.stop.abort();
    expect((await execution).exitCode).not.toBe(0);
    await prepared.dispose();
    expect(pids.map(isRunning)).toEqual([false, false]);
    expect(existsSync(bench.path('cleaned'))).toBe(false);
  });

  it('during prepare ends it, and starts nothing more', async () => {
    const executor = await bench.ready(native({ prepare: 'echo $$ > pid; sleep 300', run: 'touch ran' }));
    const preparing = executor.prepare(bench.context());
    const pid = await pidIn(bench.path('pid'));
    bench.stop.abort();
    await expect(preparing).rejects.toThrow(MeasureError);
    expect(isRunning(pid)).toBe(false);
    await expect(executor.prepare(bench.context())).rejects.toBe(bench.stop.signal.reason);
  });
});

describe('a command that can not be started', () => {
  it.each([
    ['not found', ['./nowhere'], /"\.\/nowhere" was not found/],
    ['not found on PATH', ['joulediff-nowhere'], /"joulediff-nowhere" was not found/],
    ['not executable', ['./plain'], /"\.\/plain" may not be executed/],
    ['a folder', ['./sub'], /"\.\/sub" may not be executed/],
  ])('is a sentence before anything runs: %s', async (_name, run, sentence) => {
    await bench.file('plain', '#!/bin/sh\n', 0o644);
    await bench.file('sub/x', '');
    const attempt = bench.ready(native({ run }));
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(sentence);
    expect(existsSync(bench.logFile)).toBe(false);
  });

  it.each([
    './plain',
    './plain --fast',
    '  sub/../nowhere -x',
  ])('is told beforehand of the shell command %s', async (run) => {
    await bench.file('plain', '#!/bin/sh\n', 0o644);
    await bench.file('sub/x', '');
    await expect(bench.ready(native({ run }))).rejects.toThrow(InputError);
  });

  it('tells where the path of a shell command starts from', async () => {
    await expect(bench.ready(native({ run: './nowhere -x' }))).rejects.toMatchObject({
      message: expect.stringContaining('"./nowhere" was not found'),
      advice: `Its path starts from ${bench.folder}.`,
    });
  });

  it.each([
    'echo ./plain',
    'test ! -x ./plain',
    '"./plain" || true',
    '[ -e ./$MISSING ]',
  ])('is left to the shell in %s', async (run) => {
    await bench.file('plain', '#!/bin/sh\n', 0o644);
    expect((await bench.once(native({ run }))).exitCode).toBe(0);
  });

  it('is the same sentence where only prepare could have made it', async () => {
    const executor = await bench.ready(native({ prepare: 'true', run: ['./nowhere'] }));
    const run = await executor.prepare(bench.context());
    await expect(run.execute({ onEdge() {} })).rejects.toThrow(
      /run command of variant "native".*"\.\/nowhere" was not found/,
    );
    await run.dispose();
    const made = native({ prepare: 'printf "#!/bin/sh\\nexit 4\\n" > made; chmod +x made', run: ['./made'] });
    expect((await bench.once(made)).exitCode).toBe(4);
  });

  it('names the working directory that is missing', async () => {
    const attempt = bench.ready(native({ workdir: 'nowhere' }));
    await expect(attempt).rejects.toThrow(InputError);
    await expect(attempt).rejects.toThrow(/nowhere, isn't a folder/);
  });
});

describe('prepare and cleanup that fail', () => {
  it('are errors with the end of their output', async () => {
    const executor = await bench.ready(
      native({ prepare: 'setsid sleep 300 & echo $! > daemon; echo no input; exit 9' }),
    );
    const failure = /prepare command of variant "native" ended with exit code 9\.\nIts last output:\n {2}no input/;
    await expect(executor.prepare(bench.context())).rejects.toThrow(failure);
    expect(isRunning(await pidIn(bench.path('daemon')))).toBe(false);
    await expect(bench.once(native({ cleanup: 'exit 8' }))).rejects.toThrow(/cleanup command .* exit code 8/);
  });
});
