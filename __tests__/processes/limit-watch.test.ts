// Class: system.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type HostCommand, runOnHost } from '../../src/executors/native/host-command.ts';
import { findProcesses } from '../../src/processes/left-processes.ts';
import { limitReached, usedBytes } from '../../src/processes/limit-watch.ts';
import { RunGroup } from '../../src/processes/run-group.ts';
import { Bench, eventually } from '../executors/bench.ts';

const MIB = 2 ** 20;
/** As if nothing had used memory before: what others free meanwhile hides nothing. */
const USED_BEFORE = 0;

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.close());

const inGroup = (group: number): number[] => findProcesses((found) => found.group === group);

const run = (command: string, more: Partial<HostCommand>) =>
  runOnHost({
    command,
    executions: 1,
    before: [],
    subject: 'It',
    directory: bench.folder,
    logFile: bench.logFile,
    env: { PATH: process.env.PATH ?? '' },
    timeoutS: 300,
    signal: bench.stop.signal,
    limitsOutput: false,
    ...more,
  });

describe('a workload that no control group holds', () => {
  it.each([
    ['memory', { pids: null, memoryBytes: 64 * MIB }, '(head -c 100000000 /dev/zero; exec sleep 300) | tail'],
    ['processes', { pids: 8, memoryBytes: null }, 'for i in 1 2 3 4 5 6 7 8 9; do sleep 300 & done; wait'],
  ] as const)('is ended with all of its processes when it is found beyond its limit of %s', async (limit, limits, command) => {
    const { group, ...execution } = await run(command, {
      watched: { limits, usedBefore: USED_BEFORE, processes: inGroup },
    });
    expect(execution).toMatchObject({ limit, signal: 'SIGKILL', timedOut: false });
    await eventually(() => inGroup(group ?? 0).length === 0);
  });

  it('is not looked at one by one while the whole machine uses less than its limit', () => {
    const processes = (): number[] => {
      throw new Error('looked');
    };
    expect(limitReached({ pids: 2 ** 22, memoryBytes: 2 ** 50 }, { usedBefore: USED_BEFORE, processes })).toBeNull();
  });

  it('is not ended for what others use, nor for what its processes share', () => {
    const own = () => [process.pid];
    expect(limitReached({ pids: 4000, memoryBytes: 2 ** 40 }, { usedBefore: -(2 ** 50), processes: own })).toBeNull();
    const many = () => Array.from({ length: 1000 }, () => process.pid);
    expect(limitReached({ pids: null, memoryBytes: 2 ** 36 }, { usedBefore: usedBytes(), processes: many })).toBeNull();
  });
});

const held = new RunGroup('watch', { pids: null, memoryBytes: 32 * MIB });
const itWithGroups = held.held().memoryBytes === null ? it.skip : it;
held.remove();

itWithGroups('a process that the kernel ended because memory ran out has met a limit, whoever set it', async () => {
  const group = new RunGroup('watch', { pids: null, memoryBytes: 32 * MIB });
  // Not before the limit is set: what exceeds that at once is ended by joulediff itself, and told by the group.
  const execution = await run('sleep 1; exec tail /dev/zero', { birth: group });
  group.remove();
  expect(execution).toMatchObject({ signal: 'SIGKILL', limit: 'memory' });
});
