import { InputError } from '../errors.ts';
import type { MadeSetting, SettingName } from '../findings/conditions.ts';
import { policies, processorsIn, turbo } from '../machine/processors.ts';
import { listed } from '../text/plain.ts';
import { ACTIVE, INACTIVE, type Targets } from './targets.ts';

/** One change of a kernel file or systemd unit for an experiment. */
export interface Change {
  readonly setting: SettingName;
  readonly target: string;
  readonly before: string;
  readonly value: string;
}

/** Processors that the experiment pins the workload to, and all that it pins anything to; empty: any processor. */
export interface Pinned {
  readonly workload: readonly number[];
  readonly all: readonly number[];
}

type Values = Pick<MadeSetting, 'value' | 'before'>;
type Differing = Omit<Change, 'setting'>;

interface Setting {
  /** Whether the setting affects only the speed of other programs, so that `quiet: true` includes it. */
  readonly isSafe?: true;
  /** The changes needed; null: this machine has no such setting. `names`: all settings that are made. Throws InputError for a conflict with `pinned`. */
  plan(targets: Targets, pinned: Pinned, names: readonly SettingName[]): readonly Differing[] | null;
  /** Targets that a kernel may refuse while the setting still has its effect. */
  readonly mayRefuse?: RegExp;
  /** Summarizes the changes for the record; absent: the distinct values of all targets. */
  record?(changes: readonly Change[]): Values;
}

const CPU = 'sys/devices/system/cpu';
const SMT = `${CPU}/smt/control`;
const IRQ = 'proc/irq';
/** The kernel keeps interrupts that belong to one processor, and those that it spreads by itself. */
const OF_AN_INTERRUPT = /^proc\/irq\/\d/;

/** Timers of Debian and Ubuntu whose jobs disturb measurements. */
export const HOUSEKEEPING =
  /^(apt-daily|apt-daily-upgrade|man-db|fstrim|plocate-updatedb|mlocate|updatedb|dpkg-db-backup|e2scrub_all|mdcheck_start|raid-check|logrotate|fwupd-refresh|snapd\..*|unattended-upgrades?|ua-timer|motd-news|update-notifier.*|xfs_scrub_all|btrfs-.*)\.timer$/;

const table: Readonly<Record<SettingName, Setting>> = {
  timers: {
    plan: (targets) =>
      targets.hasUnits
        ? targets
            .activeTimers()
            .filter((unit) => HOUSEKEEPING.test(unit))
            .map((target) => ({ target, before: ACTIVE, value: INACTIVE }))
        : null,
    record: (changes) => ({ value: 'stopped', before: `active: ${changes.map(({ target }) => target).join(', ')}` }),
  },
  governor: {
    isSafe: true,
    plan(targets) {
      const able = policies(targets.files).filter((policy) =>
        targets.read(`${policy}/scaling_available_governors`)?.split(/\s+/).includes('performance'),
      );
      if (able.length === 0) return null;
      return able.flatMap((policy) => {
        const governor = differing(targets, `${policy}/scaling_governor`, 'performance');
        // Drivers change this preference with the governor, and some don't restore it. It is set before the governor, and so restored after it.
        const preference = differing(targets, `${policy}/energy_performance_preference`, 'performance');
        return governor.length === 0 ? [] : [...preference, ...governor];
      });
    },
    mayRefuse: /energy_performance_preference$/,
    record: (changes) => distinct(changes.filter(({ target }) => target.endsWith('scaling_governor'))),
  },
  turbo: {
    isSafe: true,
    plan({ files }) {
      const found = turbo(files);
      if (found === null) return null;
      const { on, file, offValue } = found;
      return on ? [{ target: file, before: files.text(file) ?? '', value: offValue }] : [];
    },
    record: () => ({ value: 'off', before: 'on' }),
  },
  // Not safe: without ASLR, programs that start meanwhile are easier to attack. One fixed layout may also favor one of two variants.
  aslr: {
    plan: (targets) => always(targets, 'proc/sys/kernel/randomize_va_space', '0'),
  },
  irq: {
    plan(targets, { workload }, names) {
      const lists = interruptLists(targets);
      const online = processorsIn(targets.read(`${CPU}/online`) ?? '');
      if (lists.length === 0 || online.length === 0) return null;
      // Second threads are left out where others are free. Where `smt` switches them off they always are: the kernel would move their interrupts.
      const goOff = names.includes('smt') && targets.read(SMT) === 'on';
      const siblings = secondThreads(targets);
      const others = online.filter((cpu) => !workload.includes(cpu));
      const first = others.filter((cpu) => !siblings.includes(cpu));
      const free = goOff || first.length > 0 ? first : others;
      if (free.length === 0) {
        const all = goOff ? 'all that smt leaves on' : 'all of them';
        throw new InputError(`quiet: irq finds no processor for the interrupts: cpus.workload names ${all}.`, {
          advice: `Leave ${goOff ? 'the first thread of a core' : 'one or more'} out of cpus.workload, or irq out of quiet.`,
        });
      }
      const moved = lists.filter((list) => processorsIn(targets.read(list) ?? '').some((cpu) => !free.includes(cpu)));
      const mask = targets.read(`${IRQ}/default_smp_affinity`);
      const balancer = targets.hasUnits && targets.read(BALANCER) === ACTIVE;
      return [
        ...(balancer ? [{ target: BALANCER, before: ACTIVE, value: INACTIVE }] : []),
        ...(mask === null ? [] : differing(targets, `${IRQ}/default_smp_affinity`, formatMask(free, mask))),
        ...moved.flatMap((list) => differing(targets, list, listOf(free))),
      ];
    },
    mayRefuse: OF_AN_INTERRUPT,
    record: (changes) => distinct(changes.filter(({ target }) => target.endsWith('_list'))),
  },
  smt: {
    plan(targets, { all }, names) {
      const control = targets.read(SMT);
      if (control === null || /^not/.test(control)) return null;
      if (control !== 'on') return [];
      const siblings = secondThreads(targets);
      const lost = all.filter((cpu) => siblings.includes(cpu));
      if (lost.length > 0) {
        throw new InputError(`quiet: smt would switch off processors that cpus names: ${listed(lost.map(String))}.`, {
          advice: 'Give the first thread of each core under cpus, or leave smt out of quiet.',
        });
      }
      // When a processor goes off, the kernel moves its interrupts to others and never moves them back. The setting `irq` moves all interrupts anyway.
      const stay = processorsIn(targets.read(`${CPU}/online`) ?? '').filter((cpu) => !siblings.includes(cpu));
      const stranded = interruptLists(targets).filter((list) =>
        processorsIn(targets.read(list) ?? '').every((cpu) => siblings.includes(cpu)),
      );
      const moved = names.includes('irq') ? [] : stranded.flatMap((list) => differing(targets, list, listOf(stay)));
      return [...moved, { target: SMT, before: control, value: 'off' }];
    },
    mayRefuse: OF_AN_INTERRUPT,
    record: () => ({ value: 'off', before: 'on' }),
  },
};

