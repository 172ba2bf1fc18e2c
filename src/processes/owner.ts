import { readFileSync, readlinkSync } from 'node:fs';
import { MachineFiles } from '../machine/files.ts';

/** Who made a container or a process, in a form that outlives pids: `<boot id>:<pid namespace>:<pid>:<start time>`. */
export interface Owner {
  readonly bootId: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Clock ticks after boot, field 22 of /proc/PID/stat: with the pid it names one process for as long as the machine is up. */
  readonly startTicks: string;
}

/** State of an owner; unknown in another pid namespace, and on another machine or boot than this one. */
export type OwnerState = 'alive' | 'dead' | 'other-namespace' | 'other-boot';

/** The marks on something that an earlier process made. */
export interface OwnerMark {
  /** Token of the process that made it. */
  readonly owner: string | null;
  readonly experiment: string | null;
  /** Whether another machine may have made it, one that shares the engine: nobody here can tell then whether its owner lives. */
  readonly mayBeElsewhere: boolean;
}

/** Whether a thing with this mark is left over: the process that made it is gone. */
export type IsAbandoned = (mark: OwnerMark) => boolean;

let ownToken: string | undefined;

/** Token of this process. */
export function ownerToken(): string {
  ownToken ??= [bootId(), pidNamespace(), process.pid, startTicks(process.pid)].join(':');
  return ownToken;
}

/** An environment with the mark by which a later start ends a process, if this one is killed. Not for what starts things that are meant to stay. */
export const withOwner = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, JOULEDIFF_OWNER: ownerToken() });

/** Null for a text that is no token. */
export function parseOwner(token: string): Owner | null {
  const match = /^([0-9a-f-]+):(\d+):(\d+):(\d+)$/.exec(token);
  if (match === null) return null;
  const [, boot = '', namespace = '', pid = '', ticks = ''] = match;
  return { bootId: boot, pidNamespace: namespace, pid: Number(pid), startTicks: ticks };
}

/** Whether the process that a token names is still there. */
export function ownerState(owner: Owner): OwnerState {
  if (owner.bootId !== bootId()) return 'other-boot';
  if (owner.pidNamespace !== pidNamespace()) return 'other-namespace';
  return startTicks(owner.pid) === owner.startTicks ? 'alive' : 'dead';
}

/** The machine-id of this machine's system (machine-id(5)), which outlives reboots; null: it has none. */
export const machineId = (): string | null => new MachineFiles().text('etc/machine-id');

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function pidNamespace(): string {
  return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
}

/** Null when there is no such process, or only its zombie. */
function startTicks(pid: number): string | null {
  const stat = readStat(pid);
  return stat === null || stat.state === 'Z' ? null : stat.startTicks;
}

export interface ProcessStat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTicks: string;
}

/** /proc/PID/stat, or null when the process is gone. The name in it may hold spaces and parentheses: fields count from its last one. */
export function readStat(pid: number): ProcessStat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return {
      state: fields[0] ?? 'X',
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      startTicks: fields[19] ?? '',
    };
  } catch {
    return null;
  }
}

/** Unit of the times in /proc: USER_HZ, 100 on every Linux that people run. */
export const TICKS_PER_S = 100;

/** Clock ticks since boot, the unit of `startTicks`. */
export function upTicks(): number {
  return Math.floor(TICKS_PER_S * Number(/^[\d.]+/.exec(readFileSync('/proc/uptime', 'latin1'))?.[0]));
}
