import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../system/clock.ts';
import { entries, text } from '../sysfs.ts';

export interface Zone {
  /** Folder in the powercap tree. */
  readonly path: string;
  /** Content of its `name` file: `package-0`, `dram`, … */
  readonly name: string;
  /** Kind of zone. `psys`: the whole platform, as its maker wired it, packages included. */
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
export function parsePackage({ name }: Zone): string | null {
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

/** Upper bound on the power of each kind of zone, watts: the largest processors peak below 1 kW, the largest servers below 20 kW. */
const IMPOSSIBLE_W: Readonly<Record<Zone['kind'], number>> = { package: 2000, dram: 2000, psys: 20_000 };
/** A counter moves in steps of about 1 ms, so a short time may hold the energy of a little more. */
const STEP_S = 0.01;

/** Range of a counter, and the power that it can show. */
export interface CounterLimits {
  /** Value at which it begins at 0 again, microjoules. */
  readonly rangeUj: bigint;
  /** Upper bound on its power, watts. */
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
  readonly #openedUj: bigint;
  /** Last value read, microjoules; null: it could not be read. */
  #lastUj: bigint | null;

  constructor({ path, kind }: Zone) {
    this.#file = join(path, 'energy_uj');
    this.#limits = { rangeUj: readMicrojoules(join(path, 'max_energy_range_uj')), limitW: IMPOSSIBLE_W[kind] };
    this.#openedUj = readMicrojoules(this.#file);
    this.#lastUj = this.#openedUj;
  }

  /** Last value read, microjoules; null: it could not be read. */
  get lastUj(): bigint | null {
    return this.#lastUj;
  }

  /** Value at which it begins at 0 again, microjoules. */
  get rangeUj(): bigint {
    return this.#limits.rangeUj;
  }

  /** Microjoules since the construction, read now; good until the counter wraps a second time. */
  sinceOpenedUj(): bigint {
    const nowUj = readMicrojoules(this.#file);
    return nowUj >= this.#openedUj ? nowUj - this.#openedUj : this.#limits.rangeUj - this.#openedUj + nowUj;
  }

  /**
   * Reads the counter, and gives the microjoules since the previous reading. Null: they aren't known (see `countedUj`), or the previous reading
   * failed. Throws Error when the file can't be read.
   */
  advance(elapsedS: number): bigint | null {
    const lastUj = this.#lastUj;
    this.#lastUj = null;
    this.#lastUj = readMicrojoules(this.#file);
    return lastUj === null ? null : countedUj(lastUj, this.#lastUj, elapsedS, this.#limits);
  }
}

function readMicrojoules(file: string): bigint {
  const text = readFileSync(file, 'utf8').trim();
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${file} holds no number`);
  return BigInt(text);
}

/** Number of different advances that two counters must have in common before they are taken for one register. */
const EQUAL_ADVANCES = 3;
/** After this many polls of moving counters, two are different if they differ in more than this share of the polls. */
const ENOUGH_POLLS = 20;
const UNEQUAL_SHARE = 0.2;
const POLL_MS = 5;
/** Upper bounds on the polls: after these, zones that never moved are kept, or any zones. */
const MAX_POLLS = { unmoved: 300, any: 1000 };

/** Whether two zones advance alike. Their values may differ: each began to count when it was switched on. */
class Pair {
  readonly #first: ZoneCounter;
  readonly second: ZoneCounter;
  readonly #equal = new Set<bigint>();
  #moved = 0;
  #unequal = 0;

  constructor(first: ZoneCounter, second: ZoneCounter) {
    this.#first = first;
    this.second = second;
  }

  /** Reads both counters, one right after the other, and keeps whether they have come equally far. */
  poll(): void {
    const [firstUj, secondUj] = [this.#first.sinceOpenedUj(), this.second.sinceOpenedUj()];
    if (firstUj === 0n && secondUj === 0n) return;
    this.#moved++;
    if (firstUj === secondUj) this.#equal.add(firstUj);
    else this.#unequal++;
  }

  /** Whether both show one register; null: it can't be told yet. */
  get areOne(): boolean | null {
    const isUnlike = this.#unequal > UNEQUAL_SHARE * this.#moved;
    if (this.#moved < ENOUGH_POLLS) return null;
    if (isUnlike) return false;
    return this.#equal.size >= EQUAL_ADVANCES ? true : null;
  }

  get hasMoved(): boolean {
    return this.#moved > 0;
  }
}

/**
 * The zones without those that show the register of an earlier one: AMD's first multi-die processors have one counter a socket, which the
 * kernel shows once for each die (`package-0-die-0`, `package-0-die-1`). Zones that don't move can't be told apart and are kept; `rapl` goes
 * on watching them. Throws as `readFileSync` does.
 */
export async function withoutMirrors(zones: readonly Zone[], { after }: Clock): Promise<Zone[]> {
  const counters = zones.map((zone) => ({ zone, counter: new ZoneCounter(zone) }));
  const pairs = counters.flatMap(({ zone, counter }, i) =>
    counters
      .slice(0, i)
      .filter((one) => one.zone.kind === zone.kind)
      .map((one) => new Pair(one.counter, counter)),
  );
  let open = pairs;
  for (let poll = 0; poll < MAX_POLLS.any && open.length > 0; poll++) {
    await new Promise<void>((done) => after(POLL_MS, done));
    for (const pair of open) pair.poll();
    open = open.filter((pair) => pair.areOne === null && (pair.hasMoved || poll < MAX_POLLS.unmoved));
  }
  const mirrors = new Set(pairs.filter(({ areOne }) => areOne).map(({ second }) => second));
  return counters.filter(({ counter }) => !mirrors.has(counter)).map(({ zone }) => zone);
}
