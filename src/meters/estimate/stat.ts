export interface CpuTimes {
  /** Time that all processors together worked, seconds since boot. */
  readonly busyS: number;
}

/** Linux shows these times to programs in hundredths of a second on every architecture that it runs Node on (USER_HZ). */
const ticksPerSecond = 100;

/**
 * The first line of /proc/stat: `cpu user nice system idle iowait irq softirq steal guest guest_nice` (man 5 proc_stat).
 * Busy are user, nice, system, irq and softirq. Not busy: idle; iowait, which is idle with a request outstanding; and steal, when the
 * hypervisor ran others. guest and guest_nice are contained in user and nice. Throws on anything else.
 */
export function readCpuTimes(stat: string): CpuTimes {
  const [name, ...fields] = stat.slice(0, stat.indexOf('\n')).trim().split(/\s+/);
  const [user, nice, system, , , irq, softirq] = fields.map(Number);
  const ticks = [user, nice, system, irq, softirq].reduce<number>((sum, field) => sum + (field ?? Number.NaN), 0);
  if (name !== 'cpu' || !Number.isFinite(ticks)) throw new Error('/proc/stat has not the form that is known');
  return { busyS: ticks / ticksPerSecond };
}
