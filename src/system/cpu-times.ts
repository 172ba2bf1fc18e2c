import { readFileSync } from 'node:fs';

/** USER_HZ: on every architecture that runs Node.js, Linux reports these times in hundredths of a second. */
const TICKS_PER_SECOND = 100;

/** Content of /proc/stat. Throws the system's error. */
export const readStat = (): string => readFileSync('/proc/stat', 'utf8');

/**
 * Busy time of all processors together, seconds since boot, from the first line of /proc/stat:
 * `cpu user nice system idle iowait irq softirq steal guest guest_nice` (man 5 proc_stat).
 * Busy are user, nice, system, irq and softirq. Not busy: idle; iowait, which is idle with a request outstanding; and steal, when the
 * hypervisor ran others. guest and guest_nice are contained in user and nice. Throws on anything else.
 */
export function busySeconds(stat: string): number {
  const [name, ...fields] = stat.slice(0, stat.indexOf('\n')).trim().split(/\s+/);
  const [user, nice, system, , , irq, softirq] = fields.map(Number);
  const ticks = [user, nice, system, irq, softirq].reduce<number>((sum, field) => sum + (field ?? Number.NaN), 0);
  if (name !== 'cpu' || !Number.isFinite(ticks)) throw new Error('/proc/stat does not have the expected form');
  return ticks / TICKS_PER_SECOND;
}
