import type { MachinePart } from '../findings/numbers.ts';
import type { SampleClockOwner } from '../sampling/sample-clock.ts';
import type { Look, Quantity } from '../sampling/told.ts';
import type { Clock } from '../system/clock.ts';
import type { EmulatedMeter, EmulatorSettings } from './emulator/emulator.ts';
import type { EmulatedDevice } from './emulator/http-device.ts';
import type { MeterName } from './name.ts';
import type { HttpOrigin, SessionConnection } from './network/connection.ts';
import type { Program } from './program/program.ts';
import type { Line, LineFormat } from './serial/line.ts';

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

/** What was told at a sample's moment; `since`: at the look before, where counters are looked at. */
export interface Told extends Look {
  readonly since: Look | null;
}

/** What a meter gave, and the nanoseconds before its arrival that it stands for. */
export type RawReading = readonly [durationNs: number, powerW: number];

/** A gap, a malformed record, a lost continuity: an observation beside the samples, kept in the database. */
export interface MeterEvent {
  readonly tNs: bigint;
  /** `gap`: readings are missing between the last sample and this moment. `note`: worth knowing, nothing is lost. */
  readonly kind: 'gap' | 'note';
  readonly detail: string;
}

/**
 * How the meter sees an edge.
 * `guard`: it averages and reports late, so energy is summed from guard to guard (method reference: guard blocks).
 * `counter`: it is read at the very edge of a window (`mark`), so the samples inside the window are exactly the window.
 */
export type Integration = 'guard' | 'counter';

export interface ChannelInfo {
  /** `wall`, `package`, `dram`, `cpu-model`, … unique within an experiment; a label, whose meaning is in `part`. */
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

export interface MeterSink {
  sample(channel: string, sample: Sample): void;
  event(event: MeterEvent): void;
  /** The meter is gone and gives no more samples. Called once. */
  lost(error: Error): void;
}

/** From a question until its reading was there, of all readings so far. */
export interface Replies {
  readonly count: number;
  readonly meanS: number;
  readonly mostS: number;
}

/** A source of power readings or energy counters. Errors thrown by its methods are sentences for the user (`JoulediffError`). */
export interface Meter {
  readonly info: MeterInfo;
  /** Starts sampling into `sink`; resolves when samples are known to come. */
  start(sink: MeterSink): Promise<void>;
  /**
   * Counter meters: reads now, synchronously, and gives the sample that ends here; so a window's edge is a sample's edge.
   * Other meters do nothing.
   */
  mark(): void;
  /** Meters that are asked: how long their answers took. Absent: it sends by itself, or is read at once. */
  replies?(): Replies | null;
  /** Stops sampling and lets go of the port. Bounded in time, never throws, may be called twice. */
  stop(): Promise<void>;
}

/** Where meters are opened: the machine's own clock, serial ports, network and programs, or a test's. */
export interface MeterHost {
  readonly clock: Clock;
  /** Throws MeasureError: not there, not allowed, in use, not a serial port. */
  openLine(path: string, format: LineFormat): Promise<Line>;
  /** A plain socket in the network. Throws MeasureError: nothing listens there. */
  openTcp(host: string, port: number): Promise<Line>;
  /** An instrument on USB, `/dev/usbtmcN`. Throws MeasureError: not there, not allowed. */
  openUsbtmc(path: string): Promise<Line>;
  /** As `openHttp` of `network/connection.ts`. */
  openHttp(origin: HttpOrigin): Promise<SessionConnection>;
  /** As `startProgram` of `program/program.ts`. */
  startProgram(command: string, names: readonly string[]): Program;
}

/**
 * What somebody who chooses a meter must know, for the most usual product of a type; `docs/meters.md` is made of it. Clauses that stand in
 * a table, without a full stop.
 */
export interface MeterSheet {
  readonly product: string;
  /** It is a model: its smallest change would mean nothing. */
  readonly modelled?: true;
  /** Order of magnitude of what has to be bought, an adapter included. */
  readonly price: 'nothing' | 'under €50' | '€50 to €300' | '€300 to €1,000' | 'thousands of €';
  /** As `MeterInfo.accuracy`. */
  readonly accuracy: MeterInfo['accuracy'];
  /** As `MeterInfo.minimumGuardS`. */
  readonly minimumGuardS: number;
  /** The primary channel as the meter opens with default options. */
  readonly channel: Omit<ChannelInfo, 'channel'>;
  readonly wiring: string;
  /** What it can't see. */
  readonly blind: string;
  readonly risks: string;
}

/** One line a meter type in the registry. */
export interface MeterType {
  readonly type: string;
  readonly sheet: MeterSheet;
  /** Keys of `MeterInfo.identity` that are read of the mains, and so differ from one opening to the next. Default: none. */
  readonly momentary?: readonly string[];
  /** It tells what the machine uses that it is read on, and nothing of another one; where its address decides, that of a name. */
  readonly ownMachine?: boolean | ((name: MeterName) => boolean);
  /** Never tried by `auto`: only its owner knows where it is. */
  readonly onlyNamed?: boolean;
  /** Throws InputError when the name's address or options are wrong for this type. Touches nothing. */
  check(name: MeterName): void;
  /** Names of those that this machine shows by its files; nothing is opened or started. `root`: as the option of that name, for tests. */
  found?(root?: string): readonly string[];
  /** Opens and identifies; throws InputError (bad options) or MeasureError (not there, not allowed, something else on the port). */
  open(name: MeterName, host: MeterHost): Promise<Meter>;
  /**
   * Serial meters: what answers on this port, a few words, or null when it is no meter of this type. Sends only what changes nothing on any
   * meter, ends in bounded time, and lets go of the port. Throws MeasureError when the port can't be used.
   */
  probe?(port: string, host: MeterHost): Promise<string | null>;
  /**
   * Serial meters whose type only their owner can tell: what answers on this port, as `probe`, with how to name it. Never asked by `auto`.
   */
  hint?(port: string, host: MeterHost): Promise<string | null>;
  /** What can be emulated where its products speak differently; the first one by default. */
  readonly models?: readonly string[];
  /** Serial meters: one that is emulated, for trying everything without hardware. */
  emulate?(settings: EmulatorSettings, model?: string): EmulatedMeter;
  /** Meters in the network: one that is emulated, likewise. */
  emulateDevice?(settings: EmulatorSettings, model?: string): EmulatedDevice;
}
