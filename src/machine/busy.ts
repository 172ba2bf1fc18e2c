import { basename } from 'node:path';
import { nowNs, nsToSeconds } from '../system/clock.ts';
import { processorTimes } from '../system/cpu-times.ts';
import type { MachineFiles } from './files.ts';

/** Shortest stretch whose load is computed, seconds: a shorter one holds too few of the kernel's ticks (10 ms). Half of the shortest rest is longer. */
const MIN_LOAD_S = 0.1;
/** Index of utime, field 14 of /proc/PID/stat, in the fields after the name; stime follows it. */
const USER_TICKS = 11;
const TICKS_PER_S = 100;
/** Name that Node.js gives the first thread of every program; the kernel shows it as the program's name. */
const NODE_THREAD = 'MainThread';
const MIN_SHARE = 0.05;

/** Measures how many processors were busy since the last `begin`. */
export class LoadMeter {
  readonly #files: MachineFiles;
  #from: { busyS: number; atNs: bigint } | null = null;

  constructor(files: MachineFiles) {
    this.#files = files;
  }

  /** From here on the processors' work counts. */
  begin(): void {
    const busyS = this.#busyS();
    this.#from = busyS === null ? null : { busyS, atNs: nowNs() };
  }

  /** Mean number of busy processors since `begin`; null: it can't be read, or the time was too short. */
  processors(): number | null {
    const from = this.#from;
    const busyS = this.#busyS();
    if (from === null || busyS === null) return null;
    const lengthS = nsToSeconds(nowNs() - from.atNs);
    return lengthS < MIN_LOAD_S ? null : Math.max(0, busyS - from.busyS) / lengthS;
  }

  #busyS(): number | null {
    return processorTimes(this.#files.text('proc/stat') ?? '')?.busyS ?? null;
  }
}

/** Processor seconds that each of the processes has used, with its name; without those of joulediff itself. */
export function processTimes(
  files: MachineFiles,
  own: number | string = process.pid,
  processes: readonly string[] = files.entries('proc', /^\d+$/),
): Map<string, { name: string; seconds: number }> {
  const times = processes.flatMap((process) => {
    if (process === `proc/${own}`) return [];
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(files.text(`${process}/stat`) ?? '') ?? [];
    const [user, system] = (rest ?? '')
      .split(' ')
      .slice(USER_TICKS, USER_TICKS + 2)
      .map(Number);
    const seconds = ((user ?? Number.NaN) + (system ?? Number.NaN)) / TICKS_PER_S;
    if (name === undefined || !Number.isFinite(seconds)) return [];
    const [program = ''] = name === NODE_THREAD ? (files.text(`${process}/cmdline`) ?? '').split('\0') : [];
    return [[process, { name: basename(program) || name, seconds }] as const];
  });
  return new Map(times);
}

/** Names of the processes that worked between the two readings for a twentieth of the time or more, the busiest first. */
export function busiest(
  before: ReturnType<typeof processTimes>,
  after: ReturnType<typeof processTimes>,
  elapsedS: number,
): string[] {
  const worked = [...after].map(([process, { name, seconds }]) => ({
    name,
    share: (seconds - (before.get(process)?.seconds ?? 0)) / elapsedS,
  }));
  const names = worked.filter(({ share }) => share >= MIN_SHARE).sort((a, b) => b.share - a.share);
  return [...new Set(names.map(({ name }) => name))];
}
