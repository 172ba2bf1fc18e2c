import type { ChannelInfo, MeterEvent, MeterInfo, Sample } from '../contracts/reading.ts';
import type { Clock } from '../system/clock.ts';
import type { EmulatedMeter, EmulatorSettings } from './emulator/emulator.ts';
import type { EmulatedDevice } from './emulator/http-device.ts';
import type { MeterName } from './name.ts';
import type { HttpConnection, HttpOrigin, SessionConnection } from './network/connection.ts';
import type { Program } from './program/program.ts';
import type { Line, LineFormat } from './serial/line.ts';

export interface MeterSink {
  sample(channel: string, sample: Sample): void;
  event(event: MeterEvent): void;
  /** The meter is gone and gives no more samples. Called once. */
  lost(error: Error): void;
}

/** Response times of all readings so far: from a question until its reading was there. */
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
  /** Response times of a meter that is asked. Absent: it sends by itself, or is read at once. */
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
  /** A HID device on USB, `/dev/hidrawN`; each chunk is a report. Throws MeasureError: not there, not allowed. */
  openHidraw(path: string): Promise<Line>;
  /** Content of a file that a driver fills when it is read, which may take a while. Rejects with the system's error. */
  readFile(path: string): Promise<string>;
  /** As `openHttp` of `network/connection.ts`. */
  openHttp(origin: HttpOrigin): Promise<SessionConnection>;
  /** As `openKasa` of `tp-link/kasa-connection.ts`. */
  openKasa(origin: Pick<HttpOrigin, 'host' | 'port'>): Promise<HttpConnection>;
  /** As `startProgram` of `program/program.ts`. */
  startProgram(command: string, names: readonly string[]): Program;
}

/**
 * What somebody who chooses a meter must know, for the most usual product of a type; `docs/reference/meters.md` is made of it. Clauses that stand in
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
  /** Load below which the meter shows 0 or keeps its last value, watts. Absent: there is none, or it is unknown. */
  readonly smallestLoadW?: number;
  /** Primary channel of a meter that is opened with default options. */
  readonly channel: Omit<ChannelInfo, 'channel'>;
  readonly wiring: string;
  /** What the meter can't see. */
  readonly blind: string;
  readonly risks: string;
}

/** A meter type, one line in the registry. */
export interface MeterType {
  readonly type: string;
  readonly sheet: MeterSheet;
  /** Keys of `MeterInfo.identity` that depend on the mains, and so change from one opening to the next. Default: none. */
  readonly momentary?: readonly string[];
  /** Whether it can only measure the machine that it is read on; a function where that depends on the address. */
  readonly ownMachine?: boolean | ((name: MeterName) => boolean);
  /** Whether `auto` never tries it, since only its owner knows where it is. */
  readonly onlyNamed?: boolean;
  /** Throws InputError when the name's address or options are wrong for this type. Touches nothing. */
  check(name: MeterName): void;
  /** Names of the meters that this machine's files show, without opening or starting anything. `root`: as the option of that name, for tests. */
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
  /** Models that can be emulated, where products speak differently; the first one is the default. */
  readonly models?: readonly string[];
  /** Serial meters: makes an emulated one, for trying everything without hardware. */
  emulate?(settings: EmulatorSettings, model?: string): EmulatedMeter;
  /** Meters in the network: makes an emulated one. */
  emulateDevice?(settings: EmulatorSettings, model?: string): EmulatedDevice;
}
