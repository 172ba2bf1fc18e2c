// Class: system.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { doctorText } from '../../../../src/parts/bench/commands/doctor-text.ts';
import type { Examined, Patient } from '../../../../src/parts/bench/doctor/examination.ts';
import { EXAMINATIONS, examineMachine } from '../../../../src/parts/bench/doctor/examinations.ts';
import { CHECKED, ENGINE, MACHINES, patient } from './machines.ts';

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

async function examine(machine: Patient): Promise<Map<string, Examined>> {
  roots.push(machine.files.root);
  return new Map((await examineMachine(machine)).map((one) => [one.name, one]));
}

const states = (found: Map<string, Examined>, state: string): string[] =>
  [...found.values()].filter((one) => one.state === state).map(({ name }) => name);

/** Those that tell what is, and know no wrong; and what runs this test is not too old for it. */
const NEVER_WRONG = ['smt', 'mitigations', 'control groups', 'Compose', 'other engines', 'versions'];

const UNIFIED = 'systemd.unified_cgroup_hierarchy=1';

/** What bash reads in each text; fails where one is no command. */
function readByBash(commands: readonly string[]): string {
  const script = 'for c; do eval "f() { $c"$\'\\n\'"}" || exit; declare -f f; done';
  return execFileSync('bash', ['-c', script, 'bash', ...commands], { encoding: 'utf8' });
}

