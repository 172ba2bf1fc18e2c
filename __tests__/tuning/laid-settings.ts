import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { judge } from '../../src/executors/leftovers/reaper.ts';
import { privateFolder } from '../../src/system/state.ts';
import { Targets } from '../../src/tuning/targets.ts';
import { restoreLeft } from '../../src/tuning/tuning.ts';
import { LaidMachine } from '../machine/laid-files.ts';

const CPU = 'sys/devices/system/cpu';

/** Four processors on two cores, with everything that can be set, as the kernel shows it. */
export const FILES: Readonly<Record<string, string>> = {
  'etc/machine-id': 'one\n',
  'proc/sys/kernel/random/boot_id': 'first\n',
  'proc/sys/kernel/randomize_va_space': '2\n',
  'proc/irq/default_smp_affinity': 'f\n',
  'proc/irq/8/smp_affinity_list': '0-3\n',
  'proc/irq/9/smp_affinity_list': '1\n',
  'proc/irq/10/smp_affinity_list': '2\n',
  [`${CPU}/online`]: '0-3\n',
  [`${CPU}/smt/control`]: 'on\n',
  [`${CPU}/intel_pstate/no_turbo`]: '0\n',
  ...Object.fromEntries(
    [0, 1, 2, 3].map((cpu) => [`${CPU}/cpu${cpu}/topology/thread_siblings_list`, `${cpu % 2},${(cpu % 2) + 2}\n`]),
  ),
  ...Object.fromEntries(
    ['policy0', 'policy1'].flatMap((policy) => [
      [`${CPU}/cpufreq/${policy}/scaling_available_governors`, 'performance powersave\n'],
      [`${CPU}/cpufreq/${policy}/scaling_governor`, 'powersave\n'],
      [`${CPU}/cpufreq/${policy}/energy_performance_preference`, 'balance_performance\n'],
    ]),
  ),
};

/**
 * A machine of files, with a state folder of its own and a `systemctl` that keeps the active units as files in the folder `units`, and stops none
 * where a file `denied` is there. Undoes its changes of the environment when it is disposed of.
 */
export class LaidSettings extends LaidMachine {
  readonly targets = new Targets(this.files);
  readonly #folder = mkdtempSync(join(tmpdir(), 'joulediff-tuning-test-'));
  readonly #before = { PATH: process.env.PATH, XDG_STATE_HOME: process.env.XDG_STATE_HOME };

  constructor(more: Readonly<Record<string, string>> = {}) {
    super({ ...FILES, ...more });
    const program = join(this.#folder, 'systemctl');
    writeFileSync(program, SYSTEMCTL.replace('UNITS', join(this.root, 'units')));
    chmodSync(program, 0o755);
    process.env.PATH = [this.#folder, process.env.PATH].join(delimiter);
    process.env.XDG_STATE_HOME = join(this.#folder, 'state');
    mkdirSync(process.env.XDG_STATE_HOME, { mode: 0o700 });
  }

  /** The values of all laid files. */
  values(): Readonly<Record<string, string | null>> {
    return Object.fromEntries(Object.keys(FILES).map((path) => [path, this.files.text(path)]));
  }

  override [Symbol.dispose](): void {
    Object.assign(process.env, this.#before);
    if (this.#before.XDG_STATE_HOME === undefined) delete process.env.XDG_STATE_HOME;
    rmSync(this.#folder, { recursive: true });
    super[Symbol.dispose]();
  }
}

/** With systemd: two timers of housekeeping, one of somebody's own, and what balances interrupts. */
export const UNITS: Readonly<Record<string, string>> = {
  'run/systemd/system/.keep': '',
  'units/apt-daily.timer': '',
  'units/fstrim.timer': '',
  'units/backup.timer': '',
  'units/irqbalance.service': '',
};

const SYSTEMCTL = `#!/bin/sh
cd UNITS || exit 1
test "$1" = --no-ask-password && shift
case $1 in
list-units) for unit in *.timer; do echo "$unit loaded active waiting"; done ;;
is-active) test -e "$3" ;;
start) : > "$2" ;;
stop) if test -e denied; then echo 'Access denied.' >&2; exit 4; fi; rm "$2" ;;
esac
`;

/** What the next start of joulediff does about settings. */
export const nextStart = () => restoreLeft(judge());
export const journals = () => readdirSync(privateFolder()).filter((name) => name.startsWith('joulediff-tuning-'));
export const unitsOf = ({ root }: LaidSettings) => readdirSync(join(root, 'units')).sort();

/** Sets the machine up in a process that is killed before this write. */
export function killedAt(machine: LaidSettings, write: number): string | null {
  const words = [join(import.meta.dirname, 'killed-at.ts'), machine.root, String(write)];
  return spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] }).signal;
}
