/** Joules, or watts, in one of a unit: times the first, over the second, so that none of them is rounded. */
const UNITS = {
  uJ: [1, 1e6],
  mJ: [1, 1000],
  J: [1, 1],
  kJ: [1000, 1],
  Wh: [3600, 1],
  kWh: [3.6e6, 1],
  mW: [1, 1000],
  W: [1, 1],
  kW: [1000, 1],
  s: [1, 1],
} as const;

export type Unit = keyof typeof UNITS;
export const TOLD_UNITS = Object.keys(UNITS) as Unit[];

export const TOLD_ROLES = ['counter', 'interval', 'seconds', 'power', 'beside'] as const;

/** Something that a meter tells in the place of watts. */
export interface Quantity {
  /** As the meter calls it: `package-0`, `energy_j`. */
  readonly name: string;
  readonly unit: Unit;
  /**
   * What it does to the channel's power. `counter`: energy since some moment; `interval`: energy of the `seconds` that are told with it; `power`: itself.
   * Several are added. `beside`: nothing.
   */
  readonly role: (typeof TOLD_ROLES)[number];
  /** A counter begins at 0 again after this, in its unit; absent: where that is isn't known, and a fall is a gap. */
  readonly range?: number | undefined;
}

/** A look at such quantities, in their order. */
export interface CounterReading {
  readonly tNs: bigint;
  readonly values: readonly number[];
}

export const inSi = (amount: number, unit: Unit): number => (amount * UNITS[unit][0]) / UNITS[unit][1];

/**
 * Watts from what was told: the one conversion, when a meter is read and whenever a database is read again. `since`: the look before, which counters
 * need. Null: nothing of it is a power, or no time has gone by.
 */
export function powerFrom(
  quantities: readonly Quantity[],
  { tNs, values }: CounterReading,
  since: CounterReading | null,
): number | null {
  const sum = (role: Quantity['role'], amount: (quantity: Quantity, index: number) => number) =>
    quantities.reduce((all, one, index) => (one.role === role ? all + inSi(amount(one, index), one.unit) : all), 0);
  const has = (role: Quantity['role']) => quantities.some((one) => one.role === role);
  const told = (_: Quantity, index: number) => values[index] ?? Number.NaN;
  if (has('power')) return sum('power', told);
  const [joules, seconds] = has('interval')
    ? [sum('interval', told), sum('seconds', told)]
    : [
        sum('counter', (one, index) => counted(since?.values[index] ?? Number.NaN, told(one, index), one.range)),
        since === null ? 0 : Number(tNs - since.tNs) / 1e9,
      ];
  return seconds > 0 ? joules / seconds : null;
}

/** A counter that is lower than before has wrapped where it has a range: the rest of that counts, short by one unit of the hardware at most. */
function counted(before: number, now: number, range: number | undefined): number {
  return now < before && range !== undefined ? range - before + now : now - before;
}
