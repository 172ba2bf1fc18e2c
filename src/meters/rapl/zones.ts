import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries, text } from '../sysfs.ts';

export interface Zone {
  /** Folder in the powercap tree. */
  readonly path: string;
  /** Content of its `name` file: `package-0`, `dram`, … */
  readonly name: string;
  readonly kind: 'package' | 'dram';
}

/**
 * The zones whose sum is what RAPL sees: packages and dram. Kinds are told by the `name` file, never by the index. Left out: core and uncore
 * (inside of package), psys (the whole platform, packages inside), and `intel-rapl-mmio` (the same counters a second time).
 * AMD's driver uses the same names. Empty where there is none.
 */
export function findZones(root: string): Zone[] {
  return entries(root)
    .filter((entry) => /^intel-rapl:\d+(:\d+)*$/.test(entry))
    .flatMap((entry): Zone[] => {
      const path = join(root, entry);
      const name = text(join(path, 'name'));
      if (name?.startsWith('package-')) return [{ path, name, kind: 'package' }];
      return name === 'dram' ? [{ path, name, kind: 'dram' }] : [];
    });
}

/** Number of processor packages that zones belong to (a package may have a zone a die: `package-0-die-1`). */
export function packagesOfZones(zones: readonly Zone[]): number {
  const packages = zones.filter((zone) => zone.kind === 'package').map((zone) => /^package-(\d+)/.exec(zone.name)?.[1]);
  return new Set(packages).size;
}

/** Number of processor packages of the machine, null where its topology can't be read. */
export function packagesOfMachine(cpuRoot: string): number | null {
  const ids = entries(cpuRoot)
    .filter((entry) => /^cpu\d+$/.test(entry))
    .map((entry) => text(join(cpuRoot, entry, 'topology/physical_package_id')))
    .filter((id) => id !== null);
  return ids.length === 0 ? null : new Set(ids).size;
}

/** No processor package takes this much, watts. */
const IMPOSSIBLE_W = 2000;

/** One zone's energy counter. Its methods throw as `readFileSync` does, and on content that is no number. */
export class ZoneCounter {
  readonly #file: string;
  readonly #rangeUj: bigint;
  #lastUj: bigint;

  constructor(folder: string) {
    this.#file = join(folder, 'energy_uj');
    this.#rangeUj = readMicrojoules(join(folder, 'max_energy_range_uj'));
    this.#lastUj = readMicrojoules(this.#file);
  }

  /**
   * Microjoules since the call before (or the construction). A counter that is lower than before has wrapped: the rest of its range counts, short
   * by one unit at most. Null when it was reset instead (the power would be impossible), or may have wrapped more than once.
   */
  advance(elapsedS: number): bigint | null {
    const lastUj = this.#lastUj;
    const nowUj = readMicrojoules(this.#file);
    this.#lastUj = nowUj;
    const possibleUj = BigInt(Math.ceil(elapsedS * IMPOSSIBLE_W * 1e6));
    if (possibleUj > this.#rangeUj) return null;
    if (nowUj >= lastUj) return nowUj - lastUj;
    const wrappedUj = this.#rangeUj - lastUj + nowUj;
    // A counter moves in steps of about 1 ms, so a short time may hold the energy of a little more.
    return wrappedUj > possibleUj + BigInt(IMPOSSIBLE_W * 10_000) ? null : wrappedUj;
  }
}

function readMicrojoules(file: string): bigint {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${file} holds no number`);
  return BigInt(text);
}
