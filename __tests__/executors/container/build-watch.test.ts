// Class: world.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { totalmem } from 'node:os';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import Docker from 'dockerode';
import { MeasureError } from '../../../src/errors.ts';
import { buildImage } from '../../../src/executors/container/build.ts';
import { type BuildLimits, watchBuild } from '../../../src/executors/container/build-watch.ts';
import { infoOf } from '../../../src/executors/container/docker.ts';
import { usableMemory } from '../../../src/processes/limits.ts';
import { Bench, docker, eventually } from '../bench.ts';

let bench: Bench;
beforeEach(async () => {
  bench = new Bench();
  await mkdir(bench.path('context'));
  await copyFile('/bin/busybox', bench.path('context/busybox'));
});
afterEach(() => bench.close());

/** Processes of this machine whose command line ends so. */
function running(words: string): number {
  return readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim().endsWith(words)
      );
    } catch {
      return false;
    }
  }).length;
}

const STEPS = [
  'FROM scratch',
  `LABEL joulediff-test="build-watch ${process.pid}"`,
  'COPY busybox /bin/busybox',
  'RUN ["/bin/busybox", "--install", "-s", "/bin"]',
  'ENV PATH=/bin',
];

async function buildWith(step: string, limits: BuildLimits, engine = docker, log: (line: string) => void = () => {}) {
  await bench.file('context/Dockerfile', `${[...STEPS, `RUN ${step}`].join('\n')}\n`);
  const build = { context: bench.path('context'), dockerfile: 'Dockerfile', target: null, args: {} };
  return watchBuild(
    'It was not built',
    bench.stop.signal,
    (stop) => buildImage(engine, `Watched ${bench.experimentId}`, build, log, stop),
    limits,
  );
}

const FREE = { pids: null, memoryBytes: null };

it.each<[string, BuildLimits, RegExp]>([
  [
    'starts processes without end',
    { step: FREE, pids: 60, reserveBytes: 0 },
    /^It was not built: it was stopped when the machine had gained more than 60 processes and threads\.$/,
  ],
  [
    'leaves no memory',
    { step: FREE, pids: 1e9, reserveBytes: 2 ** 60 },
    /^It was not built: it was stopped when less than .+B of the machine's memory was left\.$/,
  ],
])('a build that %s is stopped with all that it started', async (_, limits, message) => {
  const nap = `sleep ${randomInt(1e8, 1e9)}`;
  const attempt = buildWith(`i=0; while [ $i -lt 120 ]; do ${nap} & i=$((i + 1)); done; wait`, limits);
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.toBeInstanceOf(MeasureError);
  await eventually(() => running(nap) === 0);
});

it('a step of the classic builder is given its limit of memory, where an engine has no BuildKit', async () => {
  const limit = '/sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max';
  const socketPath = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '') ?? '/var/run/docker.sock';
  const old = createServer((asked, answer) => {
    if (/^\/(v[\d.]+\/)?session|[?&]version=2/.test(asked.url ?? '')) {
      asked.resume();
      answer.writeHead(404, { connection: 'close' }).end('{"message":"page not found"}');
      return;
    }
    const { method, headers, url: path } = asked;
    const onwards = request({ socketPath, method, headers, path }, (reported) => {
      answer.writeHead(reported.statusCode ?? 500, reported.headers);
      reported.pipe(answer);
    });
    onwards.on('error', () => answer.destroy());
    asked.pipe(onwards);
  }).listen(bench.path('engine.sock'));
  try {
    await once(old, 'listening');
    const lines: string[] = [];
    const engine = new Docker({ socketPath: bench.path('engine.sock') });
    const step = `cat ${limit} 2> /dev/null | cat`;
    const free = { step: FREE, pids: 1e9, reserveBytes: 0 };
    const { tag } = await buildWith(step, free, engine, (line) => lines.push(line));
    await docker.getImage(tag).remove({ force: true });
    expect(lines.map((line) => line.trim())).toContain(String(usableMemory(totalmem())));
  } finally {
    old.closeAllConnections();
    old.close();
  }
});

const { CgroupDriver: driver } = await infoOf(docker).catch(() => ({ CgroupDriver: null }));
const holds = driver === 'cgroupfs' && process.getuid?.() === 0;
/** Steps that have a group that this user may change. */
const itHolding = holds ? it : it.skip;
const MEMORY = 64 * 2 ** 20;
const PIDS = 40;
/** In a step: waits until its limits are there, so that it is them that end it. */
const until = (files: string, value: number) =>
  `until cat ${files} 2> /dev/null | grep -qx ${value}; do sleep 0.02; done`;

itHolding.each([
  [
    'memory',
    `${until('/sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max', MEMORY)}; head -c 300000000 /dev/zero | tail > /dev/null`,
    /exit code: 137/,
  ],
  [
    'processes',
    `${until('/sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max', PIDS)}; i=0; while [ $i -lt 300 ]; do sleep 300 & i=$((i + 1)); done; echo not held`,
    /exit code: 2\b/,
  ],
])('a step of a build is held to its %s by the kernel, where root may do that', async (limit, step, message) => {
  const held = limit === 'memory' ? { pids: null, memoryBytes: MEMORY } : { pids: PIDS, memoryBytes: null };
  const limits = { step: held, pids: 1e9, reserveBytes: 0 };
  const attempt = buildWith(step, limits);
  await expect(attempt).rejects.toThrow(message);
});
