// Class: unit.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { busiest, LoadMeter, processTimes } from '../../src/machine/busy.ts';
import { LaidMachine } from './laid-files.ts';

/** /proc/PID/stat with so many ticks of its own and of the kernel's. */
const stat = (pid: number, name: string, user: number, system: number): string =>
  `${pid} (${name}) S 1 ${pid} ${pid} 0 -1 4194560 100 0 0 0 ${user} ${system} 0 0 20 0 1 0 50 1000 10\n`;

it('names who worked for a twentieth of the time or more, the busiest first, whatever its name holds', () => {
  using machine = new LaidMachine({
    'proc/7/stat': stat(7, 'joulediff', 0, 0),
    'proc/8/stat': stat(8, 'a (strange) name', 100, 50),
    'proc/9/stat': stat(9, 'idle', 10, 0),
    'proc/10/stat': 'no such thing',
    'proc/uptime': '1 1',
  });
  const before = processTimes(machine.files, 7);
  expect([...before.values()]).toEqual([
    { name: 'a (strange) name', seconds: 1.5 },
    { name: 'idle', seconds: 0.1 },
  ]);
  machine.lay({
    'proc/8/stat': stat(8, 'a (strange) name', 150, 50),
    'proc/9/stat': stat(9, 'idle', 14, 0),
    'proc/11/stat': stat(11, 'new', 200, 0),
  });
  expect(busiest(before, processTimes(machine.files, 7), 1)).toEqual(['new', 'a (strange) name']);
  expect(busiest(before, processTimes(machine.files, 7), 0.5)).toEqual(['new', 'a (strange) name', 'idle']);
});

it('names a program of Node.js by its file, since its first thread is called as all others', () => {
  using machine = new LaidMachine({
    'proc/8/stat': stat(8, 'MainThread', 100, 0),
    'proc/8/cmdline': '/opt/node/bin/node\0server.js\0',
    'proc/9/stat': stat(9, 'MainThread', 100, 0),
  });
  expect([...processTimes(machine.files, 7).values()].map(({ name }) => name)).toEqual(['node', 'MainThread']);
});

it('counts processors that were busy since its beginning, and nothing of too short a time', async () => {
  // user, nice, system, idle, iowait, irq, softirq, steal: ticks of 10 ms.
  const cpu = (user: number): string => `cpu  ${user} 0 0 1000 0 0 0 0 0 0\ncpu0 ${user} 0 0 1000 0 0 0 0 0 0\n`;
  using machine = new LaidMachine({ 'proc/stat': cpu(100) });
  const load = new LoadMeter(machine.files);
  expect(load.processors()).toBeNull();
  load.begin();
  expect(load.processors()).toBeNull();
  // As long as half of the shortest rest.
  await sleep(150);
  machine.lay({ 'proc/stat': cpu(160) });
  // 0.6 s of work in 0.15 s.
  const processors = load.processors() ?? 0;
  expect(processors).toBeGreaterThan(0);
  // A timer may end a millisecond early.
  expect(processors).toBeLessThan(4.1);
  machine.lay({ 'proc/stat': cpu(50) });
  expect(load.processors()).toBe(0);
  using nothing = new LaidMachine();
  const none = new LoadMeter(nothing.files);
  none.begin();
  expect(none.processors()).toBeNull();
});
