// Class: world.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Workload } from '../../src/contracts/variant.ts';
import type { Service } from '../../src/executors/service.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { measure } from '../../src/measure/measure.ts';
import { withStore } from '../../src/store/reader.ts';
import { during, eventually, isRunning, native } from '../executors/bench.ts';
import { CAN_NETWORK, type NetworkedMachine, networkedMachine } from '../hosts/sshd.ts';
import { goodRuns, listening, shortExperiment } from './short-experiment.ts';

// Services on another machine than the measured one, behind a network that is slow and loses packets.

const { signal: never } = new AbortController();

/** Answers who asks at a port with how often it was asked, and tells its number in a file. */
const SERVER = `
import os, socket, sys
listening = socket.create_server(("", int(sys.argv[1])))
open(sys.argv[2] + ".new", "w").write(str(os.getpid()) + "\\n")
os.rename(sys.argv[2] + ".new", sys.argv[2])
print("ready now", flush=True)
asked = 0
while True:
    one = listening.accept()[0]
    asked += 1
    one.sendall(b"asked %d" % asked)
    one.close()
`;
const ASK = `
import os, socket, sys
for name, port in (pair.split("=") for pair in sys.argv[1:]):
    with socket.create_connection((os.environ[name], int(port)), 20) as asking:
        print(name, asking.recv(100).decode(), flush=True)
`;

(CAN_NETWORK ? describe : describe.skip)(
  'services on another machine (needs root, openssh-server and TUN devices)',
  () => {
    let folder: string;
    /** Beside the folder that is sent: both machines write to one disk here, and no file that is sent may change. */
    let beside: string;
    let there: NetworkedMachine;
    let lockBefore: string | undefined;
    beforeAll(async () => {
      lockBefore = process.env.JOULEDIFF_LOCK;
      process.env.JOULEDIFF_LOCK = `joulediff.machines.${randomUUID()}`;
      there = await networkedMachine({ delayMs: 5, jitterMs: 3, lossPercent: 1 });
      there.pretend('/proc/sys/kernel/random/boot_id', 'of-another');
      there.pretend('/etc/machine-id', 'of-another');
    });
    afterAll(async () => {
      await there[Symbol.asyncDispose]();
      if (lockBefore === undefined) delete process.env.JOULEDIFF_LOCK;
      else process.env.JOULEDIFF_LOCK = lockBefore;
    });
    beforeEach(() => {
      folder = mkdtempSync(join(there.folder, 'experiment-'));
      beside = mkdtempSync(join(there.folder, 'reported-'));
      writeFileSync(join(folder, 'server.py'), SERVER);
      writeFileSync(join(folder, 'ask.py'), ASK);
    });

    const reported = (name: string) => join(beside, name);
    const pidOf = (name: string) => Number(readFileSync(reported(name), 'utf8'));
    const service = (name: string, port: number, change: Partial<Service> = {}): Service => ({
      name,
      run: `exec /usr/bin/python3 server.py ${port} ${reported(name)}`,
      env: {},
      workdir: null,
      place: there.address as 'ssh://',
      lifetime: 'run',
      ready: { kind: 'tcp', port },
      readyWithinS: 60,
      stop: { signal: 'SIGTERM', withinS: 20 },
      ...change,
    });
    const measured = async (change: Partial<Experiment>, workload: Partial<Workload>, heard = listening()) => {
      const outDir = join(folder, 'out');
      const experiment = shortExperiment(folder, [native(workload)], { repetitions: 2, ...change });
      await measure({ experiment, outDir, resume: false, signal: never, progress: heard.progress });
      return { outDir, lines: heard.reported.join('\n') };
    };

    it('are there in every run, are told to its command, and are lost and made up for with the connection', async () => {
      const services = [
        service('db', 7001),
        service('cache', 7002, { lifetime: 'experiment', ready: { kind: 'log', line: '^ready' } }),
      ];
      const first = join(folder, 'first');
      const ask = '/usr/bin/python3 ask.py JOULEDIFF_SERVICE_HOST_DB=7001 JOULEDIFF_SERVICE_HOST_CACHE=7002';
      const run = `${ask}; [ "$JOULEDIFF_RUN" != 1 ] || { : >${first}; sleep 600; }`;
      const measuring = measured({ services, metrics: [{ name: 'asked', line: '_CACHE asked *', unit: '' }] }, { run });
      await during(measuring, () => existsSync(first));
      const before = [pidOf('db'), pidOf('cache')];
      there.cut();
      const { outDir, lines } = await measuring;
      expect(lines).toContain('The connection to ssh://sut was lost');
      expect(lines).toContain('The service "cache" was lost with the connection to ssh://sut, and was started anew.');
      expect(goodRuns(outDir)).toEqual([1, 2]);
      const [runs, counters, variants, metrics] = withStore(join(outDir, 'experiment.db'), (reader) => [
        reader.runs(),
        reader.counters(),
        reader.variants(),
        reader.metrics(),
      ]);
      expect(runs[0]).toMatchObject({ status: 'invalid', cause: 'place-lost' });
      // That which lasts was asked by both runs, and what it uses is nobody's here.
      const good = runs.filter(({ status }) => status === 'ok');
      expect(good.map(({ run: number }) => metrics.get(number))).toMatchObject([[{ value: 1 }], [{ value: 2 }]]);
      expect(JSON.stringify([...counters])).not.toContain('services_');
      expect(variants[0]?.facts).toMatchObject({
        service1: 'sut',
        service1_machine: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
      const logs = readdirSync(join(outDir, 'logs')).filter((name) => name.includes('db'));
      expect(readFileSync(join(outDir, 'logs', logs.at(-1) ?? ''), 'utf8')).toBe('ready now\n');
      expect([...before, pidOf('db'), pidOf('cache')].some(isRunning)).toBe(false);
      await eventually(() => there.left().length === 0);
    });

    it('are told apart from the client where that is on their machine, and are proven by a command there', async () => {
      const web: Service = { ...service('web', 7003), place: 'variant', run: 'exec busybox httpd -f -p 7003 -h /' };
      const services = [service('db', 7001, { ready: { kind: 'command', command: `[ -e ${reported('db')} ]` } }), web];
      // What prepare leaves is ended after the run, and the service is not.
      const prepare = `(setsid sh -c 'echo $$ >${reported('left')}; exec sleep 600' &)`;
      const run = `kill -0 $(cat ${reported('db')}) && /usr/bin/python3 ask.py JOULEDIFF_SERVICE_HOST_DB=7001`;
      const client = { address: there.address, serviceHost: null };
      const hooks = { prepare: { run: `echo "$JOULEDIFF_SERVICE_HOST_DB" > ${reported('hook')}`, timeoutS: 60 } };
      const { outDir } = await measured({ services, client, hooks, repetitions: 1 }, { prepare, run });
      expect(readFileSync(reported('hook'), 'utf8')).toMatch(/\S\n$/);
      expect(goodRuns(outDir)).toEqual([1]);
      expect([pidOf('left'), pidOf('db')].some(isRunning)).toBe(false);
      await eventually(() => there.left().length === 0);
    });
  },
);
