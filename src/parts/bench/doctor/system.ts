import { KVM } from '../../../executors/vm/kvm.ts';
import { QEMU, QEMU_PACKAGE } from '../../../executors/vm/qemu-program.ts';
import type { MachineFiles } from '../../../machine/files.ts';
import { systemName, virtualization } from '../../../machine/identity.ts';
import { copiedWord } from '../../../report/escape.ts';
import { listed, plain, plural } from '../../../text/plain.ts';
import { VERSION } from '../../../version.ts';
import { type Examination, LOG_IN_AGAIN, type Person } from './examination.ts';

const guest: Examination = {
  name: 'virtualization',
  group: 'System',
  why: 'A guest shares its hardware with others that it can’t see, who use the same processor and, at the wall, the same meter; and it is rarely shown clock, temperature or RAPL.',
  examine({ files }) {
    const how = 'systemd-detect-virt';
    const found = virtualization(files);
    if (found === null) return { state: 'unknown', seen: 'this kind of machine doesn’t say', how };
    if (found === 'none') return { state: 'ok', seen: 'none: this is the metal', how };
    const inContainer = found.includes('container');
    const seen = inContainer ? `this is inside of: ${found}` : `a guest of: ${found}`;
    if (inContainer && !found.includes(','))
      return {
        state: 'warn',
        seen,
        how,
        remedy: 'joulediff doctor --all',
        note: 'Run it on the host itself, and measure there: joulediff starts the containers that it measures.',
      };
    return {
      state: 'warn',
      seen,
      how,
      remedy: 'joulediff noise',
      note: 'Measure on bare metal that is not shared. Here, only compare; the command shows the smallest difference that is visible.',
    };
  },
};

const kvm: Examination = {
  name: 'KVM',
  group: 'System',
  why: 'Variants with vm are measured in guests that run with it. A /dev/kvm that can be opened proves nothing, so something small is booted.',
  async examine(patient) {
    const how = `ls -l ${KVM}`;
    const tryIt = 'Without it, accel: tcg tries an experiment out: its numbers say nothing about virtual machines.';
    const version = await patient.output(QEMU, ['--version']);
    if (version === null) {
      const seen = 'QEMU is not installed; only variants with vm need it';
      return { state: 'ok', seen, how: `${QEMU} --version`, remedy: `sudo apt-get install ${QEMU_PACKAGE}` };
    }
    const found = await patient.kvm();
    switch (found?.kvm) {
      case undefined:
        return { state: 'ok', seen: 'not tried: guests of another machine are not measured', how };
      case 'works':
        return { state: 'ok', seen: 'something small was booted with it', how };
      case 'absent':
        return {
          state: 'warn',
          seen: `there is no ${KVM}`,
          how,
          remedy: 'sudo modprobe -a kvm_intel kvm_amd',
          note: `It shows why: virtualization may be turned off in the firmware; in a virtual machine, its host has to allow nested virtualization. ${tryIt}`,
        };
      case 'forbidden':
        return {
          state: 'warn',
          seen: `${KVM} may not be opened by this user`,
          how,
          remedy: `sudo usermod -aG kvm ${copiedWord(patient.person.name)}`,
          note: `${LOG_IN_AGAIN} ${tryIt}`,
        };
      case 'broken':
        return {
          state: 'warn',
          seen: `${KVM} is there, and does not work: ${found.why}`,
          how,
          remedy: 'sudo dmesg | grep -i kvm',
          note: `It may show why. Where this machine is a guest itself, its host gives it no virtualization that a kernel can be booted with. ${tryIt}`,
        };
    }
  },
};

/** Clock sources that are read without a system call (vDSO), or nearly. */
const FAST = /^(tsc|tsc-early|kvm-clock|arch_sys_counter|hyperv_clocksource_tsc_page|timebase|riscv_clocksource|xen)$/;

const clockSource: Examination = {
  name: 'clock source',
  group: 'System',
  why: 'A clock that is read from the chip set costs a microsecond each time: programs that ask for the time often become slower, and windows less sharp.',
  examine({ files }) {
    const folder = 'sys/devices/system/clocksource/clocksource0';
    const how = `cat /${folder}/current_clocksource`;
    const found = files.text(`${folder}/current_clocksource`);
    if (found === null) return { state: 'unknown', seen: 'the kernel doesn’t say', how };
    if (FAST.test(found)) return { state: 'ok', seen: found, how };
    const has = files.text(`${folder}/available_clocksource`)?.split(/\s+/) ?? [];
    const seen = `${found}, a slow one`;
    if (has.includes('tsc'))
      return { state: 'warn', seen, how, remedy: `echo tsc | sudo tee /${folder}/current_clocksource` };
    return {
      state: 'warn',
      seen,
      how,
      remedy: 'sudo dmesg | grep -i tsc',
      note: 'It shows why the kernel doesn’t trust the faster one; an update of the firmware often helps.',
    };
  },
};

