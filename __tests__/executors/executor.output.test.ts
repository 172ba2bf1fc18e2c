// Class: system.
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { RunContext } from '../../src/executors/executor.ts';
import type { Variant } from '../../src/executors/registry.ts';
import { Bench, container, docker, native, testImage } from './bench.ts';

const IMAGE = 'joulediff-test:busybox';
const MIB = 2 ** 20;

let bench: Bench;
beforeAll(() => testImage(IMAGE));
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

/** The phases come first and last, with so much between them. */
const chatty = (bytes: number) =>
  `echo ::joulediff phase first; yes 0123456789 | head -c ${bytes}; echo; echo ::joulediff phase last; echo end`;

async function run(variant: Variant, more: Pick<RunContext, 'outputToDisk'> = {}) {
  const executor = await bench.ready(variant);
  const prepared = await executor.prepare({ ...bench.context(), ...more });
  try {
    const execution = await prepared.execute({ onEdge() {} });
    const before = bench.log().length;
    const drivers = (await bench.containers()).map(async ({ Id }) => {
      const { HostConfig } = await docker.getContainer(Id).inspect();
      return HostConfig.LogConfig?.Type;
    });
    return { execution, before, drivers: await Promise.all(drivers), telemetry: await prepared.telemetry?.() };
  } finally {
    await prepared.dispose();
  }
}

const phases = ({ telemetry }: Awaited<ReturnType<typeof run>>) => telemetry?.marks.map(({ phase }) => phase);

const kinds: [string, (command: string) => Variant, drivers: string[]][] = [
  ['natively', (command) => native({ run: command }), []],
  ['in a container', (command) => container(IMAGE, { run: command }), ['none']],
];

describe.each(kinds)('what a run prints %s', (_, variant, drivers) => {
  it('goes to its log after the run, from both ends, with phases that come anywhere', async () => {
    const reported = await run(variant(chatty(20 * MIB)));
    expect(reported.before).toBe(0);
    expect(reported.drivers).toEqual(drivers);
    expect(phases(reported)).toEqual(['first', 'last']);
    const log = bench.log();
    expect(log.length).toBeLessThan(17 * MIB);
    expect(log).toMatch(/^::joulediff phase first\n0123456789\n/);
    expect(log).toMatch(/\n::joulediff phase last\nend\n$/);
    expect(log.match(/joulediff left [\d,]+ bytes of output out here/g)).toHaveLength(1);
  });

  it('is there in order with that of prepare and cleanup, and its end where it fails', async () => {
    const failing = variant('echo run; echo no data; exit 3');
    const { execution } = await run({
      ...failing,
      workload: { ...failing.workload, prepare: 'echo prepare', cleanup: 'echo cleanup' },
    });
    expect(execution).toMatchObject({ exitCode: 3, outputTail: 'run\nno data\n' });
    expect(bench.log()).toBe('prepare\nrun\nno data\ncleanup\n');
  });
});

it('what a native run prints is not written to a disk, but where that is asked for', async () => {
  const script = `yes 0123456789 | head -c ${20 * MIB}`;
  const written = async (more: Pick<RunContext, 'outputToDisk'>): Promise<number> => {
    const { telemetry } = await run(native({ run: script }), more);
    return telemetry?.usage?.writtenBytes ?? Number.NaN;
  };
  expect(await written({})).toBeLessThan(MIB);
  expect(await written({ outputToDisk: true })).toBeGreaterThan(19 * MIB);
});
