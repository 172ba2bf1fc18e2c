import { copiedWord } from '../../../report/escape.ts';
import { listed, plain, plural } from '../../../text/plain.ts';
import { HOUSEKEEPING } from '../../../tuning/settings.ts';
import { type Examination, quietNote } from './examination.ts';

/** Load limits, processors: above the first, a warning of competing load; above the second, runs are not reproducible. */
const RESTLESS = 0.25;
const BUSY_SHARE = 0.25;

const load: Examination = {
  name: 'load',
  group: 'Quiet',
  why: 'A wall meter and RAPL see the whole machine: what others compute is counted as the workload’s, and slows it down.',
  async examine(patient) {
    const how = 'top -b -d 2 -n 2 | head -20';
    const found = await patient.load();
    if (found === null) return { state: 'unknown', seen: '/proc/stat can’t be read', how };
    const count = patient.files.entries('sys/devices/system/cpu', /^cpu\d+$/).length || 1;
    const who = found.names.length === 0 ? '' : `: ${listed(found.names.map((name) => plain(name, 20)))}`;
    const seen = `others keep ${found.processors.toFixed(2)} of ${plural(count, 'processor')} busy${who}`;
    if (found.processors < RESTLESS) return { state: 'ok', seen, how };
    return {
      state: found.processors >= Math.max(1, BUSY_SHARE * count) ? 'fail' : 'warn',
      seen,
      how,
      remedy: 'top -c',
      note: 'Let what is running finish, or stop it: in top, the key k ends a process.',
    };
  },
};

const experiment: Examination = {
  name: 'other experiment',
  group: 'Quiet',
  why: 'Two experiments on one machine would measure each other, so only one at a time is let in.',
  examine(patient) {
    const how = 'lslocks | grep joulediff';
    const held = patient.busyWith();
    if (held === null) return { state: 'ok', seen: 'none', how };
    if (patient.host !== null)
      return {
        state: 'warn',
        seen: held.replace(/\.$/, ''),
        how,
        remedy: "watch 'lslocks | grep joulediff'",
        note: 'It shows when that one has ended; an experiment over ssh does not wait for it.',
      };
    return {
      state: 'warn',
      seen: held.replace(/\.$/, ''),
      how,
      remedy: `joulediff run --set 'on-busy={wait: 2h}'`,
      note: 'It waits until the other experiment has ended.',
    };
  },
};

const containers: Examination = {
  name: 'other containers',
  group: 'Quiet',
  why: 'Other people’s containers work, or wake up, while you measure.',
  async examine({ engine, files }) {
    const how = 'docker ps';
    const found = await engine();
    if ('why' in found) {
      const shims = files
        .entries('proc', /^\d+$/)
        .filter((process) => /^(containerd-shim|conmon|lxc-start)/.test(files.text(`${process}/comm`) ?? ''));
      if (shims.length === 0)
        return { state: 'unknown', seen: 'the engine can’t be asked; no process looks like a container’s', how };
      return {
        state: 'warn',
        seen: `${plural(shims.length, 'container')} in the list of processes; the engine can’t be asked`,
        how,
        remedy: 'sudo docker stop $(sudo docker ps -q)',
        note: 'It stops all of them; sudo docker ps lists them first.',
      };
    }
    if (found.running.length === 0) return { state: 'ok', seen: 'none runs', how };
    const names = found.running;
    const shown = names.slice(0, 4).map((name) => plain(name, 24));
    const more = names.length > shown.length ? [...shown, `${names.length - shown.length} more`] : shown;
    return {
      state: 'warn',
      seen: `${plural(names.length, 'container')}: ${listed(more)}`,
      how,
      remedy: `docker stop ${names.map(copiedWord).join(' ')}`,
      note: 'It stops all of them, whoever they belong to.',
    };
  },
};

const SOON_S = 3600;