const DAEMONS = /^(chronyd|ntpd|ntpd-rs|openntpd|systemd-timesyn|ptp4l|phc2sys)$/;

const time: Examination = {
  name: 'time synchronization',
  group: 'System',
  why: 'Windows and samples share one clock, which is not set while it runs; but results are dated, and GitHub and other servers refuse the tokens of a machine whose date is wrong.',
  async examine({ files, output }) {
    const how = 'timedatectl show -p NTPSynchronized';
    if (files.entries('run/systemd/timesync', /^synchronized$/).length > 0)
      return { state: 'ok', seen: 'by systemd-timesyncd', how };
    const reported = (await output('timedatectl', ['show', '-p', 'NTPSynchronized', '--value']))?.trim();
    if (reported === 'yes') return { state: 'ok', seen: 'the clock is synchronized', how };
    const daemon = files
      .entries('proc', /^\d+$/)
      .flatMap((process) => files.text(`${process}/comm`) ?? [])
      .find((name) => DAEMONS.test(name));
    if (daemon !== undefined && reported !== 'no') return { state: 'ok', seen: `${daemon} runs`, how };
    if (daemon !== undefined)
      return {
        state: 'warn',
        seen: `${daemon} runs, but the clock is not synchronized yet`,
        how,
        remedy: daemon === 'chronyd' ? 'sudo chronyc makestep' : 'sudo timedatectl set-ntp true',
        note: 'After a start it takes some minutes; else look whether the machine reaches its time servers.',
      };
    if (reported === 'no')
      return { state: 'warn', seen: 'nothing sets the clock', how, remedy: 'sudo timedatectl set-ntp true' };
    return { state: 'unknown', seen: 'nothing here says so; a guest may have its host’s time', how };
  },
};

const MB = 1e6;
const MIN_MB = 100;
const FEW_MB = 2000;

const disk: Examination = {
  name: 'disk space',
  group: 'System',
  why: 'Database, logs and images of an experiment need room, and an experiment that can’t write its runs down ends.',
  examine({ freeBytes, host }) {
    const how = `df -h ${host === null ? '. ' : ''}/var/tmp /var/lib/docker`;
    const found = ['.', '/var/tmp', '/var/lib/docker'].flatMap((path) => {
      const free = freeBytes(path);
      return free === null ? [] : [{ path, freeMb: free / MB }];
    });
    if (found.length === 0) return { state: 'unknown', seen: 'it can’t be read', how };
    const least = found.reduce((a, b) => (b.freeMb < a.freeMb ? b : a));
    const seen = `${least.freeMb < 1000 ? `${least.freeMb.toFixed(0)} MB` : `${(least.freeMb / 1000).toFixed(1)} GB`} free in ${least.path === '.' ? 'this folder' : least.path}`;
    if (least.freeMb >= FEW_MB) return { state: 'ok', seen, how };
    return {
      state: least.freeMb < MIN_MB ? 'fail' : 'warn',
      seen,
      how,
      remedy: 'docker system prune; sudo du -xh / | sort -h | tail',
      note: 'The first removes what no container uses; the second shows what takes the room.',
    };
  },
};

const TELLING =
  /throttl|temperature above|out of memory|oom-kill|hardware error|machine check|\bmce:|I\/O error|under-?voltage|USB disconnect|clocksource: .*unstable/i;

/** Messages about a container's own memory limit, which do not mean that the machine lacks memory. */
const LIMITED = /memory cgroup out of memory|CONSTRAINT_MEMCG/i;

const kernel: Examination = {
  name: 'kernel messages',
  group: 'System',
  why: 'Heat, failing disks, lost USB devices and exhausted memory are reported there first.',
  examine({ host, kernelMessages }) {
    const how = 'sudo dmesg --level=emerg,alert,crit,err,warn';
    const messages = kernelMessages();
    if (messages === null)
      return {
        state: 'unknown',
        seen: 'this user may not read the kernel’s log',
        how,
        remedy: host === null ? 'sudo joulediff doctor' : how,
      };
    const telling = messages.filter(({ text }) => TELLING.test(text) && !LIMITED.test(text));
    if (telling.length === 0) return { state: 'ok', seen: 'none about heat, disks, memory or lost devices', how };
    return {
      state: 'warn',
      seen: `${telling.length}, the last: ${plain(telling.at(-1)?.text ?? '', 100)}`,
      how,
      remedy: "sudo dmesg -T | grep -iE 'throttl|memory|error|voltage|disconnect'",
      note: 'It shows when that was. Cooling, disks and cables are mended by hand.',
    };
  },
};

