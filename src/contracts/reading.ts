import type { MachinePart } from '../findings/numbers.ts';
import type { CounterReading, Quantity } from '../sampling/reported.ts';
import type { SampleClockOwner } from '../sampling/sample-clock.ts';

/**
 * One reading: the mean power of a stretch of time that ended, as far as the meter's latency lets us say, at `tNs`.
 * Meters that count energy are read twice and give the mean power between the two readings: the same shape.
 */
export interface Sample {
  /** Arrival time on the host, CLOCK_MONOTONIC (`process.hrtime.bigint()`), nanoseconds. */
  readonly tNs: bigint;
  /** Mean power, watts. Never interpolated: a missing reading is a missing sample. */
  readonly powerW: number;
  /** Length of the stretch that the reading averages, seconds. */
  readonly durationS: number;
  /** The individual readings whose mean is `powerW`, as the meter gave them, in order; absent: `powerW` is a single reading. */
  readonly readings?: readonly RawReading[];
  /** Values of the channel's `quantities`, if the meter reports something other than watts. */
  readonly reported?: ReportedQuantities;
}

/** Values reported at the time of a sample; `since`: those of the previous reading, if the meter is a counter. */
export interface ReportedQuantities extends CounterReading {
  readonly since: CounterReading | null;
}

/** A single reading, and the nanoseconds before its arrival that it covers. */
export type RawReading = readonly [durationNs: number, powerW: number];

/** A gap, a malformed record, or a lost continuity: recorded in the database beside the samples. */
export interface MeterEvent {
  readonly tNs: bigint;
  /** `gap`: readings are missing between the last sample and this moment. `note`: worth knowing, nothing is lost. */
  readonly kind: 'gap' | 'note';
  readonly detail: string;
  /** Names of the affected channels; absent: all. */
  readonly channels?: readonly string[];
}

/**
 * How the meter resolves the edges of a window.
 * `guard`: it averages and reports late, so energy is summed from guard to guard (method reference: guard blocks).
 * `counter`: it is read at the very edge of a window (`mark`), so the samples inside the window are exactly the window.
 */
export type Integration = 'guard' | 'counter';

export interface ChannelInfo {
  /** Name of the channel, such as `wall`, `package` or `dram`; unique within an experiment. What it measures is in `part`. */
  readonly channel: string;
  /** Part of the machine that the channel measures; absent: unknown, as for a model. */
  readonly part?: MachinePart | undefined;
  readonly integration: Integration;
  /** Nominal seconds between samples. */
  readonly samplingPeriodS: number;
  readonly clock: SampleClockOwner;
  /** Smallest step of a reading, watts; absent: unknown, or finer than matters. */
  readonly resolutionW?: number | undefined;
  /**
   * Largest error of a window's edges, seconds, for meters that the host polls: a counter is updated only so often, and a
   * register is read only so often. Absent: unknown for a counter, the sampling period for a register.
   */
  readonly edgeS?: number | undefined;
  /** Quantities that the meter reports instead of watts, which are computed from them, or beside watts; absent: watts only. */
  readonly quantities?: readonly Quantity[] | undefined;
}

export interface MeterInfo {
  /** Type of the meter name: `watts-up-pro`, `rapl`, `estimate`, … */
  readonly type: string;
  /** Port or path; null where there is none. */
  readonly address: string | null;
  /** `measured`: by an instrument. `modelled`: computed from something else. `emulated`: simulated by an emulator. */
  readonly source: 'measured' | 'modelled' | 'emulated';
  /** Properties that the meter reports of itself (model, firmware, zones, …), for the record. */
  readonly identity: Readonly<Record<string, string | number | boolean>>;
  /** Accuracy class as limits: gain in percent of the reading, offset in watts; null: unknown. */
  readonly accuracy: { readonly gainPercent: number; readonly offsetW: number } | null;
  /** Shortest guard that covers its latency and settling, seconds. */
  readonly minimumGuardS: number;
  /** The first is this meter's primary channel. */
  readonly channels: readonly ChannelInfo[];
  /** Sentences that a reader of the numbers must know (for example, the model of `estimate`). */
  readonly remarks: readonly string[];
}