const timers: Examination = {
  name: 'timers',
  group: 'Quiet',
  why: 'Updates of packages, indexes and disks start by themselves, run for minutes, and hit one variant and not the other.',
  async examine(patient) {
    const { files, output } = patient;
    const how = 'systemctl list-timers';
    if (files.entries('run/systemd', /^system$/).length === 0) {
      const crons = ['etc/cron.hourly', 'etc/cron.daily', 'etc/cron.d'].flatMap((folder) =>
        files.entries(folder, /^[^.]/),
      );
      const seen =
        crons.length === 0
          ? 'systemd does not run here, and cron has no jobs'
          : `systemd does not run here; cron has ${plural(crons.length, 'job')}`;
      return { state: crons.length === 0 ? 'ok' : 'unknown', seen, how: 'ls /etc/cron.*' };
    }
    const due = dueTimers(await output('systemctl', ['list-timers', '--output=json', '--no-pager']));
    if (due === null) return { state: 'unknown', seen: 'systemctl does not list them', how };
    const soon = due.filter(({ inS }) => inS <= SOON_S);
    const heavy = soon.filter(({ unit }) => HOUSEKEEPING.test(unit));
    if (heavy.length === 0)
      return {
        state: 'ok',
        seen: soon.length === 0 ? 'none due within an hour' : `nothing heavy due within an hour (${soon.length} light)`,
        how,
      };
    const names = heavy.map(({ unit, inS }) => `${unit} in ${Math.max(0, Math.round(inS / 60))} min`);
    return {
      state: 'warn',
      seen: `due within an hour: ${listed(names.slice(0, 3))}${names.length > 3 ? ' …' : ''}`,
      how,
      remedy: `sudo systemctl stop ${heavy.map(({ unit }) => copiedWord(unit)).join(' ')}`,
      note: quietNote(patient, 'timers'),
    };
  },
};

/** Timers from systemd's JSON, whose times are microseconds since 1970. */
function dueTimers(json: string | null): { unit: string; inS: number }[] | null {
  try {
    const list: unknown = JSON.parse(json ?? '');
    if (!Array.isArray(list)) return null;
    return list.flatMap((timer: { unit?: unknown; next?: unknown } | null) => {
      const { unit, next } = timer ?? {};
      return typeof unit === 'string' && typeof next === 'number' && next > 0
        ? [{ unit, inS: next / 1e6 - Date.now() / 1000 }]
        : [];
    });
  } catch {
    return null;
  }
}

const swap: Examination = {
  name: 'swap',
  group: 'Quiet',
  why: 'Memory that was moved to the disk comes back in the middle of a run.',
  examine({ files }) {
    const how = 'cat /proc/swaps';
    const lines = files.text('proc/swaps')?.split('\n').slice(1);
    if (lines === undefined) return { state: 'unknown', seen: '/proc/swaps can’t be read', how };
    const usedKiB = lines.reduce((sum, line) => sum + (Number(line.trim().split(/\s+/)[3]) || 0), 0);
    if (lines.length === 0) return { state: 'ok', seen: 'none', how };
    if (usedKiB < 1024) return { state: 'ok', seen: 'there, and not in use', how };
    const found = { state: 'warn', seen: `${(usedKiB / 1024).toFixed(0)} MiB of memory are in it`, how } as const;
    const freeKiB = Number(/^MemAvailable:\s+(\d+)/m.exec(files.text('proc/meminfo') ?? '')?.[1] ?? 0);
    const isListed = (files.text('etc/fstab') ?? '')
      .split('\n')
      .filter((line) => /^[^#\s]\S*\s+\S+\s+swap\s/.test(line));
    // `swapon -a` brings back only what the table of file systems has, and memory that is too small can't take everything.
    if (freeKiB < 2 * usedKiB)
      return { ...found, note: 'There is too little memory to take it back: end something first.' };
    if (isListed.length < lines.length) {
      return { ...found, note: 'Not all of it is in /etc/fstab: after swapoff, start again the service that made it.' };
    }
    return { ...found, remedy: 'sudo swapoff -a && sudo swapon -a' };
  },
};

export const QUIET: readonly Examination[] = [load, experiment, containers, timers, swap];
