import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineState } from '../store/records.ts';
import { nowNs, nsToSeconds } from '../system/clock.ts';
import { busySeconds } from '../system/cpu-times.ts';

/** Shorter stretches than this hold too few of the kernel's ticks (10 ms) to tell a load by. */
const LEAST_LOAD_S = 0.2;

/** Reads the state of the machine before each run. Finds its files once, so that a reading costs well below a millisecond. */
export class MachineSensors {
  readonly #root: string;
  readonly #governors: readonly string[];
  readonly #temperatures: readonly string[];
  #from: { busyS: number; atNs: bigint } | null = null;

  /** `root` is another place of /sys and /proc, for tests. */
  constructor(root = '/') {
    this.#root = root;
    const policies = join(root, 'sys/devices/system/cpu/cpufreq');
    this.#governors = entries(policies, /^policy\d+$/).map((policy) => join(policies, policy, 'scaling_governor'));
    this.#temperatures = temperatureFiles(root);
  }

  /** From here on the processors' work counts for the load. */
  begin(): void {
    const busyS = this.#busyS();
    this.#from = busyS === null ? null : { busyS, atNs: nowNs() };
  }

  /** The state now, with the load since `begin`. Whatever can't be read is null; never throws. */
  read(): MachineState {
    const governors = [...new Set(this.#governors.flatMap((file) => text(file) ?? []))].sort();
    const degrees = this.#temperatures.flatMap((file) => milliDegrees(file) ?? []);
    return {
      governor: governors.length === 0 ? null : governors.join(', '),
      temperatureC: degrees.length === 0 ? null : Math.max(...degrees),
      load: this.#load(),
    };
  }

  /** Processors that were busy on average: the workload rests, so all of it is somebody else's. */
  #load(): number | null {
    const from = this.#from;
    const busyS = this.#busyS();
    if (from === null || busyS === null) return null;
    const lengthS = nsToSeconds(nowNs() - from.atNs);
    return lengthS < LEAST_LOAD_S ? null : Math.max(0, busyS - from.busyS) / lengthS;
  }

  #busyS(): number | null {
    const stat = text(join(this.#root, 'proc/stat'));
    try {
      return stat === null ? null : busySeconds(`${stat}\n`);
    } catch {
      return null;
    }
  }
}

/** Drivers of sensors inside processors, and the labels of what stands for the whole package where they have several. */
const DRIVERS = /^(coretemp|k10temp|k8temp|zenpower|cpu_thermal|cpu-thermal|soc_thermal|scpi_sensors)$/;
const PACKAGE = /^(Package id \d+|Tctl|Tdie|CPU.*)$/i;
const ZONES = /^(x86_pkg_temp|cpu[-_]?thermal|cpu.*|soc[-_]?thermal|pkg.*)$/i;

/** The package's sensors of every processor; else all of its driver's; else the thermal zones of processors. */
function temperatureFiles(root: string): string[] {
  const hwmon = join(root, 'sys/class/hwmon');
  const own = entries(hwmon, /^hwmon\d+$/)
    .map((entry) => join(hwmon, entry))
    .filter((folder) => DRIVERS.test(text(join(folder, 'name')) ?? ''))
    .flatMap((folder) => entries(folder, /^temp\d+_input$/).map((input) => join(folder, input)));
  const packages = own.filter((file) => PACKAGE.test(text(file.replace(/_input$/, '_label')) ?? ''));
  if (own.length > 0) return packages.length > 0 ? packages : own;
  const thermal = join(root, 'sys/class/thermal');
  return entries(thermal, /^thermal_zone\d+$/)
    .map((entry) => join(thermal, entry))
    .filter((folder) => ZONES.test(text(join(folder, 'type')) ?? ''))
    .map((folder) => join(folder, 'temp'));
}

function milliDegrees(file: string): number | null {
  const value = Number(text(file) ?? Number.NaN);
  return Number.isFinite(value) ? value / 1000 : null;
}

function entries(folder: string, pattern: RegExp): string[] {
  try {
    return readdirSync(folder)
      .filter((entry) => pattern.test(entry))
      .sort();
  } catch {
    return [];
  }
}

/** Null where it is empty or can't be read. */
function text(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}
