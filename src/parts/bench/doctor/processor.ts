import { hypervisor } from '../../../machine/identity.ts';
import {
  frequencyLimits,
  governors,
  hottestC,
  temperatureSensors,
  throttleCounters,
  timesThrottled,
  turbo,
} from '../../../machine/processors.ts';
import { listed, plural } from '../../../text/plain.ts';
import { type Examination, type Finding, type Patient, quietNote } from './examination.ts';

const CPUS = '/sys/devices/system/cpu';
const GOVERNORS = `${CPUS}/cpufreq/policy*/scaling_governor`;

/** Finding for a property of a virtual machine that only its host controls. */
function notHere({ files }: Patient, what: string, how: string): Finding {
  const guestOf = hypervisor(files);
  const why = guestOf === null || guestOf === 'none' ? 'the kernel shows none' : 'a virtual machine is not shown it';
  return { state: 'unknown', seen: `${what}: ${why}`, how };
}

const governor: Examination = {
  name: 'governor',
  group: 'Processor',
  why: 'A governor that follows the load changes the clock within a run, and differently from run to run. With "performance" runs are more alike; but what you measure is then a machine with that governor.',
  examine(patient) {
    const how = `cat ${GOVERNORS}`;
    const found = governors(patient.files);
    if (found.length === 0) return notHere(patient, 'no governor', how);
    const steady = found.length === 1 && (found[0] === 'performance' || found[0] === 'userspace');
    const seen = found.length === 1 ? `${found[0]}` : `${listed(found)}, not the same everywhere`;
    return steady
      ? { state: 'ok', seen, how }
      : {
          state: 'warn',
          seen,
          how,
          remedy: `echo performance | sudo tee ${GOVERNORS}`,
          note: quietNote(patient, 'governor'),
        };
  },
};

const turboClock: Examination = {
  name: 'turbo',
  group: 'Processor',
  why: 'How far a processor goes beyond its base clock depends on its temperature and on how many cores are busy, so the same work uses a different amount of energy after a busy run than after a pause.',
  examine(patient) {
    const found = turbo(patient.files);
    if (found === null)
      return notHere(patient, 'no switch for turbo', `ls ${CPUS}/intel_pstate/no_turbo ${CPUS}/cpufreq/boost`);
    const how = `cat /${found.file}`;
    if (!found.on) return { state: 'ok', seen: 'off', how };
    return {
      state: 'warn',
      seen: 'on',
      how,
      remedy: `echo ${found.offValue} | sudo tee /${found.file}`,
      note: quietNote(patient, 'turbo'),
    };
  },
};

const smt: Examination = {
  name: 'smt',
  group: 'Processor',
  why: 'Two threads of one core share its units. Which threads end up together changes from run to run, where a workload has fewer threads than the machine.',
  examine(patient) {
    const how = `cat ${CPUS}/smt/control`;
    const control = patient.files.text('sys/devices/system/cpu/smt/control');
    const active = patient.files.number('sys/devices/system/cpu/smt/active');
    if (control === null && active === null) return notHere(patient, 'the kernel doesn’t say whether SMT is on', how);
    if (active === 0)
      return {
        state: 'ok',
        seen: control === 'notsupported' || control === 'notimplemented' ? 'one thread per core' : 'off',
        how,
      };
    return {
      state: 'ok',
      seen: 'on: the threads of a core share its units',
      how,
      remedy: `echo off | sudo tee ${CPUS}/smt/control`,
      note: quietNote(patient, 'smt'),
    };
  },
};

const GIGA = 1e9;
const gigahertz = (hz: number): string => `${(hz / GIGA).toFixed(2)} GHz`;

