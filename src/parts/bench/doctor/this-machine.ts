import { execFile } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MeterInfo } from '../../../contracts/reading.ts';
import { getErrorCode, JoulediffError, messageOf } from '../../../errors.ts';
import { connectDocker } from '../../../executors/container/docker.ts';
import { otherContainers } from '../../../executors/container/running.ts';
import { proveKvm } from '../../../executors/vm/kvm.ts';
import { busiest, LoadMeter, processTimes } from '../../../machine/busy.ts';
import { MachineFiles } from '../../../machine/files.ts';
import { KernelLog } from '../../../machine/kernel-log.ts';
import { machineHolder } from '../../../measure/lock.ts';
import { readPassport } from '../../../meters/passport.ts';
import { openMeters } from '../../../meters/registry.ts';
import { Helper } from '../../../processes/helper.ts';
import { SMALL_LIMITS } from '../../../processes/helper-limits.ts';
import { PARTS } from '../../../report/sections/methods.ts';
import { withDeadline } from '../../../system/deadline.ts';
import { userName } from '../../../system/user.ts';
import { shellWord } from '../../../text/shell.ts';
import type { Engine, OpenedMeter, Patient, Person, Trouble } from './examination.ts';

/** Sampling time needed to detect 5 % load on one processor, seconds. */
const LOAD_S = 1;
const ENGINE_MS = 3000;
const PROGRAM_MS = 5000;

/** This machine, with the meter of that name; `root`: other root of its files, for tests. */
export function thisMachine(meterName: string, root = '/'): Patient {
  const files = new MachineFiles(root);
  return {
    host: null,
    files,
    person: readPerson(files),
    load: () => readLoad(files),
    engine: once(askEngine),
    engineAddress: process.env.DOCKER_HOST || null,
    meter: once(() => askMeter(meterName)),
    output,
    freeBytes,
    kernelMessages() {
      using log = new KernelLog(files);
      return log.newMessages();
    },
    kvm: once(proveKvm),
    busyWith: machineHolder,
  };
}

export const once = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
};

function readPerson(files: MachineFiles): Person {
  const uid = process.geteuid?.() ?? 0;
  const entries = (files.text('etc/group') ?? '').split('\n').map((line) => line.split(':'));
  const groups = (process.getgroups?.() ?? []).map((gid) => entries.find((entry) => entry[2] === String(gid))?.[0]);
  return { name: userName(), uid, groups: [...new Set(groups.filter((name) => name !== undefined))] };
}

async function readLoad(files: MachineFiles): ReturnType<Patient['load']> {
  const meter = new LoadMeter(files);
  const before = processTimes(files);
  meter.begin();
  const own = process.cpuUsage();
  await sleep(1000 * LOAD_S);
  const { user, system } = process.cpuUsage(own);
  const all = meter.processors();
  if (all === null) return null;
  return {
    processors: Math.max(0, all - (user + system) / 1e6 / LOAD_S),
    names: busiest(before, processTimes(files), LOAD_S).slice(0, 3),
  };
}

const problem = (error: unknown): Trouble => ({
  why: messageOf(error),
  advice: error instanceof JoulediffError ? error.advice : null,
  code: getErrorCode(error) || (error instanceof Error && getErrorCode(error.cause)) || null,
});

async function askEngine(): ReturnType<Patient['engine']> {
  try {
    const docker = await connectDocker(ENGINE_MS);
    const ask = async (abortSignal: AbortSignal): Promise<Engine> => {
      // These options are newer than the library's types.
      const info = (await docker.info({ abortSignal } as never)) as unknown as Record<string, string | undefined>;
      return {
        version: info.ServerVersion ?? null,
        storageDriver: info.Driver ?? null,
        cgroupDriver: info.CgroupDriver ?? null,
        cgroupVersion: info.CgroupVersion ?? null,
        running: ((await otherContainers()) ?? []).map(({ name }) => name),
      };
    };
    return await withDeadline(ask, ENGINE_MS);
  } catch (error) {
    return problem(error);
  }
}

/** Opens the meter of that name, identifies it, and closes it. */
export async function askMeter(name: string): Promise<OpenedMeter | Trouble> {
  try {
    const { meters } = await openMeters([name]);
    try {
      return { ...opened(meters[0]!.info), ...(name.includes('?') && { name: shellWord(name) }) };
    } finally {
      await Promise.all(meters.map((meter) => meter.stop()));
    }
  } catch (error) {
    return problem(error);
  }
}

function opened(info: MeterInfo): OpenedMeter {
  const { type, address, source, channels } = info;
  const passport = readPassport(info);
  const part = channels[0]?.part;
  return {
    name: address === null || address.startsWith('/sys/') ? type : `${type}:${address}`,
    source,
    sees: part === undefined ? 'which part of the machine it sees isn’t known' : PARTS[part],
    passport: passport && { at: passport.when, passed: passport.passed },
  };
}

async function output(program: string, args: readonly string[]): Promise<string | null> {
  const helper = new Helper(program, SMALL_LIMITS);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const how = {
    timeout: PROGRAM_MS,
    killSignal: 'SIGKILL',
    encoding: 'utf8',
    env: helper.marked(process.env),
  } as const;
  helper.born(
    () => execFile(program, args, how, (error, stdout) => resolve(error === null ? stdout : null)),
    (child) => child.kill('SIGKILL'),
  );
  return promise.finally(() => helper.end());
}

function freeBytes(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
