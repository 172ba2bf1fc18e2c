import type { MachineFiles } from './files.ts';

const CPUS = 'sys/devices/system/cpu';

/** The folders of the frequency policies: a processor, or several that share a clock. */
export const policies = (files: MachineFiles): string[] => files.entries(`${CPUS}/cpufreq`, /^policy\d+$/);

/** The governors in use, each once; empty where the kernel does not set the frequency. */
export function governors(files: MachineFiles): string[] {
  return [...new Set(policies(files).flatMap((policy) => files.text(`${policy}/scaling_governor`) ?? []))].sort();
}

/** Whether processors may exceed their base frequency, and the file that controls it. */
export interface Turbo {
  readonly on: boolean;
  readonly file: string;
  /** Value to write into the file to switch it off. */
  readonly offValue: string;
}

/** Turbo state of this machine; null: no file tells. */
export function turbo(files: MachineFiles): Turbo | null {
  const intel = `${CPUS}/intel_pstate/no_turbo`;
  const noTurbo = files.number(intel);
  if (noTurbo !== null) return { on: noTurbo === 0, file: intel, offValue: '1' };
  const places = [`${CPUS}/cpufreq/boost`, `${CPUS}/cpu0/cpufreq/boost`];
  const file = places.find((place) => files.number(place) !== null);
  return file === undefined ? null : { on: files.number(file) === 1, file, offValue: '0' };
}

/** The frequencies of a policy, hertz. */
export interface FrequencyLimit {
  readonly policy: string;
  /** Highest frequency of the hardware. */
  readonly mostHz: number;
  /** Highest frequency that is allowed, as somebody or the firmware set it. */
  readonly limitHz: number;
  readonly leastHz: number | null;
  /** The file that holds the limit. */
  readonly file: string;
}

const KILO = 1000;

/** Frequency limits of all policies that can be read. */
export function frequencyLimits(files: MachineFiles): FrequencyLimit[] {
  return policies(files).flatMap((policy) => {
    const most = files.number(`${policy}/cpuinfo_max_freq`);
    const set = files.number(`${policy}/scaling_max_freq`);
    if (most === null || set === null || most <= 0 || set <= 0) return [];
    const firmware = files.number(`${policy}/bios_limit`);
    const byFirmware = firmware !== null && firmware > 0 && firmware < set;
    const least = files.number(`${policy}/scaling_min_freq`);
    return {
      policy,
      mostHz: most * KILO,
      limitHz: (byFirmware ? firmware : set) * KILO,
      leastHz: least === null ? null : least * KILO,
      file: `${policy}/${byFirmware ? 'bios_limit' : 'scaling_max_freq'}`,
    };
  });
}

/** The files that count how often each processor was throttled since the machine was started. */
export function throttleCounters(files: MachineFiles): string[] {
  return files
    .entries(CPUS, /^cpu\d+$/)
    .flatMap((cpu) => files.entries(`${cpu}/thermal_throttle`, /^(core|package)_throttle_count$/));
}

/** Sum of these counters over all processors; null: there are none, or not all can be read. */
export function timesThrottled(files: MachineFiles, counters: readonly string[]): number | null {
  const counts = counters.map((file) => files.number(file));
  if (counts.length === 0) return null;
  return counts.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0);
}

/** Drivers of temperature sensors in processors, and labels of the sensor of the whole package where there are several. */
const DRIVERS = /^(coretemp|k10temp|k8temp|zenpower|cpu_thermal|cpu-thermal|soc_thermal|scpi_sensors)$/;
const PACKAGE = /^(Package id \d+|Tctl|Tdie|CPU.*)$/i;
const ZONES = /^(x86_pkg_temp|cpu[-_]?thermal|cpu.*|soc[-_]?thermal|pkg.*)$/i;

/** Files of the package sensors of all processors; else all sensors of these drivers; else the thermal zones of processors. */
export function temperatureSensors(files: MachineFiles): string[] {
  const own = files
    .entries('sys/class/hwmon', /^hwmon\d+$/)
    .filter((chip) => DRIVERS.test(files.text(`${chip}/name`) ?? ''))
    .flatMap((chip) => files.entries(chip, /^temp\d+_input$/));
  const packages = own.filter((file) => PACKAGE.test(files.text(file.replace(/_input$/, '_label')) ?? ''));
  if (own.length > 0) return packages.length > 0 ? packages : own;
  return files
    .entries('sys/class/thermal', /^thermal_zone\d+$/)
    .filter((zone) => ZONES.test(files.text(`${zone}/type`) ?? ''))
    .map((zone) => `${zone}/temp`);
}

/** The hottest of these sensors, °C; null where none tells. */
export function hottestC(files: MachineFiles, sensors: readonly string[]): number | null {
  const degrees = sensors.flatMap((file) => files.number(file) ?? []).map((milli) => milli / 1000);
  return degrees.length === 0 ? null : Math.max(...degrees);
}

/** The numbers of the processors in a list as the kernel writes it, such as `0,2-5`. */
export function processorsIn(list: string): number[] {
  return list.split(',').flatMap((range) => {
    if (range === '') return [];
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
}
