import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { buildImage } from '../../../src/executors/container/build.ts';
import { type BuildLimits, watchBuild } from '../../../src/executors/container/build-watch.ts';
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

it.each<[string, BuildLimits, RegExp]>([
  [
    'starts processes without end',
    { pids: 60, reserveBytes: 0 },
    /^It was not built: it was stopped when the machine had gained more than 60 processes and threads\.$/,
  ],
  [
    'leaves no memory',
    { pids: 1e9, reserveBytes: 2 ** 60 },
    /^It was not built: it was stopped when less than .+B of the machine's memory was left\.$/,
  ],
])('a build that %s is stopped with all that it started', async (_, limits, message) => {
  const nap = `sleep ${randomInt(1e8, 1e9)}`;
  const steps = [
    ...[
      'FROM scratch',
      'COPY busybox /bin/busybox',
      'RUN ["/bin/busybox", "--install", "-s", "/bin"]',
      'ENV PATH=/bin',
    ],
    `RUN i=0; while [ $i -lt 120 ]; do ${nap} & i=$((i + 1)); done; wait`,
  ];
  await bench.file('context/Dockerfile', `${steps.join('\n')}\n`);
  const build = { context: bench.path('context'), dockerfile: 'Dockerfile', target: null, args: {} };
  const attempt = watchBuild(
    'It was not built',
    bench.stop.signal,
    (stop) => buildImage(docker, `Watched ${bench.experimentId}`, build, () => {}, stop),
    limits,
  );
  await expect(attempt).rejects.toThrow(message);
  await expect(attempt).rejects.toBeInstanceOf(MeasureError);
  await eventually(() => running(nap) === 0);
});
