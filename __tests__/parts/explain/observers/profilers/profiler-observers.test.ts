// Class: world, long.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { profilerObservers } from '../../../../../src/parts/explain/observers/profilers/profiler-observers.ts';
import { container, native, testImage } from '../../../../executors/bench.ts';
import { shortExperiment } from '../../../../measure/short-experiment.ts';
import { explained, freePort, service } from './explained.ts';

process.env.JOULEDIFF_LOCK = `joulediff.test.${process.pid}`;

const before = process.env.TMPDIR;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-profilers-'));
  // Where folders for profiles are made: here alone it is looked for what is left.
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
});
afterEach(() => {
  expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(folder, { recursive: true, force: true });
});

it('a workload that removes the folder of its profiles costs them alone', async () => {
  const [observer] = profilerObservers([{ kind: 'node', of: null, port: null }], 'experiment');
  const target = { group: null, folder, filesOf: null, signal: new AbortController().signal };
  const { added, end } = (await observer?.start(target)) ?? {};
  added?.onAdded();
  rmSync(added?.folder as string, { recursive: true });
  await expect(end?.({ startNs: 0n, endNs: 1n })).rejects.toMatchObject({ limitation: 'no-profile' });
});

it('a process that a signal ends beside others that write is told', async () => {
  const take = async (parent: string) => {
    const [observer] = profilerObservers([{ kind: 'node', of: null, port: null }], 'experiment');
    const target = { group: null, folder, filesOf: null, signal: new AbortController().signal };
    const { added, end } = (await observer?.start(target)) ?? {};
    added?.onAdded();
    const { status, stderr } = spawnSync(process.execPath, ['-e', parent], {
      env: { ...process.env, ...added?.words },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    return end?.({ startNs: 0n, endNs: 2n ** 62n });
  };
  const child = (ends: string): string =>
    `const { spawnSync } = require('child_process'); spawnSync(process.execPath, ['-e', ${JSON.stringify(ends)}]);`;
  await expect(take(child('process.kill(process.pid, "SIGKILL")'))).rejects.toMatchObject({ limitation: 'killed' });
  expect((await take(child('process.exit(1)')))?.samples.length).toBeGreaterThan(0);
});

/** A file of the experiment. */
function script(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Some processor time in a function of this name. */
const spin = (name: string): string =>
  `function ${name}() { const from = process.cpuUsage().user; while (process.cpuUsage().user - from < 60000); }\n${name}();\n`;

it("gives functions of Node.js' own profiler, of the command and of a service, on the clock of the phases", async () => {
  const stamps = join(folder, 'stamps');
  const now = 'stamps.push(process.hrtime.bigint());';
  const program = script(
    'work.js',
    `const stamps = []; ${now}
console.log('::joulediff phase one'); ${spin('first')} ${now}
console.log('::joulediff phase two'); ${spin('second')} ${now}
require('fs').writeFileSync(${JSON.stringify(stamps)}, stamps.join(' '));`,
  );
  const [port, deaf] = [await freePort(), await freePort()];
  const serve = (at: number, more: string): string =>
    `require('net').createServer().listen(${at}, '127.0.0.1');\n${more}`;
  const server = script('server.js', serve(port, `process.on('SIGTERM', () => process.exit(0));`));
  const killed = script('killed.js', serve(deaf, ''));
  const experiment = shortExperiment(folder, [native({ run: [process.execPath, program] })], {
    repetitions: 1,
    services: [service('server', [process.execPath, server], port), service('deaf', [process.execPath, killed], deaf)],
    profiles: [null, 'server', 'deaf'].map((of) => ({ kind: 'node', of, port: null })),
  });
  const { observed, explanation } = await explained(folder, experiment);
  const [run] = observed;
  expect(run?.by).toEqual(
    expect.arrayContaining([
      { name: 'node', failure: null },
      { name: 'node:server', failure: null },
      { name: 'node:deaf', failure: 'no-profile' },
    ]),
  );
  const timesOf = (name: string): bigint[] =>
    (run?.samples ?? []).flatMap(({ tNs, frames }) => (frames.some((frame) => frame.name === name) ? [tNs] : []));
  const [first, second] = [timesOf('first (work.js)'), timesOf('second (work.js)')];
  expect(Math.min(first.length, second.length)).toBeGreaterThan(0);
  const [begun = 0n, between = 0n, ended = 0n] = readFileSync(stamps, 'utf8').split(' ').map(BigInt);
  for (const [times, from, to] of [
    [first, begun, between],
    [second, between, ended],
  ] as const) {
    expect(times.filter((tNs) => tNs < from || tNs > to)).toEqual([]);
  }
  expect(run?.marks.map(({ phase }) => phase)).toEqual(['one', 'two']);
  expect(explanation?.rungs).toEqual(
    expect.arrayContaining([
      { name: 'perf-record', state: 'unavailable', missing: 'set-aside' },
      { name: 'node', state: 'used', missing: null },
      { name: 'node:deaf', state: 'failed', missing: 'no-profile' },
    ]),
  );
});

it('takes profiles out of containers, whoever runs there, and nothing that is none', async () => {
  const image = await testImage('joulediff-test:profiled', ['ENV NODE_OPTIONS=--of-the-image']);
  const into = 'd=$' + '{NODE_OPTIONS##*--require=}; d=$' + '{d%/*}';
  // One sample, of all time.
  const made = JSON.stringify({
    nodes: [{ id: 1, callFrame: { functionName: 'made', url: '', lineNumber: 0 }, children: [1] }],
    startTime: 0,
    endTime: 9e12,
    samples: [1],
    timeDeltas: [0],
  });
  const run = (last: string) => ({
    run: [
      'sh',
      '-c',
      `case $NODE_OPTIONS in "--of-the-image --require=/"*) ;; "--of-the-image") exit 0 ;; *) exit 1 ;; esac; ${into}; ${last}`,
    ],
  });
  const good = { ...container(image, run(`echo '${made}' > $d/a.cpuprofile`), { readOnly: true }), name: 'good' };
  const bad = {
    ...container(image, run('mkfifo $d/a.cpuprofile; ln -s /etc/passwd $d/b.cpuprofile'), {}),
    name: 'bad',
  };
  const experiment = shortExperiment(folder, [good, bad], {
    baseline: 'good',
    repetitions: 1,
    profiles: [{ kind: 'node', of: null, port: null }],
  });
  const { observed, explanation } = await explained(folder, experiment, 2);
  expect(observed.map(({ variant, by }) => [variant, by.find(({ name }) => name === 'node')?.failure]).sort()).toEqual([
    ['bad', 'unreadable'],
    ['bad', 'unreadable'],
    ['good', null],
    ['good', null],
  ]);
  const [one] = observed.filter(({ variant }) => variant === 'good');
  expect(one?.samples).toEqual([
    {
      tNs: one?.startNs,
      weightNs: Number(one!.endNs - one!.startNs),
      frames: expect.arrayContaining([{ name: 'made', library: 'node:internal' }]),
    },
  ]);
  expect(explanation?.rungs).toContainEqual({
    name: 'node',
    state: 'used',
    missing: null,
    lacking: [{ of: 'bad', rounds: [1, 2], missing: 'unreadable' }],
  });
  // What nobody saw in one of them is no difference.
  expect(explanation?.lines.filter(({ kind }) => kind === 'function' || kind === 'group')).toEqual([]);
});

/** Skipped by name where there is no Redis, which npm test installs. */
const itWithRedis = ['redis-server', 'redis-cli'].every((one) => spawnSync(one, ['--version']).status === 0)
  ? it
  : it.skip;

itWithRedis('gives the commands that a Redis executed for its client, call by call, by its own account', async () => {
  const [port, locked] = [await freePort(), await freePort()];
  const server = (at: number, ...more: string[]) =>
    ['redis-server', '--port', String(at), '--save', '', '--bind', '127.0.0.1', ...more] as const;
  const calling = (times: number) => ({
    ...native({ run: ['redis-cli', '-p', String(port), '-r', String(times), 'INCR', 'x'], workdir: folder }),
    name: `times ${times}`,
  });
  const experiment = shortExperiment(folder, [calling(37), calling(50)], {
    baseline: 'times 37',
    repetitions: 1,
    services: [service('server', server(port), port), service('locked', server(locked, '--requirepass', 'x'), locked)],
    profiles: [
      { kind: 'redis', of: 'server', port },
      { kind: 'redis', of: 'locked', port: locked },
    ],
  });
  const { observed, explanation } = await explained(folder, experiment, 2);
  for (const { variant, by, counts, startNs, endNs } of observed) {
    expect(by).toEqual(
      expect.arrayContaining([
        { name: 'redis:server', failure: null },
        { name: 'redis:locked', failure: 'refused' },
      ]),
    );
    const reported = counts.filter(({ kind, name }) => kind.startsWith('command') && name === 'INCR');
    expect(reported.map(({ kind, value, fromNs, toNs }) => ({ kind, value, fromNs, toNs }))).toEqual([
      { kind: 'command', value: Number(variant.slice(-2)), fromNs: startNs, toNs: endNs },
      { kind: 'command-time', value: expect.any(Number), fromNs: startNs, toNs: endNs },
    ]);
    // The question is none of the client's commands.
    expect(counts.filter(({ name }) => name === 'INFO')).toEqual([]);
  }
  // One of the two that were asked told nothing: what is missing is no difference.
  expect(explanation?.lines.filter(({ kind }) => kind.startsWith('command'))).toEqual([]);
});

itWithRedis('compares the calls of variants, and asks nobody else where a service can not be reached', async () => {
  const image = await testImage('joulediff-test:profiled', ['ENV NODE_OPTIONS=--of-the-image']);
  const port = await freePort();
  const call = `redis-cli -p ${port} -r $CALLS INCR x`;
  const other = spawn('redis-server', ['--port', String(port), '--save', '', '--bind', '127.0.0.1'], {
    cwd: folder,
    stdio: 'ignore',
  });
  try {
    // The same port of the host is somebody else's.
    const apart = { ...container(image, { run: ['true'] }, { network: 'none' }), name: 'apart' };
    const inside = shortExperiment(folder, [apart], {
      baseline: 'apart',
      repetitions: 1,
      services: [
        { ...service('server', ['sleep', '1000'], port), ready: null, stop: { signal: 'SIGKILL', withinS: 300 } },
      ],
      profiles: [{ kind: 'redis', of: 'server', port }],
    });
    const { observed } = await explained(folder, inside);
    expect(observed[0]?.by).toContainEqual({ name: 'redis:server', failure: 'place-not-seen' });
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  rmSync(join(folder, 'out'), { recursive: true });
  const calling = (times: number) => ({
    ...native({ run: call, env: { CALLS: String(times) } }),
    name: `times ${times}`,
  });
  const experiment = shortExperiment(folder, [calling(37), calling(50)], {
    baseline: 'times 37',
    repetitions: 1,
    services: [service('server', ['redis-server', '--port', String(port), '--save', ''], port)],
    profiles: [{ kind: 'redis', of: 'server', port }],
  });
  const { explanation } = await explained(folder, experiment, 2);
  expect(explanation?.lines.filter(({ kind }) => kind === 'command')).toMatchObject([
    { of: 'times 50', phase: null, name: 'INCR', baseline: 37, variant: 50, unit: '1', difference: 13 },
  ]);
});