describe('joulediff doctor', () => {
  it('finds a machine fit that is', async () => {
    const found = await examine(patient(MACHINES.metal));
    expect([...found.values()].filter(({ state }) => state !== 'ok')).toEqual([]);
    expect(found.get('meter')?.seen).toContain('passed its check of 2026-11-02');
    expect(found.get('throttling')?.seen).toBe('never since the machine was started; 38 °C now');
    expect(found.get('idle states')?.seen).toBe('POLL, C8');
    expect(found.get('frequency limits')?.seen).toBe('none; up to 3.50 GHz');
    expect(found.get('mitigations')?.seen).toBe('2 on, 0 without, 1 not needed');
  });

  it('finds what a laptop does to its runs, each with the command that mends it', async () => {
    const found = await examine(patient(MACHINES.laptop));
    expect(states(found, 'warn')).toEqual([
      ...['swap', 'governor', 'turbo', 'frequency limits', 'idle states', 'throttling', 'clock source'],
      'kernel messages',
    ]);
    expect(states(found, 'unknown')).toEqual([]);
    expect(found.get('governor')).toMatchObject({
      seen: 'powersave',
      remedy: 'echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor',
    });
    expect(found.get('turbo')?.remedy).toBe('echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo');
    for (const setting of ['governor', 'turbo', 'smt']) {
      expect(found.get(setting)?.note).toBe(
        `With quiet: [${setting}], an experiment does it for its own time, and undoes it at its end.`,
      );
    }
    const remote = await examine(patient(MACHINES.laptop, { host: 'ssh://sut' }));
    // Nothing is set there.
    expect(remote.get('governor')).toMatchObject({ state: 'warn', note: null });
    expect(found.get('frequency limits')?.seen).toBe('the firmware allows 1.60 GHz of 3.50 GHz in 1 of 4 policies');
    expect(found.get('throttling')?.seen).toBe('17 times since the machine was started; 38 °C now');
    expect(found.get('swap')).toMatchObject({
      seen: '512 MiB of memory are in it',
      remedy: 'sudo swapoff -a && sudo swapon -a',
    });
    // It could not be undone, or not be done.
    for (const [file, text] of [
      ['etc/fstab', 'UUID=1 / ext4 defaults 0 1\n#UUID=2 none swap sw 0 0\n'],
      ['proc/meminfo', 'MemAvailable: 600000 kB\n'],
    ] as const) {
      const other = await examine(patient({ ...MACHINES.laptop, [file]: text }));
      expect(other.get('swap')).toMatchObject({ state: 'warn', remedy: null, note: expect.any(String) });
    }
    expect(found.get('clock source')?.remedy).toContain('echo tsc');
    expect(found.get('smt')).toMatchObject({ state: 'ok', remedy: expect.stringContaining('echo off') });
    expect(found.get('kernel messages')?.seen).toContain('cpu clock throttled');
  });

  it('tells a guest what its host alone can see', async () => {
    const found = await examine(patient(MACHINES.cloud));
    expect(found.get('virtualization')).toMatchObject({ state: 'warn', seen: 'a guest of: amazon' });
    for (const name of ['governor', 'turbo', 'smt', 'frequency limits', 'idle states', 'throttling', 'microcode'])
      expect(found.get(name)).toMatchObject({
        state: 'unknown',
        seen: expect.stringContaining('a virtual machine is not shown it'),
      });
    expect(found.get('clock source')).toMatchObject({ state: 'ok', seen: 'kvm-clock' });
  });

  it('knows that it is inside of a container', async () => {
    const found = await examine(patient(MACHINES.container));
    expect(found.get('virtualization')).toMatchObject({
      state: 'warn',
      seen: 'this is inside of: docker container',
      remedy: 'joulediff doctor --all',
      note: expect.stringContaining('on the host itself'),
    });
  });

  it('reads an AMD processor', async () => {
    const found = await examine(patient(MACHINES.amd));
    expect(found.get('turbo')?.remedy).toBe('echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost');
    expect(found.get('microcode')).toMatchObject({ state: 'warn', remedy: expect.stringContaining('amd64-microcode') });
    expect(found.get('frequency limits')).toMatchObject({ state: 'ok', seen: 'pinned to 3.80 GHz' });
    expect(found.get('throttling')?.seen).toBe('nothing counts it here; 44 °C now');
    expect(found.get('smt')).toMatchObject({ state: 'ok', seen: 'off' });
  });

  it('stops a board that its power supply slows down', async () => {
    const found = await examine(patient(MACHINES.pi));
    expect(found.get('throttling')).toMatchObject({
      state: 'fail',
      seen: 'there is under-voltage and throttling at this moment; 61 °C now',
    });
    expect(found.get('swap')).toMatchObject({ state: 'ok', seen: 'there, and not in use' });
    expect(found.get('virtualization')?.state).toBe('unknown');
  });

  it('tells timers that are due, and not those that are light or far', async () => {
    const at = (minutes: number) => (Date.now() + 60_000 * minutes) * 1000;
    const timers = [
      { next: at(12.4), unit: 'apt-daily-upgrade.timer', activates: 'apt-daily-upgrade.service' },
      { next: at(5), unit: 'systemd-tmpfiles-clean.timer' },
      { next: at(300), unit: 'fstrim.timer' },
      { next: null, unit: 'man-db.timer' },
    ];
    const found = await examine(patient(MACHINES.metal, { output: async () => JSON.stringify(timers) }));
    expect(found.get('timers')).toMatchObject({
      state: 'warn',
      seen: 'due within an hour: apt-daily-upgrade.timer in 12 min',
      remedy: 'sudo systemctl stop apt-daily-upgrade.timer',
      note: expect.stringContaining('quiet: [timers]'),
    });
  });

  it('tells by their rights which ports the user may use, whatever their group is called', async () => {
    const gid = process.getegid?.() ?? 0;
    const files = { ...MACHINES.metal, 'etc/group': `root:x:9999999:\njoulediff:x:${gid}:runner`, 'dev/ttyUSB0': '' };
    const as = (groups: string[], mode: number) => {
      const machine = patient(files, { person: { name: 'runner', uid: 4242, groups } });
      chmodSync(join(machine.files.root, 'dev/ttyUSB0'), mode);
      return examine(machine);
    };
    expect((await as(['joulediff'], 0o660)).get('user')?.state).toBe('ok');
    expect((await as([], 0o666)).get('user')?.state).toBe('ok');
    expect((await as(['dialout'], 0o660)).get('user')).toMatchObject({
      state: 'warn',
      seen: 'runner may not use /dev/ttyUSB0',
      remedy: 'sudo usermod -aG joulediff runner',
    });
  });

  it.each([
    [
      'a busy machine',
      { load: async () => ({ processors: 1.4, names: ['ffmpeg'] }) },
      'load',
      'fail',
      'others keep 1.40 of 4 processors busy: ffmpeg',
    ],
    [
      'a restless machine',
      { load: async () => ({ processors: 0.4, names: [] }) },
      'load',
      'warn',
      'others keep 0.40 of 4 processors busy',
    ],
    [
      'no meter',
      { meter: async () => ({ why: 'There is no serial port.', advice: null, code: null }) },
      'meter',
      'fail',
      'There is no serial port',
    ],
    [
      'a model',
      { meter: async () => ({ ...CHECKED, name: 'estimate', source: 'modelled' as const }) },
      'meter',
      'fail',
      'estimate is a model, and does not measure',
    ],
    [
      'a meter at another plug',
      { meter: async () => ({ ...CHECKED, name: 'rapl', passport: { at: '2026-11-02', passed: false } }) },
      'meter',
      'fail',
      'rapl did not pass its check of 2026-11-02',
    ],
    [
      'a meter that was not checked',
      { meter: async () => ({ ...CHECKED, name: 'rapl', passport: null }) },
      'meter',
      'warn',
      'rapl answers (the whole machine), but was never checked on this machine',
    ],
    [
      'a machine without Compose',
      { output: async () => null },
      'Compose',
      'ok',
      'not installed; only variants with compose need it',
    ],
    [
      'a machine with Compose',
      { output: async (program: string) => (program === 'docker' ? '2.40.3\n' : null) },
      'Compose',
      'ok',
      '2.40.3',
    ],
    [
      'a machine with Podman',
      { output: async (program: string) => (program === 'podman' ? 'podman version 4.3.1\n' : null) },
      'other engines',
      'ok',
      'Podman 4.3.1, started for experiments',
    ],
    ['a full disk', { freeBytes: () => 5e7 }, 'disk space', 'fail', '50 MB free in this folder'],
    [
      'an experiment at work',
      { busyWith: () => 'It is the experiment "sort", process 7 of ci.' },
      'other experiment',
      'warn',
      'It is the experiment "sort", process 7 of ci',
    ],
    [
      'another container',
      {
        engine: async () => ({
          version: '24',
          storageDriver: 'vfs',
          cgroupDriver: null,
          cgroupVersion: null,
          running: ['db'],
        }),
      },
      'other containers',
      'warn',
      '1 container: db',
    ],
    ['a user without rights', { person: { name: 'ci', uid: 1002, groups: [] } }, 'user', 'ok', 'ci, in 0 groups'],
  ] as const)('tells of %s', async (_, change, name, state, seen) => {
    const found = await examine(patient(MACHINES.metal, change as Partial<Patient>));
    expect(found.get(name)).toMatchObject({ state, seen });
  });

  it('gives for each thing that is not in order a command, which a shell takes as it is printed', async () => {
    const trouble = (code: string | null) => async () => ({ why: 'It is so.', advice: 'Do that.', code });
    const gid = process.getegid?.() ?? 0;
    const closed = { 'dev/ttyUSB0': '', 'dev/ttyACM1': '', 'run/docker.sock': '' };
    const stranger = { person: { name: "o'hara", uid: 4242, groups: [] } };
    const due = ['apt-daily.timer', 'fstrim.timer'].map((unit) => ({ unit, next: (Date.now() + 60_000) * 1000 }));
    const timed = async (program: string) => (program === 'systemctl' ? JSON.stringify(due) : 'no');
    const running = Array.from({ length: 9 }, (_, i) => `some-project-database-${i}`);
    const { 'run/systemd/timesync/synchronized': _, ...unsynchronized } = MACHINES.metal;
    const limited = { 'sys/devices/system/cpu/cpufreq/policy1/scaling_max_freq': '2000000' };
    const slow = { 'sys/devices/system/clocksource/clocksource0/available_clocksource': 'hpet' };
    const closedRapl = {
      'sys/class/powercap/intel-rapl:1/name': 'package-1',
      'sys/class/powercap/intel-rapl:1/energy_uj/closed': '',
    };
    const first = { 'sys/fs/cgroup/memory/tasks': '' };
    const machines = [
      ...Object.values(MACHINES).map((files) => patient(files)),
      patient({ ...MACHINES.metal, ...limited, ...closedRapl }),
      patient({ ...MACHINES.laptop, ...slow, ...first, 'sys/fs/cgroup/cgroup.controllers': '' }),
      patient({ ...unsynchronized, 'proc/77/comm': 'chronyd' }, { output: async () => 'no', freeBytes: () => 5e7 }),
      patient({ ...unsynchronized, 'proc/77/comm': 'systemd-timesyn' }, { output: async () => 'no' }),
      patient(unsynchronized, { output: timed, load: async () => ({ processors: 3, names: ['ffmpeg'] }) }),
      patient({ ...MACHINES.metal, 'proc/88/comm': 'containerd-shim' }, { engine: trouble('EACCES'), ...stranger }),
      patient(MACHINES.metal, { engine: trouble('ENOENT'), meter: trouble('EACCES') }),
      patient(MACHINES.metal, { engine: trouble(null), meter: async () => ({ ...CHECKED, source: 'emulated' }) }),
      patient(MACHINES.metal, { meter: async () => ({ ...CHECKED, passport: null }), busyWith: () => 'It is "sort".' }),
      patient(MACHINES.metal, { meter: async () => ({ ...CHECKED, source: 'modelled' }) }),
      patient(MACHINES.metal, { engine: async () => ({ ...ENGINE, version: '19.03', storageDriver: 'vfs', running }) }),
      ...[
        { kvm: 'absent' } as const,
        { kvm: 'forbidden' } as const,
        { kvm: 'broken', why: 'it broke down' } as const,
      ].map((kvm) => patient(MACHINES.metal, { output: async () => 'no', kvm: async () => kvm, ...stranger })),
      patient({ ...MACHINES.metal, ...closed, 'etc/group': `dialout:x:${gid}:` }, stranger),
      patient({ ...MACHINES.metal, ...closed, 'etc/group': '' }, stranger),
    ];
    for (const machine of machines.slice(-2))
      for (const path of Object.keys(closed)) chmodSync(join(machine.files.root, path), 0o600);
    const seen = new Map<string, Examined>();
    for (const machine of machines)
      for (const one of (await examine(machine)).values()) seen.set(JSON.stringify(one), one);
    const found = [...seen.values()];
    const wrong = found.filter(({ state }) => state === 'warn' || state === 'fail');
    expect(wrong.filter(({ remedy }) => remedy === null)).toEqual([]);
    expect(new Set(wrong.map(({ name }) => name))).toEqual(
      new Set(EXAMINATIONS.map(({ name }) => name).filter((name) => !NEVER_WRONG.includes(name))),
    );
    const [commands, printed]: [string[], string[]] = [[], []];
    for (const one of found) {
      const { remedy, note, how } = one;
      const sentences = note ?? 'It has none.';
      expect({ remedy, sentences }).toEqual({ remedy, sentences: expect.stringMatching(/\.$/) });
      const lines = doctorText('host', [one], { color: false, width: 80, all: true }).split('\n');
      for (const [label, command] of Object.entries({ remedy, 'seen by': how })) {
        if (command === null) continue;
        const at = lines.findIndex((line) => line.startsWith(`    ${label.padEnd(9)}`));
        const last = lines.findIndex((line, i) => i >= at && !line.endsWith('\\'));
        printed.push(
          lines
            .slice(at, last + 1)
            .join('\n')
            .slice(13),
        );
        commands.push(command);
      }
    }
    expect(readByBash(printed)).toBe(readByBash(commands));
  });

  it('proposes nothing that ends containers, or replaces an engine that is there', async () => {
    const remedyFor = async (code: string | null, files = {}) => {
      const engine = async () => ({ why: 'It is so.', advice: null, code });
      return (await examine(patient({ ...MACHINES.metal, ...files }, { engine }))).get('engine');
    };
    expect(await remedyFor('ENOENT')).toMatchObject({ remedy: 'sudo apt-get install docker.io' });
    for (const code of ['ENOENT', 'ECONNREFUSED'])
      expect(await remedyFor(code, { 'usr/bin/dockerd': '' })).toMatchObject({ remedy: 'sudo systemctl start docker' });
    const found = await remedyFor(null, { 'usr/bin/dockerd': '' });
    expect(found).toMatchObject({ remedy: 'sudo systemctl status docker', note: expect.stringContaining('restarted') });
  });

  it.each([
    ['GRUB_CMDLINE_LINUX="quiet"', `GRUB_CMDLINE_LINUX="${UNIFIED} quiet"`, 0],
    ["GRUB_CMDLINE_LINUX='quiet'", `GRUB_CMDLINE_LINUX='${UNIFIED} quiet'`, 0],
    ['GRUB_CMDLINE_LINUX=quiet', 'GRUB_CMDLINE_LINUX=quiet', 1],
  ])('adds the parameter for control groups to %s once, and says where it could not', async (before, after, status) => {
    const { 'sys/fs/cgroup/cgroup.controllers': _, ...files } = MACHINES.metal;
    const machine = patient({ ...files, 'sys/fs/cgroup/memory/tasks': '', 'etc/default/grub': `${before}\n` });
    const remedy = (await examine(machine)).get('control groups')?.remedy;
    const grub = join(machine.files.root, 'etc/default/grub');
    const command = String(remedy).replaceAll('sudo ', '').replaceAll('/etc/default/grub', grub);
    for (const _ of ['pasted', 'pasted again']) {
      const done = spawnSync('sh', ['-c', command.replace(/update-grub$/, 'true')]);
      expect(done.status).toBe(status);
      expect(readFileSync(grub, 'utf8').trim()).toBe(after);
    }
  });

  it('says what it could not see, and breaks on no file that is empty, binary or a folder', async () => {
    const empty = await examine(patient({}));
    expect(states(empty, 'fail')).toEqual([]);
    for (const one of empty.values()) expect(one.seen).not.toMatch(/NaN|undefined|could not be looked at/);
    for (const garbage of ['', '\0\xff\x1b[31m', 'N/A', '-1', '99999999999999999999', '[{"unit":1},null]']) {
      const machine = patient(MACHINES.laptop, { output: async () => garbage });
      for (const path of readdirSync(machine.files.root, { recursive: true, withFileTypes: true }))
        if (path.isFile()) writeFileSync(join(path.parentPath, path.name), garbage);
      for (const one of (await examine(machine)).values()) {
        expect(one.seen).not.toMatch(/NaN|undefined|Infinity|could not be looked at/);
      }
    }
  });

  it('is told within 80 columns, whatever a machine calls itself', async () => {
    for (const files of Object.values(MACHINES)) {
      const found = await examine(patient(files, { busyWith: () => 'x'.repeat(200) }));
      for (const all of [false, true]) {
        const text = doctorText('host · \x1b[31mDell', [...found.values()], { color: false, width: 80, all });
        expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
        expect(text).not.toContain('\x1b');
        for (const { name } of EXAMINATIONS) expect(text).toContain(` ${name} `);
      }
    }
  });
});

