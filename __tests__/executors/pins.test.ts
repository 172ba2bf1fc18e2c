// Class: system.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pinSelf, pinWords } from '../../src/executors/pins.ts';
import { parseExperiment } from '../../src/experiment/read.ts';
import { foresee } from '../../src/measure/foresee.ts';
import { setUpPlaces } from '../../src/measure/places.ts';
import { RunGroup } from '../../src/processes/run-group.ts';
import { Bench, container, docker, native, testImage } from './bench.ts';

const IMAGE = `joulediff-test/pins-${process.pid}`;
const bench = new Bench();
const allowed = () => /^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
/** One that this process may use. */
const CPU = Number(/^\d+/.exec(allowed())?.[0]);

beforeAll(() => testImage(IMAGE));
afterAll(async () => {
  await bench.close();
  await docker.getImage(IMAGE).remove({ force: true });
});

const SHOW =
  'echo "$JOULEDIFF_STAGE $(busybox grep Cpus_allowed_list /proc/self/status) nice $(busybox cut -d " " -f 19 /proc/self/stat)"';
const shown = (stage: string, cpus: string | number, nice: number) =>
  `${stage} Cpus_allowed_list:\t${cpus} nice ${nice}`;

/** What is printed by a run and its service. */
async function printedBy(file: object, variant: string): Promise<string> {
  const text = JSON.stringify({ rest: 0, guard: 0, ...file });
  const experiment = parseExperiment(text, { file: 'joulediff.yml', directory: bench.folder });
  const folder = mkdtempSync(join(bench.folder, 'run-'));
  mkdirSync(join(folder, 'logs'));
  const logFile = join(folder, 'logs', 'run.log');
  const ignore = () => {};
  await using places = await setUpPlaces(bench.experimentId, {
    experiment: { ...experiment, variants: experiment.variants.filter(({ name }) => name === variant) },
    progress: { note: ignore, warn: ignore, status: ignore, end: ignore },
    folder,
    recorded: null,
    signal: bench.stop.signal,
  });
  const run = await places.executors.get(variant)?.prepare({ ...bench.context(), logFile });
  try {
    await run?.execute({ onEdge: ignore });
  } finally {
    await run?.dispose();
  }
  const service = join(folder, 'logs', 'run.server.log');
  return [logFile, service].map((path) => (existsSync(path) ? readFileSync(path, 'utf8') : '')).join('');
}

