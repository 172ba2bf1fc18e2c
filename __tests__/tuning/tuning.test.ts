// Class: system.
import { chmodSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { InputError } from '../../src/errors.ts';
import { SETTINGS, type SettingName } from '../../src/findings/conditions.ts';
import { planTuning, restoreLeft, type TuningRequest, tune } from '../../src/tuning/tuning.ts';
import { asNobody } from '../meters/as-nobody.ts';
import { itAsRoot } from '../setup/as-root.ts';
import { journals, killedAt, LaidSettings, nextStart, UNITS, unitsOf } from './laid-settings.ts';
import { REQUEST } from './request.ts';

const CPU = 'sys/devices/system/cpu';
const GOVERNOR = `${CPU}/cpufreq/policy0/scaling_governor`;
const ASLR = 'proc/sys/kernel/randomize_va_space';

function listening() {
  const reported: string[] = [];
  return {
    reported,
    listener: {
      note: (line: string) => void reported.push(`note: ${line}`),
      warn: (line: string) => void reported.push(`warning: ${line}`),
    },
  };
}

it('sets everything, records what was there, and puts it back', () => {
  using machine = new LaidSettings(UNITS);
  const before = [machine.values(), unitsOf(machine)];
  const { reported, listener } = listening();
  {
    using tuning = tune({ ...REQUEST, targets: machine.targets }, 'id', listener);
    expect(tuning.made).toEqual([
      { setting: 'timers', value: 'stopped', before: 'active: apt-daily.timer, fstrim.timer' },
      { setting: 'governor', value: 'performance', before: 'powersave' },
      { setting: 'turbo', value: 'off', before: 'on' },
      { setting: 'aslr', value: '0', before: '2' },
      { setting: 'irq', value: '0', before: '0-3; 1; 2' },
      { setting: 'smt', value: 'off', before: 'on' },
    ]);
    expect(machine.values()).toMatchObject({
      [GOVERNOR]: 'performance',
      [`${CPU}/cpufreq/policy1/energy_performance_preference`]: 'performance',
      [`${CPU}/intel_pstate/no_turbo`]: '1',
      [`${CPU}/smt/control`]: 'off',
      [ASLR]: '0',
      'proc/irq/default_smp_affinity': '1',
      'proc/irq/9/smp_affinity_list': '0',
    });
    expect(unitsOf(machine)).toEqual(['backup.timer']);
    expect(journals()).toHaveLength(1);
  }
  expect([machine.values(), unitsOf(machine)]).toEqual(before);
  expect(journals()).toEqual([]);
  expect(reported).toEqual([]);
});

it('only forgets after a power cut, and leaves alone what was set on another machine', () => {
  using machine = new LaidSettings();
  killedAt(machine, 4);
  machine.lay({ 'etc/machine-id': 'two\n' });
  const set = machine.values();
  expect(nextStart()).toEqual([]);
  expect(journals()).toHaveLength(1);
  machine.lay({ 'etc/machine-id': 'one\n', 'proc/sys/kernel/random/boot_id': 'second\n' });
  expect(nextStart()).toEqual([]);
  expect(journals()).toEqual([]);
  expect(machine.values()).toMatchObject({ [GOVERNOR]: set[GOVERNOR] as string });
});

it('never touches what somebody changed meanwhile', () => {
  using machine = new LaidSettings();
  const { reported, listener } = listening();
  {
    using _tuning = tune({ ...REQUEST, names: ['governor', 'aslr'], targets: machine.targets }, 'id', listener);
    machine.lay({ [GOVERNOR]: 'schedutil\n', [ASLR]: '1\n' });
  }
  expect(machine.values()).toMatchObject({
    [GOVERNOR]: 'schedutil',
    [`${CPU}/cpufreq/policy1/scaling_governor`]: 'powersave',
    [ASLR]: '1',
  });
  expect(reported).toEqual([
    `note: quiet: aslr stays as it is: somebody changed ${join(machine.root, ASLR)} during the experiment.`,
    `note: quiet: governor stays as it is: somebody changed ${join(machine.root, GOVERNOR)} during the experiment.`,
  ]);
  expect(journals()).toEqual([]);
});

it('keeps what could not be put back for the next start, and nothing else', () => {
  using machine = new LaidSettings();
  const { reported, listener } = listening();
  const path = join(machine.root, ASLR);
  {
    using _tuning = tune({ ...REQUEST, names: ['governor', 'aslr'], targets: machine.targets }, 'id', listener);
    rmSync(path);
  }
  expect(reported).toEqual([
    `warning: quiet: aslr could not be put back: ${path} should be 2 (no such file or directory). joulediff tries again at its next start, and with joulediff clean.`,
  ]);
  expect(journals()).toHaveLength(1);
  machine.lay({ [ASLR]: '0\n', [GOVERNOR]: 'performance\n' });
  // This process still has it.
  expect(nextStart()).toEqual([]);
  expect(restoreLeft(() => true)).toEqual(['Put back aslr, which an earlier experiment had set.']);
  expect(machine.values()).toMatchObject({ [ASLR]: '2', [GOVERNOR]: 'performance' });
  expect(journals()).toEqual([]);
});

it('sets nothing where the kernel refuses one value, and says which', () => {
  using machine = new LaidSettings();
  const before = machine.values();
  const path = join(machine.root, `${CPU}/cpufreq/policy1/scaling_governor`);
  rmSync(path);
  // A file of the kernel that takes numbers alone.
  symlinkSync('/proc/self/oom_score_adj', path);
  const { reported, listener } = listening();
  const attempt = () => tune({ ...REQUEST, names: ['governor', 'aslr'], targets: machine.targets }, 'id', listener);
  expect(attempt).toThrow(InputError);
  expect(attempt).toThrow(`quiet: governor can't be set: ${path} could not be set to performance (invalid argument).`);
  expect({ ...machine.values(), [path]: null }).toMatchObject({ [ASLR]: before[ASLR], [GOVERNOR]: 'powersave' });
  expect([reported, journals()]).toEqual([[], []]);
});

it('goes on where an interrupt can’t be moved', () => {
  // A file of the kernel that takes numbers alone.
  using machine = new LaidSettings({
    'proc/irq/11/smp_affinity_list': 'link:/proc/self/oom_score_adj',
    [`${CPU}/online`]: '0-7\n',
  });
  const { reported, listener } = listening();
  const request = { names: ['irq' as const], pinned: { workload: [0], all: [0] }, targets: machine.targets };
  {
    using tuning = tune(request, 'id', listener);
    expect(tuning.made).toEqual([{ setting: 'irq', value: '1,4-7', before: '0-3; 2' }]);
  }
  expect(reported).toEqual(['note: quiet: the kernel keeps 1 of 4 values as they are.']);
  expect(machine.values()).toMatchObject({ 'proc/irq/8/smp_affinity_list': '0-3' });
});

it('says what this machine does not have, and sets the rest', () => {
  using machine = new LaidSettings();
  rmSync(join(machine.root, CPU, 'cpufreq'), { recursive: true });
  machine.lay({ [`${CPU}/smt/control`]: 'notsupported\n' });
  const { reported, listener } = listening();
  using tuning = tune({ ...REQUEST, targets: machine.targets }, 'id', listener);
  expect(reported).toEqual(["note: quiet: this machine can't set timers, governor and smt."]);
  expect(tuning.made.map(({ setting }) => setting)).toEqual(['turbo', 'aslr', 'irq']);
});

it.each<[SettingName, string, string]>([
  ['irq', '0-3', 'quiet: irq finds no processor for the interrupts: cpus.workload names all of them.'],
  ['smt', '0-3', 'quiet: smt would switch off processors that cpus names: 2 and 3.'],
])('refuses %s for a workload on %s', (name, _, message) => {
  using machine = new LaidSettings();
  const all = [0, 1, 2, 3];
  const request = { names: [name], pinned: { workload: all, all }, targets: machine.targets };
  expect(() => planTuning(request)).toThrow(message);
});

it('moves interrupts to second threads only where those stay on', () => {
  using machine = new LaidSettings();
  const plan = (...names: SettingName[]) =>
    planTuning({ names, pinned: { workload: [0, 1], all: [0, 1] }, targets: machine.targets }).changes.map(
      ({ target, value }) => [target, value],
    );
  const moved = [
    ['proc/irq/default_smp_affinity', 'c'],
    ['proc/irq/8/smp_affinity_list', '2-3'],
    ['proc/irq/9/smp_affinity_list', '2-3'],
  ];
  expect(plan('irq')).toEqual(moved);
  expect(() => plan('irq', 'smt')).toThrow(
    'quiet: irq finds no processor for the interrupts: cpus.workload names all that smt leaves on.',
  );
  machine.lay({ [`${CPU}/smt/control`]: 'notsupported\n' });
  expect(plan('irq', 'smt')).toEqual(moved);
});

it('moves interrupts before their only processors go off, and puts them back after those are on again', () => {
  using machine = new LaidSettings();
  const own = 'proc/irq/10/smp_affinity_list';
  const control = `${CPU}/smt/control`;
  const request: TuningRequest = { names: ['smt'], pinned: { workload: [], all: [] }, targets: machine.targets };
  expect(planTuning(request).changes.map(({ target, value }) => [target, value])).toEqual([
    [own, '0-1'],
    [control, 'off'],
  ]);
  const before = machine.values();
  const { reported, listener } = listening();
  const tuning = tune(request, 'id', listener);
  expect(tuning.made).toEqual([{ setting: 'smt', value: 'off', before: 'on' }]);
  expect(machine.values()).toMatchObject({ [own]: '0-1', [control]: 'off' });
  tuning[Symbol.dispose]();
  expect(machine.values()).toEqual(before);
  expect(reported).toEqual([]);
});

it('moves interrupts on a large machine, with the mask that its kernel writes', () => {
  using machine = new LaidSettings({
    [`${CPU}/online`]: '0-39\n',
    'proc/irq/default_smp_affinity': 'ff,ffffffff\n',
  });
  rmSync(join(machine.root, CPU, 'cpu2'), { recursive: true });
  rmSync(join(machine.root, CPU, 'cpu3'), { recursive: true });
  const workload = [0, 1, 2, 3, 34];
  const { changes } = planTuning({ names: ['irq'], pinned: { workload, all: workload }, targets: machine.targets });
  expect(changes.map(({ target, value }) => [target, value]).slice(0, 2)).toEqual([
    ['proc/irq/default_smp_affinity', 'fb,fffffff0'],
    ['proc/irq/8/smp_affinity_list', '4-33,35-39'],
  ]);
});

itAsRoot('is refused without the rights, before anything is set', async () => {
  using machine = new LaidSettings(UNITS);
  const before = machine.values();
  for (const folder of ['', ...readdirSync(machine.root)]) chmodSync(join(machine.root, folder), 0o755);
  const names = SETTINGS.filter((name) => name !== 'timers');
  const { reported, listener } = listening();
  await asNobody(async () => {
    const attempt = () => tune({ ...REQUEST, names, targets: machine.targets }, 'id', listener);
    const path = join(machine.root, `${CPU}/cpufreq/policy0/energy_performance_preference`);
    expect(attempt).toThrow(`quiet: governor can't be set: ${path} may not be written (permission denied).`);
  });
  expect([machine.values(), reported, journals()]).toEqual([before, [], []]);
});

it('is refused where systemd lets this user stop no timer', () => {
  using machine = new LaidSettings({ ...UNITS, 'units/denied': '' });
  const before = machine.values();
  const { reported, listener } = listening();
  expect(() => tune({ ...REQUEST, targets: machine.targets }, 'id', listener)).toThrow(
    "quiet: timers can't be set: apt-daily.timer could not be set to inactive (Access denied).",
  );
  expect([machine.values(), reported, journals()]).toEqual([before, [], []]);
});
