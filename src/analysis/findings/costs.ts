import type { Interval } from './numbers.ts';

/** Money and carbon, from the prices that the user gave and the mean gross energy on the primary channel. */
export interface Costs {
  /** Null: no price was given. */
  readonly price: { readonly per_kwh: number; readonly currency: string } | null;
  /** Grams of CO2 equivalent per kilowatt-hour; null: no intensity was given. */
  readonly intensity_g_per_kwh: number | null;
  /** What the user counts in, such as 10^9 queries; null: a single run. */
  readonly task: { readonly name: string; readonly runs: number } | null;
  readonly variants: readonly CostOf[];
  readonly differences: readonly (CostOf & { readonly baseline: string })[];
}

/** Of a run, and of the task where one was named. */
export interface CostOf {
  readonly variant: string;
  readonly run: Amount;
  readonly task: Amount | null;
}

export interface Amount {
  readonly energy_j: number;
  readonly energy_ci95_j: Interval | null;
  readonly money: number | null;
  readonly money_ci95: Interval | null;
  readonly carbon_g: number | null;
  readonly carbon_ci95_g: Interval | null;
}