describe('processors and nice values', () => {
  const variants = { native: {}, inside: { image: IMAGE, pull: 'never', network: 'none' } };
  const services = {
    server: { run: `${SHOW}; exec sleep 300`, ready: { log: 'Cpus_allowed_list' }, stop: { signal: 'SIGKILL' } },
  };

  it('hold the workload and its services on the host', async () => {
    const pins = { cpus: { workload: CPU }, nice: { workload: 7 } };
    const printed = await printedBy(
      { variants, services, workload: { prepare: SHOW, run: SHOW, cleanup: SHOW }, ...pins },
      'native',
    );
    for (const stage of ['prepare', 'run', 'cleanup', 'service']) expect(printed).toContain(shown(stage, CPU, 7));
  });

  it('hold the workload and its services in a container, and its shares of the processors are those of the nice value', async () => {
    const printed = await printedBy({ variants, services, workload: { run: SHOW }, cpus: { workload: CPU } }, 'inside');
    for (const stage of ['run', 'service']) expect(printed).toContain(shown(stage, CPU, 0));
    const sharesAt = async (nice: number) => {
      const executor = await bench.ready(container(IMAGE, { run: 'true', pin: { cpus: null, nice } }));
      const run = await executor.prepare(bench.context());
      const [made] = await bench.containers();
      const { HostConfig } = await docker.getContainer(made?.Id ?? '').inspect();
      await run.dispose();
      return HostConfig.CpuShares;
    };
    // The weight of 0 is every group's: asked for by its shares, a runtime makes another of it in version 2.
    expect([await sharesAt(10), await sharesAt(0)]).toEqual([110, 0]);
  });

  it('are another for a client on the host', async () => {
    const file = { variants, services, workload: { run: SHOW, place: 'host' }, nice: { workload: 3, client: 9 } };
    const printed = await printedBy(file, 'native');
    expect(printed).toContain(shown('run', allowed(), 9));
    expect(printed).toContain(shown('service', allowed(), 3));
  });

  it('of joulediff itself are not inherited by what it starts', () => {
    const before = allowed();
    {
      using _pinned = pinSelf({ cpus: String(CPU), nice: null });
      expect(allowed()).toBe(String(CPU));
      const [program = '', ...words] = [...pinWords({ cpus: null, nice: null }), 'cat', '/proc/self/status'];
      expect(spawnSync(program, words, { encoding: 'utf8' }).stdout).toContain(`Cpus_allowed_list:\t${before}\n`);
    }
    expect(allowed()).toBe(before);
  });

  it('count beside other sessions: what is nice leaves the processor to others', async () => {
    // A loop of its own session on the same processor, as any other program's would be.
    const script = 'echo $$; while :; do :; done';
    const other = spawn('setsid', ['taskset', '-c', String(CPU), 'sh', '-c', script], { stdio: 'ignore' });
    try {
      const before = ticksOf(other);
      const run = 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; cut -d " " -f 14 /proc/$$/stat > ticks';
      await bench.once(native({ run, pin: { cpus: String(CPU), nice: 19 } }));
      const own = Number(readFileSync(bench.path('ticks'), 'utf8'));
      // The kernel gives it 15 parts of 1,039; sessions that share alike would get half each, whatever their nice values.
      expect(ticksOf(other) - before).toBeGreaterThan(15 * Math.max(own, 1));
    } finally {
      other.kill('SIGKILL');
    }
  });

  it('give a group of version 2 its weight', () => {
    const root = mkdtempSync(join(bench.folder, 'cgroup-'));
    mkdirSync(join(root, 'joulediff', 'own'), { recursive: true });
    writeFileSync(join(root, 'joulediff', 'cgroup.subtree_control'), 'cpu memory pids');
    const group = new RunGroup('1', { pids: null, memoryBytes: null }, root, '0::/joulediff/own');
    const [name = ''] = namesIn(join(root, 'joulediff'));
    const weight = join(root, 'joulediff', name, 'cpu.weight.nice');
    writeFileSync(weight, '0');
    group.weigh(12);
    expect(readFileSync(weight, 'utf8')).toBe('12');
    rmSync(root, { recursive: true });
  });
});

const namesIn = (folder: string): string[] =>
  spawnSync('ls', [folder], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((name) => name.startsWith('joulediff-'));

/** Processor time in user mode. */
const ticksOf = ({ pid }: ChildProcess): number => Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[13]);

describe('what can’t be held', () => {
  const base = { workload: { run: ':' }, variants: { a: {}, b: {} }, meter: 'estimate' };
  const parsed = (change: object) =>
    parseExperiment(JSON.stringify({ ...base, ...change }), { file: 'joulediff.yml', directory: bench.folder });

  it('is told before anything starts: a processor that is not there', async () => {
    const none = 60_000;
    const seen = await foresee(parsed({ cpus: { workload: `${CPU},${none}` } }), bench.path('out'));
    expect(seen.find(({ what }) => what === 'processors')?.found).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`The workload can't run on processor ${none}: those online are 0`),
    });
    expect(availableParallelism()).toBeLessThan(none);
  });

  it.each([
    [
      { cpus: { workload: '3-1' } },
      'cpus.workload: "3-1" was given; it must be processors such as 0, "0-3" or "0,2-5"',
    ],
    [{ nice: { workload: 20 } }, 'nice.workload: 20 was given; it must be a whole number from -20 to 19'],
    [{ cpus: { client: 0 } }, 'cpus.client: nothing runs on the host for all variants'],
    [
      { cpus: { workload: 0 }, variants: { a: {}, b: { image: 'x', cpuset: '1' } } },
      'variants.b.cpuset: cpuset and cpus.workload were both given',
    ],
  ])('is refused in a file: %j', (change, sentence) => {
    expect(() => parsed(change)).toThrow(sentence);
  });
});
