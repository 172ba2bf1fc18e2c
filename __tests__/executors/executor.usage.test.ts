// Class: system.
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Usage } from '../../src/contracts/execution.ts';
import type { Variant } from '../../src/executors/registry.ts';
import type { Counter } from '../../src/findings/resources.ts';
import { Bench, container, native, testImage } from './bench.ts';

const IMAGE = 'joulediff-test:busybox';
const MIB = 2 ** 20;

let bench: Bench;
beforeAll(async () => {
  await testImage(IMAGE);
});
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

/** On a machine that is busy with other things a container's accounts, or some of them, may be gone before they were read: then again. */
async function usageWhenComplete(variant: Variant, executions = 1, ownStarts = false): Promise<Usage> {
  for (let tries = 1; ; tries++) {
    const usage = await measuredOnce(variant, executions, ownStarts);
    if ((usage.cpuS !== null && !isPartlyGone(usage)) || tries === 6) return usage;
  }
}

const isPartlyGone = ({ counters = [] }: Usage): boolean => counters.some(({ missing }) => missing === 'gone');

async function measuredOnce(variant: Variant, executions = 1, ownStarts = false): Promise<Usage> {
  const executor = await bench.ready(variant);
  const run = await executor.prepare(bench.context({ executions, ownStarts }));
  try {
    await run.execute({ onEdge() {} });
    const usage = (await run.telemetry?.())?.usage ?? null;
    if (usage === null) throw new Error('no telemetry');
    if (process.env.TELL) console.log(usage);
    return usage;
  } finally {
    await run.dispose();
  }
}

const inHost = (script: string) => ['chroot', '/host', process.execPath, '-e', script];
const kinds: [string, (script: string) => Variant][] = [
  ['natively', (script) => native({ run: [process.execPath, '-e', script] })],
  ['in a container', (script) => container(IMAGE, { run: inHost(script) }, { volumes: ['/:/host'] })],
];

/** Works until it has used so many microseconds of processor time itself, in a process and in a child of it. */
const busy = (us: number): string =>
  `const work = 'while (process.cpuUsage().user + process.cpuUsage().system < ${us});'; require('child_process').spawnSync(process.execPath, ['-e', work]); eval(work);`;

/** False: it could not be known, and says so. */
function isKnown(...all: readonly Usage[]): boolean {
  const unknown = all.find(({ cpuS }) => cpuS === null);
  if (unknown) expect(unknown.unread[0]).toContain('control group had been removed');
  return unknown === undefined && !all.some(isPartlyGone);
}

describe.each(kinds)('what a run uses %s', (_, variant) => {
  it('is the processor time of all its processes', async () => {
    const usage = await usageWhenComplete(variant(busy(600_000)));
    if (!isKnown(usage)) return;
    const { cpuS } = usage;
    // 0.6 s each, and what starting two of these programs takes; natively in hundredths of a second.
    expect(cpuS).toBeGreaterThanOrEqual(1.19);
    expect(cpuS).toBeLessThan(1.2 * 1.5);
  });

  it('is the peak of its memory, whatever it gave back', async () => {
    const small = await usageWhenComplete(variant('0'));
    const large = await usageWhenComplete(variant('Buffer.alloc(200 * 2 ** 20, 1); '));
    if (small.peakMemoryBytes === null || large.peakMemoryBytes === null) {
      expect([...small.unread, ...large.unread].join()).toMatch(/memory|control group/);
      return;
    }
    const more = (large.peakMemoryBytes - small.peakMemoryBytes) / MIB;
    expect(more).toBeGreaterThan(190);
    expect(more).toBeLessThan(215);
  });
});

const counter = ({ counters = [] }: Usage, name: Counter) => counters.find((one) => one.counter === name);

describe.each(kinds)('what the kernel counts of a run %s', (_, variant) => {
  it('is a fault for every page that it touches first, and none from a disk for memory', async () => {
    const small = await usageWhenComplete(variant('0'));
    const large = await usageWhenComplete(variant('Buffer.alloc(200 * 2 ** 20, 1); '));
    if (!isKnown(small, large)) return;
    const more = (counter(large, 'minor_faults')?.value ?? 0) - (counter(small, 'minor_faults')?.value ?? 0);
    // 200 MiB in pages of 4 KiB; an allocator may ask for larger ones.
    expect(more).toBeGreaterThan(45_000);
    expect(more).toBeLessThan(60_000);
    expect(counter(small, 'major_faults')?.value).not.toBeNull();
  });

  it('tells the kernel’s time from the program’s', async () => {
    const reads = "const fs = require('fs'); const f = fs.openSync('/dev/zero'); const b = Buffer.alloc(2 ** 24); ";
    const busy = await usageWhenComplete(
      variant(`${reads} while (process.cpuUsage().system < 600000) fs.readSync(f, b);`),
    );
    if (!isKnown(busy)) return;
    const [user, system] = [counter(busy, 'user_s')?.value ?? 0, counter(busy, 'system_s')?.value ?? 0];
    expect(system).toBeGreaterThan(0.5);
    expect(user).toBeLessThan(system);
    expect(Math.abs(user + system - (busy.cpuS ?? 0))).toBeLessThan(0.1);
  });
});

