import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Engine, OpenedMeter, Patient } from '../../../../src/parts/bench/doctor/examination.ts';
import { thisMachine } from '../../../../src/parts/bench/doctor/this-machine.ts';

type Files = Readonly<Record<string, string>>;

const CPU = 'sys/devices/system/cpu';
const perCpu = (count: number, files: (cpu: number) => Files): Files =>
  Object.assign({}, ...Array.from({ length: count }, (_, cpu) => files(cpu)));

const FLAGS = 'fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge constant_tsc nonstop_tsc aperfmperf';
const cpuinfo = (count: number, vendor: string, model: string, microcode: string, flags = FLAGS): string =>
  Array.from(
    { length: count },
    (_, cpu) =>
      `processor\t: ${cpu}\nvendor_id\t: ${vendor}\nmodel name\t: ${model}\nmicrocode\t: ${microcode}\ncpu MHz\t\t: 1800.000\nflags\t\t: ${flags}\n`,
  ).join('\n');
const os = (name: string): Files => ({ 'etc/os-release': `PRETTY_NAME="${name}"\nID=debian\n` });
const NO_SWAP = 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n';
const ISSUES: Files = {
  [`${CPU}/vulnerabilities/meltdown`]: 'Not affected',
  [`${CPU}/vulnerabilities/spectre_v1`]: 'Mitigation: usercopy/swapgs barriers and __user pointer sanitization',
  [`${CPU}/vulnerabilities/spectre_v2`]: 'Mitigation: Enhanced / Automatic IBRS; IBPB: conditional; RSB filling',
};

const intel = (governor: string, noTurbo: string): Files => ({
  'proc/cpuinfo': cpuinfo(4, 'GenuineIntel', 'Intel(R) Core(TM) i5-8500T CPU @ 2.10GHz', '0xf8'),
  'proc/cmdline': 'BOOT_IMAGE=/boot/vmlinuz-6.1.0-28-amd64 root=UUID=1 ro quiet',
  'proc/swaps': NO_SWAP,
  'sys/class/dmi/id/sys_vendor': 'Dell Inc.',
  'sys/class/dmi/id/product_name': 'OptiPlex 3060',
  'sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc',
  'sys/devices/system/clocksource/clocksource0/available_clocksource': 'tsc hpet acpi_pm',
  [`${CPU}/intel_pstate/no_turbo`]: noTurbo,
  [`${CPU}/smt/control`]: 'notsupported',
  [`${CPU}/smt/active`]: '0',
  ...perCpu(4, (cpu) => ({
    [`${CPU}/cpufreq/policy${cpu}/scaling_governor`]: governor,
    [`${CPU}/cpufreq/policy${cpu}/cpuinfo_max_freq`]: '3500000',
    [`${CPU}/cpufreq/policy${cpu}/scaling_max_freq`]: '3500000',
    [`${CPU}/cpufreq/policy${cpu}/scaling_min_freq`]: '800000',
    [`${CPU}/cpu${cpu}/cpuidle/state0/name`]: 'POLL',
    [`${CPU}/cpu${cpu}/cpuidle/state0/disable`]: '0',
    [`${CPU}/cpu${cpu}/cpuidle/state1/name`]: 'C8',
    [`${CPU}/cpu${cpu}/cpuidle/state1/disable`]: '0',
    [`${CPU}/cpu${cpu}/thermal_throttle/core_throttle_count`]: '0',
    [`${CPU}/cpu${cpu}/thermal_throttle/package_throttle_count`]: '0',
  })),
  'sys/class/hwmon/hwmon2/name': 'coretemp',
  'sys/class/hwmon/hwmon2/temp1_label': 'Package id 0',
  'sys/class/hwmon/hwmon2/temp1_input': '38000',
  'sys/class/powercap/intel-rapl:0/name': 'package-0',
  'sys/class/powercap/intel-rapl:0/energy_uj': '12345678',
  'sys/fs/cgroup/cgroup.controllers': 'cpuset cpu io memory hugetlb pids rdma misc',
  'run/systemd/timesync/synchronized': '',
  'run/systemd/system/.keep': '',
  'dev/kmsg': '6,1,1,-;Linux version 6.1.0-28-amd64\n3,2,1,-;Memory cgroup out of memory: Killed process 7 (tail)\n',
  ...ISSUES,
  ...os('Debian GNU/Linux 12 (bookworm)'),
});

