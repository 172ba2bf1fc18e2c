import type { Interval } from './numbers.ts';

/** Money and carbon, from the prices that the user gave and the mean gross energy on the primary channel. */
export interface Costs {
  /** What the energy is of: the whole machine's only where this is the plug. */
  readonly channel: string | null;
  /** Null: no price was given. */
  readonly price: { readonly per_kwh: number; readonly currency: string } | null;
  /** Grams of CO2 equivalent per kilowatt-hour; null: no intensity was given. */
  readonly intensity_g_per_kwh: number | null;
  /** What the user counts in, such as 10^9 queries; null: a single run. */
  readonly task: {
    readonly name: string;
    /** Executions of the command that it takes. */
    readonly runs: number;
  } | null;
  readonly variants: readonly CostOf[];
  /** Variant minus baseline. Of the blocks' differences with a t interval; without blocks of the means with Welch's. */
  readonly differences: readonly (CostOf & { readonly baseline: string })[];
}

/** Of a run, which is one execution of the command also where a window holds several, and of the task where one was named. */
export interface CostOf {
  readonly variant: string;
  readonly run: Amount;
  readonly task: Amount | null;
}

/** The intervals are of the scatter of the runs: the class of the meter, and what the price and the intensity leave open, are not in them. */
export interface Amount {
  readonly energy_j: number;
  readonly energy_ci95_j: Interval | null;
  readonly money: number | null;
  readonly money_ci95: Interval | null;
  readonly carbon_g: number | null;
  readonly carbon_ci95_g: Interval | null;
}