it('is what goes through the network of a container, and never a 0 where the network is the host’s', async () => {
  const server = createServer((socket) => socket.end(Buffer.alloc(3 * MIB))).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const gateway = "$(ip route | sed -n 's/^default via \\([^ ]*\\).*/\\1/p')";
    const run = `nc ${gateway} ${port} < /dev/null | wc -c`;
    const usage = await usageWhenComplete(container(IMAGE, { run }, { network: 'bridge' }));
    if (!isKnown(usage)) return;
    const received = counter(usage, 'received_bytes');
    // The data, and what it is wrapped in.
    expect(received?.value ?? 0).toBeGreaterThan(3 * MIB);
    expect(received?.value ?? 0).toBeLessThan(3.5 * MIB);
    expect(counter(usage, 'sent_bytes')?.value ?? 0).toBeLessThan(MIB);
  } finally {
    server.close();
  }
  const shared = { value: null, missing: 'shared-network' };
  const onHost = await usageWhenComplete(container(IMAGE, { run: 'sleep 0.2' }, { network: 'host' }));
  if (isKnown(onHost)) expect(counter(onHost, 'received_bytes')).toMatchObject(shared);
  expect(counter(await usageWhenComplete(native({ run: 'true' })), 'sent_bytes')).toMatchObject(shared);
});

it('is how long a container was kept from its processors', async () => {
  // So little in each tenth of a second that it is used up at once, however many others want the processor too.
  const usage = await usageWhenComplete(
    container(IMAGE, { run: 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' }, { cpus: 0.02 }),
  );
  if (isKnown(usage)) expect(counter(usage, 'throttled_s')?.value ?? 0).toBeGreaterThan(0.2);
});

it('is what a native run writes for the disk', async () => {
  const script = `const fs = require('fs'); fs.writeFileSync(${JSON.stringify(bench.path('written'))}, Buffer.alloc(50 * 2 ** 20, 1));`;
  const { writtenBytes, readBytes } = await usageWhenComplete(native({ run: [process.execPath, '-e', script] }));
  expect(readBytes).not.toBeNull();
  expect((writtenBytes ?? 0) / MIB).toBeGreaterThan(49);
  expect((writtenBytes ?? 0) / MIB).toBeLessThan(53);
  // A temporary file never gets to the disk, and counts neither here nor in a container.
  const temporary = `${script} fs.rmSync(${JSON.stringify(bench.path('written'))});`;
  const deleted = await usageWhenComplete(native({ run: [process.execPath, '-e', temporary] }));
  expect((deleted.writtenBytes ?? Number.NaN) / MIB).toBeLessThan(1);
});

it.each(kinds)(
  'is that of all executions of a window %s',
  async (_, variant) => {
    const work = busy(200_000);
    const once = await usageWhenComplete(variant(work));
    for (const ownStarts of [false, true]) {
      const twice = await usageWhenComplete(variant(work), 2, ownStarts);
      if (!isKnown(once, twice)) return;
      // Four processes use 0.2 s at least; natively in hundredths. What the place itself takes, once in both, may be more on a slow machine.
      expect(twice.cpuS).toBeGreaterThan(Math.min(1.6 * (once.cpuS ?? 0), 0.75));
    }
  },
  120_000,
);

it('leaves this process where it was, and no control group behind', async () => {
  const before = readFileSync('/proc/self/cgroup', 'latin1');
  await usageWhenComplete(native({ run: 'sleep 300 & true' }));
  expect(readFileSync('/proc/self/cgroup', 'latin1')).toBe(before);
  const own = /^\d+:memory:(.*)$/m.exec(before)?.[1];
  const left = own === undefined ? [] : readdirSync(`/sys/fs/cgroup/memory${own}`);
  expect(left.filter((name) => name.startsWith(`joulediff-${process.pid}-`))).toEqual([]);
});

it('is told to be unknown, with the reason, of a container that is gone before anybody could look', async () => {
  const usage = await measuredOnce(container(IMAGE, { run: ['true'] }));
  if (usage.cpuS === null) expect(usage.unread[0]).toContain('control group had been removed');
  else expect(usage.cpuS).toBeLessThan(0.5);
});
