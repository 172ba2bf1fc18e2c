import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../system/clock.ts';
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

/** Readings of two counters, taken one right after the other, that must be equal while both advance. Two registers never agree that often. */
const EQUAL_READINGS = 3;
/** Farther apart than this, two zones can't be one register that was read twice, microjoules. */
const MAX_APART_UJ = 50_000_000n;
const LOOK_MS = 5;
const MAX_LOOKS = 200;

/**
 * The zones without those that show the register of an earlier one: AMD's first multi-die processors have one counter a socket, which the
 * kernel shows once for each die (`package-0-die-0`, `package-0-die-1`). Zones that stay equal without moving can't be told apart and are kept.
 * Throws as `readFileSync` does.
 */
export async function withoutMirrors(zones: readonly Zone[], { after }: Clock): Promise<Zone[]> {
  const read = ({ path }: Zone): bigint => readMicrojoules(join(path, 'energy_uj'));
  const pairs = zones.flatMap((zone, i) =>
    zones.slice(0, i).flatMap((first) => (first.kind === zone.kind ? [{ first, zone, equal: new Set<bigint>() }] : [])),
  );
  const areFar = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) > MAX_APART_UJ;
  let open = pairs.filter(({ first, zone }) => !areFar(read(first), read(zone)));
  for (let look = 0; look < MAX_LOOKS && open.length > 0; look++) {
    for (const { first, zone, equal } of open) {
      const value = read(first);
      if (read(zone) === value) equal.add(value);
    }
    open = open.filter(({ first, zone, equal }) => equal.size < EQUAL_READINGS && !areFar(read(first), read(zone)));
    if (open.length > 0) await new Promise<void>((done) => after(LOOK_MS, done));
  }
  const mirrors = new Set(pairs.filter(({ equal }) => equal.size >= EQUAL_READINGS).map(({ zone }) => zone));
  return zones.filter((zone) => !mirrors.has(zone));
}