const limits: Examination = {
  name: 'frequency limits',
  group: 'Processor',
  why: 'A processor that is held below what it can do is slower, and uses a different amount of energy for the same work. A limit of the firmware (heat, a weak power supply) may come and go.',
  examine(patient) {
    const how = `grep -s . ${CPUS}/cpufreq/policy*/*_{min,max}_freq ${CPUS}/cpufreq/policy*/bios_limit`;
    const found = frequencyLimits(patient.files);
    if (found.length === 0) return notHere(patient, 'no frequencies', how);
    const capped = found.filter(({ limitHz, mostHz }) => limitHz < mostHz);
    const most = found[0]?.mostHz ?? 0;
    if (capped.length === 0)
      return { state: 'ok', seen: `none; up to ${gigahertz(Math.max(...found.map(({ mostHz }) => mostHz)))}`, how };
    const [first] = capped;
    const byFirmware = first?.file.endsWith('bios_limit') === true;
    const pinned = found.every(({ limitHz, leastHz }) => limitHz === leastHz);
    const seen = `${gigahertz(first?.limitHz ?? 0)} of ${gigahertz(first?.mostHz ?? most)} in ${capped.length} of ${plural(found.length, 'policy', 'policies')}`;
    if (pinned) return { state: 'ok', seen: `pinned to ${gigahertz(first?.limitHz ?? 0)}`, how };
    if (byFirmware)
      return {
        state: 'warn',
        seen: `the firmware allows ${seen}`,
        how,
        remedy: 'sudo systemctl reboot --firmware-setup',
        note: 'Look at cooling and power supply first. The command starts the machine again, into the settings of its firmware, where limits are.',
      };
    return {
      state: 'warn',
      seen: `limited to ${seen}`,
      how,
      remedy: `for p in ${CPUS}/cpufreq/policy*; do sudo cp $p/cpuinfo_max_freq $p/scaling_max_freq; done`,
    };
  },
};

const idleStates: Examination = {
  name: 'idle states',
  group: 'Processor',
  why: 'How deep an idle processor sleeps decides the idle power, which is a large part of the energy of whatever waits.',
  examine(patient) {
    const { files } = patient;
    const how = `grep . ${CPUS}/cpu0/cpuidle/state*/{name,disable}`;
    const perCpu = files
      .entries('sys/devices/system/cpu', /^cpu\d+$/)
      .map((cpu) =>
        files
          .entries(`${cpu}/cpuidle`, /^state\d+$/)
          .map((state) => ({ name: files.text(`${state}/name`) ?? '?', on: files.number(`${state}/disable`) !== 1 })),
      );
    const [first = []] = perCpu;
    if (first.length === 0) return notHere(patient, 'no idle states', how);
    const text = (states: typeof first) => states.map(({ name, on }) => (on ? name : `${name} (off)`)).join(', ');
    const uneven = perCpu.some((states) => text(states) !== text(first));
    if (!uneven) return { state: 'ok', seen: text(first), how };
    return {
      state: 'warn',
      seen: `not the same on all processors; on the first: ${text(first)}`,
      how,
      remedy: `echo 0 | sudo tee ${CPUS}/cpu*/cpuidle/state*/disable`,
    };
  },
};

/** File in which a Raspberry Pi reports throttling: https://www.raspberrypi.com/documentation/computers/os.html#get_throttled */
const PI = 'sys/devices/platform/soc/soc:firmware/get_throttled';
const PI_BITS: readonly [bit: number, what: string][] = [
  [0, 'under-voltage'],
  [1, 'a capped clock'],
  [2, 'throttling'],
  [3, 'the soft limit of its temperature'],
];

const throttling: Examination = {
  name: 'throttling',
  group: 'Processor',
  why: 'A processor that is too hot slows itself down: runs after each other are then not alike, whatever they run.',
  examine(patient) {
    const { files } = patient;
    const how = `grep . ${CPUS}/cpu*/thermal_throttle/*_throttle_count`;
    const degrees = hottestC(files, temperatureSensors(files));
    const now = degrees === null ? '' : `; ${degrees.toFixed(0)} °C now`;
    const board = files.text(PI);
    if (board !== null && /^(0x)?[0-9a-f]+$/i.test(board)) return boardThrottling(Number.parseInt(board, 16), now);
    const times = timesThrottled(files, throttleCounters(files));
    if (times === null && degrees === null) return notHere(patient, 'neither counters nor temperatures', how);
    if (times === null) return { state: 'unknown', seen: `nothing counts it here${now}`, how };
    if (times === 0) return { state: 'ok', seen: `never since the machine was started${now}`, how };
    return {
      state: 'warn',
      seen: `${plural(times, 'time')} since the machine was started${now}`,
      how,
      remedy: `watch -d grep . ${CPUS}/cpu*/thermal_throttle/*_throttle_count`,
      note: 'Clean the fan and the heat sink, give it air, or turn turbo off; the command shows whether the counters still rise.',
    };
  },
};

