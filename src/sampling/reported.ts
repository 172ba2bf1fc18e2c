/** Units as fractions of a joule or watt: multiplied by the first number, then divided by the second, so that no factor is rounded. */
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
export const REPORTED_UNITS = Object.keys(UNITS) as Unit[];

export const REPORTED_ROLES = ['counter', 'interval', 'seconds', 'power', 'beside'] as const;

/** A quantity that a meter reports in place of watts. */
export interface Quantity {
  /** The meter's own name for it: `package-0`, `energy_j`. */
  readonly name: string;
  readonly unit: Unit;
  /**
   * How the channel's power follows from it. `counter`: energy since some moment; `interval`: energy of the `seconds` given with it; `power`: itself.
   * Several of one role are added. `beside`: it has no part in the power.
   */
  readonly role: (typeof REPORTED_ROLES)[number];
  /** Value at which a counter begins at 0 again, in its unit; absent: that is unknown, and a fall is a gap. */
  readonly range?: number | undefined;
}

/** One reading of such quantities, in their order. */
export interface CounterReading {
  readonly tNs: bigint;
  readonly values: readonly number[];
}

export const inSi = (amount: number, unit: Unit): number => (amount * UNITS[unit][0]) / UNITS[unit][1];

/**
 * Watts from a reading: the same conversion while measuring and when a database is read again. `since`: the reading before, which counters need.
 * Null: it holds no power, or no time has passed.
 */
export function powerFrom(
  quantities: readonly Quantity[],
  { tNs, values }: CounterReading,
  since: CounterReading | null,
): number | null {
  const sum = (role: Quantity['role'], amount: (quantity: Quantity, index: number) => number) =>
    quantities.reduce((all, one, index) => (one.role === role ? all + inSi(amount(one, index), one.unit) : all), 0);
  const has = (role: Quantity['role']) => quantities.some((one) => one.role === role);
  const reported = (_: Quantity, index: number) => values[index] ?? Number.NaN;
  if (has('power')) return sum('power', reported);
  const [joules, seconds] = has('interval')
    ? [sum('interval', reported), sum('seconds', reported)]
    : [
        sum('counter', (one, index) => counted(since?.values[index] ?? Number.NaN, reported(one, index), one.range)),
        since === null ? 0 : Number(tNs - since.tNs) / 1e9,
      ];
  return seconds > 0 ? joules / seconds : null;
}

/** Advance of a counter. One that is lower than before has wrapped if it has a range; the sum is short by one hardware unit at most. */
function counted(before: number, now: number, range: number | undefined): number {
  return now < before && range !== undefined ? range - before + now : now - before;
}
