// Class: system.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { MachineCounters } from '../../src/measure/machine-counters.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'joulediff-counters-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const CPU = '/sys/devices/system/cpu/cpufreq/policy0';
const HEAD =
  'Inter-|   Receive  |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes\n';
const device = (name: string, received: number, sent: number) =>
  `  ${name}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0\n`;

it('tells the difference of the totals before and after, and only of cards what leaves the machine', () => {
  write({
    '/proc/stat': 'cpu  1 2 3\nctxt 1000\nbtime 5',
    '/proc/net/dev': HEAD + device('lo', 5, 5) + device('eth0', 100, 50) + device('docker0', 7, 7),
    '/proc/pressure/cpu': 'some avg10=0 avg60=0 avg300=0 total=1000000\nfull avg10=0 avg60=0 avg300=0 total=0',
    [`${CPU}/stats/time_in_state`]: '1000000 100\n2000000 100',
    [`${CPU}/scaling_cur_freq`]: '2000000',
    '/sys/class/net/eth0/x': '',
    '/sys/class/net/docker0/x': '',
  });
  symlinkSync('../../../devices/pci', join(root, '/sys/class/net/eth0/device'));
  const counters = new MachineCounters(root);
  counters.begin();
  write({
    '/proc/stat': 'cpu  1 2 3\nctxt 1500\nbtime 5',
    '/proc/net/dev': HEAD + device('lo', 999, 999) + device('eth0', 1100, 250) + device('docker0', 999, 999),
    '/proc/pressure/cpu': 'some avg10=0 avg60=0 avg300=0 total=1250000\nfull avg10=0 avg60=0 avg300=0 total=0',
    [`${CPU}/stats/time_in_state`]: '1000000 110\n2000000 130',
  });
  const all = new Map(counters.end().map((one) => [one.counter, one.value ?? one.missing]));
  expect(Object.fromEntries(all)).toEqual({
    machine_context_switches: 500,
    machine_received_bytes: 1000,
    machine_sent_bytes: 200,
    machine_cpu_stall_s: 0.25,
    machine_memory_stall_s: 'not-counted',
    machine_memory_full_stall_s: 'not-counted',
    machine_io_stall_s: 'not-counted',
    machine_io_full_stall_s: 'not-counted',
    // A quarter of the time at 1 GHz.
    mean_frequency_hz: 1.75e9,
    frequency_after_hz: 2e9,
    temperature_after_c: 'no-sensor',
  });
});

it('tells what the machine switches in a second while idle before the window and after it', () => {
  let seconds = 0;
  const counters = new MachineCounters(root, () => BigInt(seconds * 1e9));
  const at = (second: number, count: number): void => {
    seconds = second;
    write({ '/proc/stat': `ctxt ${count}` });
  };
  const idle = () => counters.idle().map(({ counter, value, missing }) => [counter, value ?? missing]);
  at(100, 1000);
  counters.rest();
  at(110, 3000);
  counters.begin();
  at(115, 90_000);
  counters.end();
  at(119, 91_600);
  expect(idle()).toEqual([
    ['idle_switches_before_per_s', 200],
    ['idle_switches_after_per_s', 400],
  ]);
  // Of a run that comes to no end, only what was before it is known.
  counters.rest();
  at(129, 92_600);
  counters.begin();
  expect(idle()).toEqual([
    ['idle_switches_before_per_s', 100],
    ['idle_switches_after_per_s', 'not-counted'],
  ]);
});

it('reads the processors in a window about once a second, however often the meter reads, and never beside it', () => {
  let ms = 0;
  const counters = new MachineCounters(root, () => BigInt(ms) * 1_000_000n);
  const until = (end: number): void => {
    for (; ms < end; ms += 100) {
      write({ '/proc/stat': `cpu  ${ms / 10} 0 0 ${ms / 10} 0 0 0 0 0 0\nctxt 5` });
      counters.readProcessors();
    }
  };
  until(5000);
  expect(counters.processors()).toEqual([]);
  counters.rest();
  until(10_000);
  counters.begin();
  until(12_900);
  counters.end();
  until(15_000);
  const read = counters.processors();
  // The reading 0.2 s before the end is left out: too few ticks follow it.
  expect(read.map(({ tNs }) => Number(tNs) / 1e9)).toEqual([10, 10.9, 11.8, 12.9]);
  expect(read[1]).toEqual({ tNs: 10_900_000_000n, busyS: 10.9, allS: 21.8 });
  counters.begin();
  counters.end();
  expect(counters.processors()).toHaveLength(2);
  write({ '/proc/stat': 'ctxt 5' });
  counters.begin();
  counters.end();
  expect(counters.processors()).toEqual([]);
});

it('tells no rate by a stretch that hardly lasted', () => {
  let ns = 0n;
  const counters = new MachineCounters(root, () => ns);
  const at = (us: number, count: number): void => {
    ns = BigInt(us) * 1000n;
    write({ '/proc/stat': `ctxt ${count}` });
  };
  at(0, 1000);
  counters.rest();
  at(50_000, 1010);
  counters.begin();
  at(60_000, 1500);
  counters.end();
  // Two switches in 40 µs would be 50,000 a second.
  at(60_040, 1502);
  expect(counters.idle()).toEqual([
    { counter: 'idle_switches_before_per_s', value: 200, missing: null },
    { counter: 'idle_switches_after_per_s', value: null, missing: 'not-counted' },
  ]);
});

it('tells what the processes of an engine used, and nothing where there was none', () => {
  const engine = (pid: number, name: string, ticks: number, switches: number) => ({
    [`/proc/${pid}/stat`]: `${pid} (${name}) S 1 1 1 0 -1 0 0 0 0 0 ${ticks} ${ticks} 7 7 20 0 1 0 5 0`,
    [`/proc/${pid}/task/${pid}/status`]: `Name: x\nvoluntary_ctxt_switches:\t${switches}\nnonvoluntary_ctxt_switches:\t1\n`,
    [`/proc/${pid}/task/9${pid}/status`]: `voluntary_ctxt_switches:\t${switches}\n`,
  });
  const used = (counters: MachineCounters) =>
    counters.end().flatMap(({ counter, value }) => (counter.startsWith('engine_') ? [[counter, value]] : []));
  write(engine(7, 'bash', 100, 100));
  const without = new MachineCounters(root);
  without.begin();
  expect(used(without)).toEqual([]);
  write({ ...engine(8, 'dockerd', 100, 50), ...engine(9, 'containerd', 10, 10) });
  const counters = new MachineCounters(root);
  counters.rest();
  counters.begin();
  // The shim of a container began in the window, and one process ended there.
  write({ ...engine(8, 'dockerd', 150, 70), ...engine(10, 'containerd-shim', 5, 3), ...engine(7, 'bash', 900, 900) });
  rmSync(join(root, '/proc/9'), { recursive: true });
  expect(used(counters)).toEqual([
    ['engine_cpu_s', 1.1],
    ['engine_switches', 47],
  ]);
});

it('knows nothing where there is nothing, and gives no 0', () => {
  const counters = new MachineCounters(root);
  expect(counters.end()).toEqual([]);
  counters.begin();
  expect(counters.end().filter(({ value }) => value !== null)).toEqual([]);
});

it('counts the switches of this very machine', () => {
  const counters = new MachineCounters();
  counters.begin();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  const [switches] = counters.end();
  expect(switches).toMatchObject({ counter: 'machine_context_switches', missing: null });
  expect(switches?.value ?? 0).toBeGreaterThan(0);
});