function boardThrottling(bits: number, now: string): Finding {
  const how = 'vcgencmd get_throttled';
  const at = (shift: number) => PI_BITS.filter(([bit]) => (bits >> (bit + shift)) & 1).map(([, what]) => what);
  const mended = {
    remedy: 'watch -d vcgencmd get_throttled',
    note: 'Use the power supply of the board’s maker and a short cable, and cool it; the command shows whether that was enough: 0x0.',
  } as const;
  if (at(0).length > 0)
    return { state: 'fail', seen: `there is ${listed(at(0))} at this moment${now}`, how, ...mended };
  if (at(16).length > 0)
    return { state: 'warn', seen: `since it was started there was ${listed(at(16))}${now}`, how, ...mended };
  return { state: 'ok', seen: `never since the machine was started${now}`, how };
}

/** Placeholders that guests see instead of a microcode version. */
const NO_VERSION = /^0x(1|f+)$/i;

const microcode: Examination = {
  name: 'microcode',
  group: 'Processor',
  why: 'Microcode changes how fast some instructions are. Results from before and after an update, or from two machines, compare only if it is the same.',
  examine(patient) {
    const { files } = patient;
    const how = "grep -m1 microcode /proc/cpuinfo; grep -l -i 'microcode' /sys/devices/system/cpu/vulnerabilities/*";
    const versions = [
      ...new Set(
        [...(files.text('proc/cpuinfo') ?? '').matchAll(/^microcode\s*:\s*(\S+)/gm)].map((match) => match[1] as string),
      ),
    ];
    const missing = vulnerabilities(patient).filter(({ text }) => /no microcode/i.test(text));
    if (versions.length === 0 || versions.every((version) => NO_VERSION.test(version)))
      return notHere(patient, 'no version of the microcode', how);
    if (versions.length > 1)
      return {
        state: 'warn',
        seen: `not the same on all processors: ${listed(versions)}`,
        how,
        remedy: 'sudo update-initramfs -u && sudo reboot',
      };
    const isMetal = (hypervisor(files) ?? 'none') === 'none';
    if (missing.length > 0 && !isMetal) return { state: 'ok', seen: `${versions[0]}; an update is the host’s`, how };
    if (missing.length === 0) return { state: 'ok', seen: `${versions[0]}`, how };
    const amd = /AuthenticAMD/.test(files.text('proc/cpuinfo') ?? '');
    return {
      state: 'warn',
      seen: `${versions[0]}, older than the kernel wants (${missing.map(({ name }) => name).join(', ')})`,
      how,
      remedy: `sudo apt-get install ${amd ? 'amd64' : 'intel'}-microcode && sudo reboot`,
    };
  },
};

const mitigations: Examination = {
  name: 'mitigations',
  group: 'Processor',
  why: 'Workarounds for errors of processors make system calls and context switches more expensive, often more so in containers than outside. Two machines compare only if theirs are alike.',
  examine(patient) {
    const how = 'grep . /sys/devices/system/cpu/vulnerabilities/*';
    const all = vulnerabilities(patient);
    if (all.length === 0) return { state: 'unknown', seen: 'the kernel doesn’t say', how };
    const off = /\bmitigations=off\b/.test(patient.files.text('proc/cmdline') ?? '');
    const count = (pattern: RegExp) => all.filter(({ text }) => pattern.test(text)).length;
    const seen = `${count(/^Mitigation/)} on, ${count(/^Vulnerable/)} without, ${count(/^Not affected/)} not needed`;
    return { state: 'ok', seen: off ? `switched off at the start of the kernel; ${seen}` : seen, how };
  },
};

function vulnerabilities({ files }: Patient): { name: string; text: string }[] {
  return files
    .entries('sys/devices/system/cpu/vulnerabilities')
    .flatMap((path) => ({ name: path.split('/').at(-1) ?? '', text: files.text(path) ?? '' }));
}

export const PROCESSOR: readonly Examination[] = [
  governor,
  turboClock,
  smt,
  limits,
  idleStates,
  throttling,
  microcode,
  mitigations,
];
