// Class: world, long.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Variant } from '../../src/executors/registry.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { logPath } from '../../src/system/result-files.ts';
import { container, docker, during, native, testImage } from '../executors/bench.ts';
import { CAN_NETWORK, type NetworkedMachine, networkedMachine, SKEW } from '../hosts/sshd.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

// Services on this machine, whose client runs on another one behind a network that is slow and loses packets, with a clock that is an hour off and drifts.

const { signal: never } = new AbortController();
const tag = `joulediff-client-test:${randomUUID()}`;

(CAN_NETWORK ? describe : describe.skip)(
  'a client on a third machine (needs root, openssh-server and TUN devices)',
  () => {
    let folder: string;
    let load: NetworkedMachine;
    let port: number;
    let lockBefore: string | undefined;
    beforeAll(async () => {
      lockBefore = process.env.JOULEDIFF_LOCK;
      process.env.JOULEDIFF_LOCK = `joulediff.client.${randomUUID()}`;
      load = await networkedMachine({ delayMs: 5, jitterMs: 3, lossPercent: 1 });
      load.pretend('/proc/sys/kernel/random/boot_id', 'of-another');
      load.pretend('/etc/machine-id', 'of-another');
      await testImage(tag);
    });
    afterAll(async () => {
      await load[Symbol.asyncDispose]();
      await docker.getImage(tag).remove({ force: true });
      if (lockBefore === undefined) delete process.env.JOULEDIFF_LOCK;
      else process.env.JOULEDIFF_LOCK = lockBefore;
    });
    beforeEach(async () => {
      folder = mkdtempSync(join(load.folder, 'experiment-'));
      port = await freePort();
    });

    const experimentOf = (variants: readonly Variant[], change: Partial<Experiment> = {}, listens = `${port}`) =>
      shortExperiment(folder, variants, {
        client: { address: load.address, serviceHost: null },
        services: [
          {
            name: 'web',
            run: `exec busybox httpd -f -p ${listens} -h /`,
            env: {},
            workdir: null,
            place: 'variant',
            lifetime: 'run',
            ready: { kind: 'tcp', port },
            readyWithinS: 30,
            stop: { signal: 'SIGKILL', withinS: 1 },
          },
        ],
        repetitions: 1,
        restS: 2,
        guardS: 2,
        ...change,
      });
    const measured = async (experiment: Experiment, { reported, progress } = listening()) => {
      const outDir = join(folder, 'out');
      await measure({ experiment, outDir, resume: false, signal: never, progress });
      return { outDir, reported: reported.join('\n') };
    };
    const reportedBy = async (experiment: Experiment): Promise<string> => {
      const heard = listening();
      await expect(measured(experiment, heard)).rejects.toThrow('failed twice');
      return heard.reported.join('\n');
    };

    it('loads the services of a process and of a container, with its own window and its own account', async () => {
      const stamps = join(folder, 'stamps');
      const stamp = `/usr/bin/python3 -c 'import time; print(time.monotonic_ns())' >>${stamps}-$JOULEDIFF_RUN`;
      const ask =
        "import os, sys, urllib.request as u; u.urlopen('http://%s:%s/bin/busybox' % (os.environ['JOULEDIFF_SERVICE_HOST'], sys.argv[1])).read(); print('answers: 1 of', os.environ['JOULEDIFF_SERVICE_HOST'])";
      writeFileSync(join(folder, 'ask.py'), ask);
      writeFileSync(
        join(folder, 'half.py'),
        "import time; a = time.monotonic_ns(); print('second half', flush=True); print(a, time.monotonic_ns(), file=open('half', 'w'))",
      );
      const half = `sleep 0.2; (cd ${folder}; /usr/bin/python3 half.py; mv half half-$JOULEDIFF_RUN); sleep 0.2`;
      const run = `${stamp}; /usr/bin/python3 ask.py ${port}; ${half}; [ "$JOULEDIFF_RUN" != 1 ] || sleep 600; ${stamp}; pwd`;
      const phases = [{ phase: 'second', pattern: '^second half' }];
      const variants = [
        native({ run }),
        { ...container(tag, { run }, { network: null as never, ports: [`${port}:${port}`] }), name: 'bridge' },
      ];
      const metrics = [{ name: 'answers', line: 'answers: *', unit: 'answers' }];
      const measuring = measured(experimentOf(variants, { metrics, phases }));
      await during(measuring, () => existsSync(`${stamps}-1`));
      load.cut();
      const { outDir, reported } = await measuring;
      expect(reported).toContain('The connection to ssh://sut was lost');
      expect(goodRuns(outDir)).toEqual([1, 2]);
      const [runs, clocks, recorded, counters, usage, values, marks] = withStore(
        join(outDir, 'experiment.db'),
        (reader) => [
          reader.runs(),
          reader.clocks(),
          reader.variants(),
          reader.counters(),
          reader.usage(),
          reader.metrics(),
          reader.phaseMarks(),
        ],
      );
      expect(runs[0]).toMatchObject({ status: 'invalid', cause: 'place-lost' });
      const good = runs.filter(({ status }) => status === 'ok');
      for (const { run: number, variant, startNs, endNs } of good) {
        const [begin = 0n, end = 0n] = readFileSync(`${stamps}-${number}`, 'utf8').trim().split('\n').map(BigInt);
        const { edgeS = 0 } = clocks.get(number) ?? {};
        expect(edgeS).toBeGreaterThan(0.004);
        const edgeNs = BigInt(Math.ceil(edgeS * 1e9));
        expect(startNs - edgeNs).toBeLessThan(begin);
        expect(endNs + edgeNs).toBeGreaterThan(end);
        expect(startNs).toBeGreaterThan(begin - SKEW.offsetNs);
        const printed = readFileSync(logPath(outDir, number, variant), 'utf8');
        expect(printed).toMatch(new RegExp(`^answers: 1 of ${load.here}\nsecond half\n${load.folder}/tmp/`));
        const [from = 0n, to = 0n] = readFileSync(join(folder, `half-${number}`), 'utf8')
          .split(' ')
          .map(BigInt);
        const [mark] = marks.get(number) ?? [];
        expect(mark?.phase).toBe('second');
        // A mark is as far off as the clock that told it.
        expect((mark?.tNs ?? 0n) - (mark?.lateNs ?? 0n) - edgeNs).toBeLessThan(to);
        expect((mark?.tNs ?? 0n) + edgeNs).toBeGreaterThan(from);
        // What is used there is no part of what is used here.
        expect(usage.get(number)?.cpuS ?? null).toBeNull();
        const of = (name: string) => counters.get(number)?.find(({ counter }) => counter === name);
        expect(of('client_cpu_s')?.value).toBeGreaterThan(0.01);
        expect(of('services_cpu_s')?.value).toBeGreaterThanOrEqual(0);
        expect(of('machine_context_switches')?.value).toBeGreaterThan(0);
      }
      expect(good).toHaveLength(2);
      expect(JSON.stringify([...values])).toContain('answers');
      for (const { facts } of recorded) {
        expect(facts).toMatchObject({ client: 'sut', client_machine: expect.stringMatching(/^[0-9a-f]{16}$/) });
      }
      expect(load.left()).toEqual([]);
    });

    it('measures the services’ start and end on the clock here, where that is the window', async () => {
      const { outDir } = await measured(experimentOf([native({ run: 'sleep 0.2' })], { window: 'service' }));
      withStore(join(outDir, 'experiment.db'), (reader) => {
        expect(reader.runs().map(({ status }) => status)).toEqual(['ok']);
        expect(reader.clocks().size).toBe(0);
      });
    });

    it('is told what keeps it from a service, before anything is measured', async () => {
      const lonely = experimentOf([native({ run: 'true' })], {}, `127.0.0.1:${port}`);
      expect(await reportedBy(lonely)).toContain(
        `The service "web" can’t be reached from ssh://sut: it listens on port ${port} of the loopback address only.`,
      );
      const elsewhere = { address: load.address, serviceHost: '198.18.255.254' };
      expect(await reportedBy(experimentOf([native({ run: 'true' })], { client: elsewhere }))).toContain(
        `The service "web" can’t be reached from ssh://sut at 198.18.255.254, port ${port}: `,
      );
      expect(load.left()).toEqual([]);
    });

    it('is refused where it is this machine under another name', async () => {
      load.pretend('/proc/sys/kernel/random/boot_id', readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
      await expect(measured(experimentOf([native({ run: 'true' })]))).rejects.toThrow(
        'ssh://sut is this machine, whose energy is measured, under another name.',
      );
      load.pretend('/proc/sys/kernel/random/boot_id', 'of-another');
    });
  },
);

/** Below those that the kernel gives to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(15_000 * Math.random());
    const server = createServer();
    const isFree = await new Promise<boolean>((done) => {
      server.once('error', () => done(false));
      server.listen(port, () => done(true));
    });
    await new Promise((done) => server.close(done));
    if (isFree) return port;
  }
}