const OLDEST_NODE = 24;

const versions: Examination = {
  name: 'versions',
  group: 'System',
  why: 'They are recorded with every result; the action runs on Node.js 24.',
  examine({ files, host }) {
    const how = host === null ? 'joulediff --version; node --version; uname -r' : 'uname -r; cat /etc/os-release';
    const kernelVersion = files.text('proc/sys/kernel/osrelease');
    const own = [`joulediff ${VERSION}`, `Node.js ${process.versions.node}`];
    const seen = [...(host === null ? own : []), systemName(files), kernelVersion && `Linux ${kernelVersion}`]
      .filter(Boolean)
      .join(', ');
    // A machine measured over ssh needs neither.
    if (host !== null) return { state: seen === '' ? 'unknown' : 'ok', seen: seen || 'they can’t be read', how };
    const old = Number.parseInt(process.versions.node, 10) < OLDEST_NODE;
    return old
      ? {
          state: 'warn',
          seen,
          how,
          remedy: 'sudo runner-setup/install.sh',
          note: 'In a clone of joulediff: it installs Node.js 24 beside yours, and --dry-run says what else it does.',
        }
      : { state: 'ok', seen, how };
  },
};

const user: Examination = {
  name: 'user',
  group: 'System',
  why: 'Ports of meters and the engine belong to groups. Whoever is in the group docker is as good as root, and so is every job of a runner in it.',
  examine({ files, person, host }) {
    const how = 'id';
    const { name, uid, groups } = person;
    if (uid === 0) {
      const fewer =
        host === null ? 'the key user gives a native workload fewer rights' : 'a workload has all rights there';
      return { state: 'ok', seen: `root; ${fewer}`, how };
    }
    const things = [...files.entries('dev', /^tty(USB|ACM)\d+$/), ...files.entries('run', /^docker\.sock$/)];
    const closed = things.filter((path) => !mayUse(files, path, person));
    const seen = `${name}, in ${plural(groups.length, 'group')}`;
    if (closed.length === 0)
      return { state: 'ok', seen: groups.includes('docker') ? `${seen}, docker among them` : seen, how };
    const ofRoot = closed.filter((path) => groupName(files, files.owner(path)?.gid) === null);
    const given = ofRoot.map((path) => [
      `groupadd -f ${usualGroup(path)}`,
      `chgrp ${usualGroup(path)} /${path}`,
      `chmod g+rw /${path}`,
    ]);
    const joined = [...new Set(closed.map((path) => groupName(files, files.owner(path)?.gid) ?? usualGroup(path)))];
    return {
      state: 'warn',
      seen: `${name} may not use ${listed(closed.map((path) => `/${path}`))}`,
      how: `ls -l ${closed.map((path) => `/${path}`).join(' ')}; id`,
      remedy: `sudo ${[...given.flat(), `usermod -aG ${joined.join(',')} ${copiedWord(name)}`].join(' && sudo ')}`,
      note:
        ofRoot.length === 0
          ? LOG_IN_AGAIN
          : `${LOG_IN_AGAIN} The rights hold until the device is plugged in again; the rule of runner-setup/install.sh lasts.`,
    };
  },
};

/** Whether this user may read and write the file, by its permissions. */
function mayUse(files: MachineFiles, path: string, { uid, groups }: Person): boolean {
  const owner = files.owner(path);
  if (owner === null) return true;
  const group = groupName(files, owner.gid);
  const shift = owner.uid === uid ? 6 : group !== null && groups.includes(group) ? 3 : 0;
  return ((owner.mode >> shift) & 0o6) === 0o6;
}

const usualGroup = (path: string): string => (path.endsWith('docker.sock') ? 'docker' : 'dialout');

/** Name of the group that the user should join; root's own group is excluded. */
function groupName(files: MachineFiles, gid: number | undefined): string | null {
  const entries = (files.text('etc/group') ?? '').split('\n').map((line) => line.split(':'));
  return entries.find((entry) => entry[2] === String(gid) && entry[0] !== 'root')?.[0] ?? null;
}

export const SYSTEM: readonly Examination[] = [guest, kvm, clockSource, time, disk, kernel, versions, user];
