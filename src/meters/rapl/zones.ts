import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entries, text } from '../sysfs.ts';

export interface Zone {
  /** Folder in the powercap tree. */
  readonly path: string;
  /** Content of its `name` file: `package-0`, `dram`, … */
  readonly name: string;
  /** `psys`: the whole platform, as its maker wired it; the packages are inside of it. */
  readonly kind: 'package' | 'dram' | 'psys';
}

/**
 * The zones whose energy is told: packages, dram, and psys. Kinds are told by the `name` file, never by the index. Left out: core and uncore
 * (inside of package), and `intel-rapl-mmio` (the same counters a second time). AMD's processors have the same zones under the same names,
 * without dram. Empty where there is none.
 */
export function findZones(root: string): Zone[] {
  return entries(root)
    .filter((entry) => /^intel-rapl:\d+(:\d+)*$/.test(entry))
    .flatMap((entry): Zone[] => {
      const path = join(root, entry);
      const name = text(join(path, 'name'));
      if (name === null) return [];
      const kind = name === 'dram' ? name : /^(package|psys)(?:-|$)/.exec(name)?.[1];
      return kind === undefined ? [] : [{ path, name, kind: kind as Zone['kind'] }];
    });
}

/** The package that a zone belongs to: `package-0` for `package-0-die-1`; null: it is no zone of a package. */
export function packageOf({ name }: Zone): string | null {
  return /^package-\d+/.exec(name)?.[0] ?? null;
}

/** Number of processor packages of the machine, null where its topology can't be read. */
export function packagesOfMachine(cpuRoot: string): number | null {
  const ids = entries(cpuRoot)
    .filter((entry) => /^cpu\d+$/.test(entry))
    .map((entry) => text(join(cpuRoot, entry, 'topology/physical_package_id')))
    .filter((id) => id !== null);
  return ids.length === 0 ? null : new Set(ids).size;
}

/** No zone of this kind takes this much, watts: the largest processors peak below 1 kW, the largest servers below 20. */
const IMPOSSIBLE_W: Readonly<Record<Zone['kind'], number>> = { package: 2000, dram: 2000, psys: 20_000 };
/** A counter moves in steps of about 1 ms, so a short time may hold the energy of a little more. */
const STEP_S = 0.01;

/** What a counter goes through. */
export interface CounterLimits {
  /** After this it begins at 0 again, microjoules. */
  readonly rangeUj: bigint;
  /** More than this is impossible, watts. */
  readonly limitW: number;
}

/**
 * Microjoules between two readings `elapsedS` apart. A counter that is lower than before has wrapped: the rest of its range counts, short by
 * one unit of the hardware at most. Null where that can't be known: in this time it may have wrapped more than once, or the power would be
 * impossible, since it was reset.
 */
export function countedUj(lastUj: bigint, nowUj: bigint, elapsedS: number, limits: CounterLimits): bigint | null {
  const { rangeUj, limitW } = limits;
  const possibleUj = BigInt(Math.ceil((elapsedS + STEP_S) * limitW * 1e6));
  if (possibleUj > rangeUj) return null;
  const countedUj = nowUj >= lastUj ? nowUj - lastUj : rangeUj - lastUj + nowUj;
  return countedUj > possibleUj ? null : countedUj;
}

/** One zone's energy counter. Its methods throw as `readFileSync` does, and on content that is no number. */
export class ZoneCounter {
  readonly #file: string;
  readonly #limits: CounterLimits;
  #lastUj: bigint;

  constructor({ path, kind }: Zone) {
    this.#file = join(path, 'energy_uj');
    this.#limits = { rangeUj: readMicrojoules(join(path, 'max_energy_range_uj')), limitW: IMPOSSIBLE_W[kind] };
    this.#lastUj = readMicrojoules(this.#file);
  }

  /** As it was read last. */
  get lastUj(): bigint {
    return this.#lastUj;
  }

  /** It begins at 0 again after this. */
  get rangeUj(): bigint {
    return this.#limits.rangeUj;
  }

  /** Microjoules since the call before (or the construction), as `countedUj`. */
  advance(elapsedS: number): bigint | null {
    const lastUj = this.#lastUj;
    this.#lastUj = readMicrojoules(this.#file);
    return countedUj(lastUj, this.#lastUj, elapsedS, this.#limits);
  }
}

function readMicrojoules(file: string): bigint {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${file} holds no number`);
  return BigInt(text);
}