describe('KVM', () => {
  const kvmOf = async (
    kvm: Awaited<ReturnType<Patient['kvm']>>,
    version: string | null = 'QEMU emulator version 7.2',
  ) => (await examine(patient(MACHINES.metal, { kvm: async () => kvm, output: async () => version }))).get('KVM');

  it('is in order where something was booted with it, or nobody has a QEMU to need it', async () => {
    expect(await kvmOf({ kvm: 'works' })).toMatchObject({ state: 'ok', seen: 'something small was booted with it' });
    expect(await kvmOf({ kvm: 'absent' }, null)).toMatchObject({
      state: 'ok',
      remedy: 'sudo apt-get install qemu-system-x86',
    });
    expect(await kvmOf(null)).toMatchObject({ state: 'ok' });
  });

  it('is told of where it is missing, forbidden or does not work, with what can be tried without it', async () => {
    const note = expect.stringContaining('accel: tcg tries an experiment out');
    expect(await kvmOf({ kvm: 'absent' })).toMatchObject({ state: 'warn', seen: 'there is no /dev/kvm', note });
    expect(await kvmOf({ kvm: 'forbidden' })).toMatchObject({
      state: 'warn',
      remedy: 'sudo usermod -aG kvm runner',
      note,
    });
    expect(await kvmOf({ kvm: 'broken', why: 'it broke down' })).toMatchObject({
      state: 'warn',
      seen: '/dev/kvm is there, and does not work: it broke down',
      note,
    });
  });
});