/** irqbalance would move interrupts back. */
const BALANCER = 'irqbalance.service';

export const settings: Readonly<Record<SettingName, Setting>> = table;

/** The settings that `quiet: true` makes. */
export const SAFE = Object.entries(table).flatMap(([name, { isSafe }]) => (isSafe ? [name as SettingName] : []));

/** The change needed for one target; empty if it already has the value or can't be read. */
function differing(targets: Targets, target: string, value: string): Differing[] {
  const before = targets.read(target);
  return before === null || before === value ? [] : [{ target, before, value }];
}

/** Like `differing`, but null if the target can't be read. */
const always = (targets: Targets, target: string, value: string): Differing[] | null =>
  targets.read(target) === null ? null : differing(targets, target, value);

const interruptLists = ({ files }: Targets): string[] =>
  files.entries(IRQ, /^\d+$/).map((irq) => `${irq}/smp_affinity_list`);

/** Hyperthread siblings: processors that share a core with one of a lower number. */
const secondThreads = ({ files }: Targets): number[] =>
  files
    .entries(CPU, /^cpu\d+$/)
    .flatMap((cpu) => processorsIn(files.text(`${cpu}/topology/thread_siblings_list`) ?? '').slice(1));

const MAX_VALUES = 3;

/** The distinct values of all changes, for the record. */
export function distinct(changes: readonly Change[]): Values {
  const text = (values: readonly string[]): string => {
    const each = [...new Set(values)];
    return [...each.slice(0, MAX_VALUES), ...(each.length > MAX_VALUES ? ['…'] : [])].join('; ');
  };
  return { value: text(changes.map(({ value }) => value)), before: text(changes.map(({ before }) => before)) };
}

/** A processor list like `0,2-5`, exactly as the kernel writes it, since the value read back is compared with it. */
function listOf(cpus: readonly number[]): string {
  const starts = cpus.filter((cpu) => !cpus.includes(cpu - 1));
  return starts
    .map((start) => {
      let end = start;
      while (cpus.includes(end + 1)) end++;
      return end === start ? `${start}` : `${start}-${end}`;
    })
    .join(',');
}

/**
 * The kernel's mask of these processors: a hexadecimal number with a bit for each. It has as many digits as the mask `like`, and a comma after
 * every eight of them, counted from the right.
 */
function formatMask(cpus: readonly number[], like: string): string {
  const bits = cpus.reduce((sum, cpu) => sum | (1n << BigInt(cpu)), 0n).toString(16);
  return bits.padStart(like.replaceAll(',', '').length, '0').replace(/\B(?=(?:.{8})+$)/g, ',');
}
