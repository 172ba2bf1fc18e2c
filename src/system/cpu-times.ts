import { readFileSync } from 'node:fs';

/** USER_HZ: on every architecture that runs Node.js, Linux reports these times in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Content of /proc/stat. Throws the system's error. */
export const readStat = (): string => readFileSync('/proc/stat', 'utf8');

/** Time of all processors together since boot, seconds. */
export interface ProcessorTimes {
  readonly busyS: number;
  /** Busy or not. */
  readonly allS: number;
}

/**
 * Times from the first line of /proc/stat: `cpu user nice system idle iowait irq softirq steal guest guest_nice` (man 5 proc_stat).
 * Busy are user, nice, system, irq and softirq. Not busy: idle; iowait, which is idle with a request outstanding; and steal, when the
 * hypervisor ran others. guest and guest_nice are contained in user and nice. Null for anything else.
 */
export function processorTimes(stat: string): ProcessorTimes | null {
  const [name, ...fields] = stat.split('\n', 1).join().trim().split(/\s+/);
  const [user, nice, system, idle, iowait, irq, softirq, steal = 0] = fields.map(Number);
  const sum = (...ticks: (number | undefined)[]): number => ticks.reduce<number>((a, b) => a + (b ?? Number.NaN), 0);
  const busyS = sum(user, nice, system, irq, softirq) / TICKS_PER_SECOND;
  const allS = busyS + sum(idle, iowait, steal) / TICKS_PER_SECOND;
  return name === 'cpu' && Number.isFinite(allS) ? { busyS, allS } : null;
}

/** Busy time of all processors together, seconds since boot. Throws if the text is not that of /proc/stat. */
export function busySeconds(stat: string): number {
  const times = processorTimes(stat);
  if (times === null) throw new Error('/proc/stat does not have the expected form');
  return times.busyS;
}
