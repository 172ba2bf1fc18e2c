// Class: system.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MeterInfo } from '../../../src/contracts/reading.ts';
import { LineMeter } from '../../../src/meters/program/line-meter.ts';
import { type Program, startProgram } from '../../../src/meters/program/program.ts';
import { findHierarchies } from '../../../src/processes/hierarchies.ts';
import { ownPrefix } from '../../../src/processes/left-groups.ts';
import type { Limits } from '../../../src/processes/limits.ts';
import { RunGroup } from '../../../src/processes/run-group.ts';
import { SYSTEM_CLOCK } from '../../../src/system/clock.ts';
import { eventually, isRunning } from '../../executors/bench.ts';

const SMALL: Limits = { pids: 40, memoryBytes: 32 * 2 ** 20 };
/** So many processes may need more memory than that before they are too many. */
const FEW: Limits = { ...SMALL, memoryBytes: 2 ** 30 };

/** Natively real, where a control group can be made. */
const itWithGroups = ((): boolean => {
  const probe = new RunGroup('test', SMALL);
  const { pids, memoryBytes } = probe.held();
  probe.remove();
  return pids !== null && memoryBytes !== null;
})()
  ? it
  : it.skip;

const INFO = {
  address: 'command:test',
  channels: [{ channel: 'wall', samplingPeriodS: 0.05 }],
} as unknown as MeterInfo;

let folder: string;
let started: Program[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-program-'));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((program) => program.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function start(line: string, most?: Limits): Program {
  const program = startProgram(line, [], most);
  started.push(program);
  return program;
}

const endOf = (program: Program) => new Promise<Error>((resolve) => program.onEnd(resolve));
const groupsOfMeters = () =>
  findHierarchies().flatMap(({ parent }) =>
    readdirSync(parent).filter((name) => name.startsWith(`${ownPrefix()}helper-`)),
  );

describe('the program of a meter', () => {
  itWithGroups('is ended by the kernel where it takes all memory, and that is why it ended', async () => {
    const { message } = await endOf(start('head -c 300000000 /dev/zero | tail > /dev/null', SMALL));
    // Which of its processes the kernel chooses is the kernel's affair.
    expect(message).toMatch(
      /(?:ended with exit code 137|was ended by SIGKILL)\. It needed more memory than .* a meter may have \(32 MiB\)\./,
    );
  });

  itWithGroups('has no more processes than it may, and that is told', async () => {
    const { message } = await endOf(start('while :; do sleep 300 & done', FEW));
    expect(message).toMatch(/It needed more processes than the program of a meter may have \(40\)\./);
  });

  itWithGroups('loses its meter with that reason', async () => {
    const go = join(folder, 'go');
    const program = start(
      `until [ -e ${go} ]; do echo 40; sleep 0.05; done; head -c 300000000 /dev/zero | tail > /dev/null`,
      SMALL,
    );
    const reader = { take: (line: string, tNs: bigint) => ({ tNs, powerW: [Number(line)] }) };
    // However long the machine stands still, the meter's patience is not what ends it.
    const clock = { ...SYSTEM_CLOCK, after: () => () => {} };
    const meter = new LineMeter(INFO, program, reader, clock);
    const lost = new Promise<Error>((resolve) => {
      void meter.start({ sample: () => writeFileSync(go, ''), event() {}, lost: resolve });
    });
    expect((await lost).message).toContain('It needed more memory than the program of a meter may have (32 MiB).');
  });

  itWithGroups('takes what hides with it when it is stopped, and leaves no group', async () => {
    const pid = join(folder, 'pid');
    const before = groupsOfMeters();
    const program = start(`env -i setsid sh -c 'echo $$ > ${pid}; exec sleep 300' & sleep 300`);
    await eventually(() => existsSync(pid) && /\d+\n/.test(readFileSync(pid, 'utf8')));
    const daemon = Number(readFileSync(pid, 'utf8'));
    expect(isRunning(daemon)).toBe(true);
    await program.stop();
    await eventually(() => !isRunning(daemon));
    // What a stopped program left a moment longer goes when the next group is made.
    await eventually(() => {
      new RunGroup('next').remove();
      return groupsOfMeters().every((name) => before.includes(name));
    });
  });
});
