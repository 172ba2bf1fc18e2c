import type { MachinePart } from '../findings/numbers.ts';
import type { SampleClockOwner } from '../sampling/sample-clock.ts';
import type { CounterReading, Quantity } from '../sampling/told.ts';

/**
 * One reading: the mean power of a stretch of time that ended, as far as the meter's latency lets us say, at `tNs`.
 * Meters that count energy are read twice and give the mean power between the two readings: the same shape.
 */
export interface Sample {
  /** Arrival on the host, CLOCK_MONOTONIC (`process.hrtime.bigint()`), nanoseconds. */
  readonly tNs: bigint;
  /** Watts. Never invented: a missing reading is a missing sample. */
  readonly powerW: number;
  /** Length of the stretch that the reading averages, seconds. */
  readonly durationS: number;
  /** Where `powerW` is the mean of several readings: these, as the meter gave them, in their order. */
  readonly readings?: readonly RawReading[];
  /** Where the meter tells something else than watts: that, of its channel's `quantities`. */
  readonly told?: Told;
}

/** What was told at a sample's moment; `since`: at the reading before, where the meter is a counter. */
export interface Told extends CounterReading {
  readonly since: CounterReading | null;
}

/** What a meter gave, and the nanoseconds before its arrival that it stands for. */
export type RawReading = readonly [durationNs: number, powerW: number];

/** A gap, a malformed record, a lost continuity: an observation beside the samples, kept in the database. */
export interface MeterEvent {
  readonly tNs: bigint;
  /** `gap`: readings are missing between the last sample and this moment. `note`: worth knowing, nothing is lost. */
  readonly kind: 'gap' | 'note';
  readonly detail: string;
  /** Names of the channels that it concerns; absent: all. */
  readonly channels?: readonly string[];
}

/**
 * How the meter sees an edge.
 * `guard`: it averages and reports late, so energy is summed from guard to guard (method reference: guard blocks).
 * `counter`: it is read at the very edge of a window (`mark`), so the samples inside the window are exactly the window.
 */
export type Integration = 'guard' | 'counter';

export interface ChannelInfo {
  /** Name of the channel, such as `wall`, `package` or `dram`; unique within an experiment. What it measures is in `part`. */
  readonly channel: string;
  /** Absent: not known to be one of these, as a model's. */
  readonly part?: MachinePart | undefined;
  readonly integration: Integration;
  /** Nominal seconds between samples. */
  readonly samplingPeriodS: number;
  readonly clock: SampleClockOwner;
  /** Smallest step of a reading, watts; absent: unknown, or finer than matters. */
  readonly resolutionW?: number | undefined;
  /**
   * Where the host asks: how far an edge may be put too early or too late at the most, seconds. A counter is renewed only so often; a
   * register is asked only so often. Absent: unknown for a counter, the sampling period for a register.
   */
  readonly edgeS?: number | undefined;
  /** What the meter tells in the place of watts, from which they are computed, or beside them; absent: it tells watts. */
  readonly quantities?: readonly Quantity[] | undefined;
}

export interface MeterInfo {
  /** Type of the meter name: `watts-up-pro`, `rapl`, `estimate`, … */
  readonly type: string;
  /** Port or path; null where there is none. */
  readonly address: string | null;
  /** `measured`: an instrument. `modelled`: computed from something else. `emulated`: an emulator said so. */
  readonly source: 'measured' | 'modelled' | 'emulated';
  /** What the meter says of itself (model, firmware, zones, …), for the record. */
  readonly identity: Readonly<Record<string, string | number | boolean>>;
  /** Accuracy class as limits: gain in percent of the reading, offset in watts; null: unknown. */
  readonly accuracy: { readonly gainPercent: number; readonly offsetW: number } | null;
  /** Shortest guard that holds its latency and settling, seconds. */
  readonly minimumGuardS: number;
  /** The first is this meter's primary channel. */
  readonly channels: readonly ChannelInfo[];
  /** What a reader must know of these numbers (for example the model of `estimate`), sentences. */
  readonly remarks: readonly string[];
}