/** Files of machines in their real shape. */
export const MACHINES = {
  metal: intel('performance', '1'),
  laptop: {
    ...intel('powersave', '0'),
    'sys/class/dmi/id/product_name': 'Latitude 7400',
    [`${CPU}/smt/control`]: 'on',
    [`${CPU}/smt/active`]: '1',
    [`${CPU}/cpufreq/policy2/bios_limit`]: '1600000',
    [`${CPU}/cpu0/thermal_throttle/package_throttle_count`]: '17',
    [`${CPU}/cpu3/cpuidle/state1/disable`]: '1',
    'proc/meminfo': 'MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n',
    'etc/fstab': 'UUID=1 / ext4 defaults 0 1\nUUID=2 none swap sw 0 0\n',
    'proc/swaps': `${NO_SWAP}/dev/nvme0n1p3                          partition\t8388604\t\t524288\t\t-2\n`,
    'dev/kmsg': '4,9,1,-;mce: CPU0: Package temperature above threshold, cpu clock throttled (total events = 17)\n',
    'sys/devices/system/clocksource/clocksource0/current_clocksource': 'hpet',
  },
  cloud: {
    'proc/cpuinfo': cpuinfo(2, 'GenuineIntel', 'Intel(R) Xeon(R) Platinum 8259CL', '0x1', `${FLAGS} hypervisor`),
    'proc/swaps': NO_SWAP,
    'sys/class/dmi/id/sys_vendor': 'Amazon EC2',
    'sys/class/dmi/id/product_name': 't3.small',
    'sys/devices/system/clocksource/clocksource0/current_clocksource': 'kvm-clock',
    'sys/fs/cgroup/cgroup.controllers': 'cpu memory',
    ...perCpu(2, (cpu) => ({ [`${CPU}/cpu${cpu}/topology/core_id`]: '0' })),
    ...ISSUES,
    ...os('Ubuntu 24.04.1 LTS'),
  },
  container: {
    'proc/cpuinfo': cpuinfo(2, 'GenuineIntel', 'Intel(R) Core(TM) i5-8500T', '0xf8'),
    '.dockerenv': '',
    'proc/swaps': NO_SWAP,
    ...os('Debian GNU/Linux 12 (bookworm)'),
  },
  amd: {
    'proc/cpuinfo': cpuinfo(2, 'AuthenticAMD', 'AMD Ryzen 7 5700G with Radeon Graphics', '0xa50000c'),
    'proc/swaps': NO_SWAP,
    [`${CPU}/cpufreq/boost`]: '1',
    [`${CPU}/smt/control`]: 'off',
    [`${CPU}/smt/active`]: '0',
    ...perCpu(2, (cpu) => ({
      [`${CPU}/cpufreq/policy${cpu}/scaling_governor`]: 'schedutil',
      [`${CPU}/cpufreq/policy${cpu}/cpuinfo_max_freq`]: '4673000',
      [`${CPU}/cpufreq/policy${cpu}/scaling_max_freq`]: '3800000',
      [`${CPU}/cpufreq/policy${cpu}/scaling_min_freq`]: '3800000',
    })),
    'sys/class/hwmon/hwmon3/name': 'k10temp',
    'sys/class/hwmon/hwmon3/temp1_label': 'Tctl',
    'sys/class/hwmon/hwmon3/temp1_input': '44125',
    [`${CPU}/vulnerabilities/spec_rstack_overflow`]: 'Vulnerable: Safe RET, no microcode',
    'sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc',
    ...os('Debian GNU/Linux 12 (bookworm)'),
  },
  pi: {
    'proc/cpuinfo':
      'processor\t: 0\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd\n\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n',
    'proc/device-tree/model': 'Raspberry Pi 4 Model B Rev 1.4\0',
    'proc/swaps': `${NO_SWAP}/var/swap                               file\t\t204796\t\t0\t\t-2\n`,
    [`${CPU}/cpufreq/policy0/scaling_governor`]: 'ondemand',
    [`${CPU}/cpufreq/policy0/cpuinfo_max_freq`]: '1800000',
    [`${CPU}/cpufreq/policy0/scaling_max_freq`]: '1800000',
    'sys/devices/platform/soc/soc:firmware/get_throttled': '50005',
    'sys/class/thermal/thermal_zone0/type': 'cpu-thermal',
    'sys/class/thermal/thermal_zone0/temp': '61342',
    'sys/devices/system/clocksource/clocksource0/current_clocksource': 'arch_sys_counter',
    ...os('Debian GNU/Linux 12 (bookworm)'),
  },
} as const satisfies Record<string, Files>;

export const ENGINE: Engine = {
  version: '24.0.7',
  storageDriver: 'overlay2',
  cgroupDriver: 'systemd',
  cgroupVersion: '2',
  running: [],
};
export const CHECKED: OpenedMeter = {
  name: 'watts-up-pro:/dev/serial/by-id/usb-FTDI_A1-if00-port0',
  source: 'measured',
  sees: 'the whole machine',
  passport: { at: '2026-11-02T10:00:00.000Z', passed: true },
};

/** A quiet machine of these files, with an engine and a meter, all but what `change` says. */
export function patient(files: Files, change: Partial<Patient> = {}): Patient {
  const root = mkdtempSync(join(tmpdir(), 'joulediff-patient-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), `${text}\n`);
  }
  mkdirSync(join(root, 'proc/self/ns'), { recursive: true });
  symlinkSync(files === MACHINES.container ? 'pid:[4026532281]' : 'pid:[4026531836]', join(root, 'proc/self/ns/pid'));
  return {
    ...thisMachine('auto', root),
    person: { name: 'runner', uid: 1001, groups: ['runner', 'dialout', 'docker'] },
    load: async () => ({ processors: 0.02, names: [] }),
    engine: async () => ENGINE,
    meter: async () => CHECKED,
    output: async (program) => (program === 'systemctl' ? '[]' : null),
    freeBytes: () => 50e9,
    kvm: async () => ({ kvm: 'works' }),
    busyWith: () => null,
    ...change,
  };
}
