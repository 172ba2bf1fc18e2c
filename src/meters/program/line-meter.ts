import type { MeterInfo, ReportedQuantities } from '../../contracts/reading.ts';
import { MeasureError } from '../../errors.ts';
import { LONGEST_HOLD_PERIODS } from '../../sampling/sample-clock.ts';
import { type Clock, nsToSeconds, secondsToNs } from '../../system/clock.ts';
import { excerpt } from '../excerpt.ts';
import type { Meter, MeterSink } from '../meter.ts';
import type { Program } from './program.ts';

/** Silence, in seconds and in periods, after which the meter is lost; the longer one counts. */
const PATIENCE_S = 5;
const PATIENCE_PERIODS = 5;
/** Number of readings used to estimate the sampling period. */
const FIRST = 4;
const FIRST_WITHIN_S = 30;
/** Time between two lines up to which they count as held back by a buffer. */
export const TOGETHER_NS = 5_000_000n;

/** Upper bound on lines per second: no instrument reads so often. */
const MAX_LINES_PER_S = 2000;

/** A moment and the mean power of the stretch that ends there. */
export interface TimedPower {
  readonly tNs: bigint;
  /** Power of each of the meter's channels, in their order; a fault: this one is unknown. */
  readonly powerW: readonly (number | LineFault)[];
  /** Original quantities of each channel; absent: the program reports watts. */
  readonly reported?: readonly ReportedQuantities[];
  /** A sentence that is worth knowing, although nothing is lost. */
  readonly note?: string;
}

/** Why a line is no reading, as a clause: `is not JSON: "41.2 W"`. */
export class LineFault extends Error {}

const gapOf = ({ message }: LineFault) => ({ kind: 'gap', detail: `A line of the program ${message}.` }) as const;

/** A line that came together with the one before: from a buffer, or since this process was blocked for a moment. */
export class TogetherFault extends LineFault {}

/** Parser of a program's lines, one after the other. */
export interface LineTaker {
  /** Null: this line gives no reading yet. Throws LineFault. */
  take(line: string, arrivedNs: bigint): TimedPower | null;
}

/** A meter whose readings a program prints. */
export class LineMeter implements Meter {
  readonly info: MeterInfo;
  readonly #program: Program;
  readonly #reader: LineTaker;
  readonly #clock: Clock;
  readonly #periodS: number;
  #sink: MeterSink | null = null;
  #lastNs: bigint | null = null;
  #gap = false;
  #second = { startNs: 0n, lines: 0 };
  #callOff = () => {};
  #started = () => {};
  #failed = (_: MeasureError) => {};

  constructor(info: MeterInfo, program: Program, reader: LineTaker, clock: Clock) {
    this.info = info;
    this.#program = program;
    this.#reader = reader;
    this.#clock = clock;
    this.#periodS = info.channels[0]?.samplingPeriodS ?? 1;
  }

  async start(sink: MeterSink): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#sink = sink;
    this.#started = resolve;
    this.#failed = reject;
    this.#watch();
    this.#program.onLine((line, tNs) => this.#take(line, tNs));
    this.#program.onEnd((error) => this.#lose(error));
    await promise;
  }

  get #name(): string {
    return this.info.address ?? this.info.type;
  }

  mark(): void {}

  stop(): Promise<void> {
    this.#sink = null;
    this.#callOff();
    this.#failed(new MeasureError(`The meter ${this.#name} was stopped before its first reading.`));
    return this.#program.stop();
  }

  #take(line: string, arrivedNs: bigint): void {
    const sink = this.#sink;
    if (sink === null) return;
    if (this.#floods(arrivedNs)) {
      this.#lose(
        new MeasureError(
          `The program ${excerpt(this.#name)} printed more than ${MAX_LINES_PER_S} lines within a second.`,
          { advice: 'Let it print one line for each reading.' },
        ),
      );
      return;
    }
    try {
      const power = this.#reader.take(line, arrivedNs);
      if (power === null) return;
      this.#give(sink, power);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      this.#gap = true;
      sink.event({ tNs: arrivedNs, ...gapOf(error) });
    }
  }

  #floods(tNs: bigint): boolean {
    if (tNs - this.#second.startNs >= 1_000_000_000n) this.#second = { startNs: tNs, lines: 0 };
    this.#second.lines += 1;
    return this.#second.lines > MAX_LINES_PER_S;
  }

  #give(sink: MeterSink, { tNs, powerW, reported = [], note }: TimedPower): void {
    if (note !== undefined) sink.event({ tNs, kind: 'note', detail: note });
    const sinceS = this.#lastNs === null ? this.#periodS : nsToSeconds(tNs - this.#lastNs);
    const held = sinceS <= LONGEST_HOLD_PERIODS * this.#periodS;
    if (!held && !this.#gap) {
      sink.event({ tNs, kind: 'gap', detail: `The program printed nothing for ${sinceS.toFixed(1)} s.` });
    }
    // The time since a reading before a gap says nothing about this reading's stretch.
    const durationS = held && !this.#gap ? sinceS : this.#periodS;
    for (const [index, { channel }] of this.info.channels.entries()) {
      const watts = powerW[index];
      const own = reported[index];
      if (watts instanceof LineFault) sink.event({ tNs, ...gapOf(watts), channels: [channel] });
      else if (watts !== undefined) {
        sink.sample(channel, { tNs, powerW: watts, durationS, ...(own && { reported: own }) });
      }
    }
    this.#gap = false;
    this.#lastNs = tNs;
    this.#started();
    this.#watch();
  }

  #watch(): void {
    this.#callOff();
    const patienceS = Math.max(PATIENCE_S, PATIENCE_PERIODS * this.#periodS);
    this.#callOff = this.#clock.after(Number(secondsToNs(patienceS)) / 1e6, () => {
      this.#lose(new MeasureError(`The program of the meter ${this.#name} has given no reading for ${patienceS} s.`));
    });
  }

  #lose(error: MeasureError): void {
    const sink = this.#sink;
    if (sink === null) return;
    this.#failed(error);
    void this.stop();
    sink.lost(error);
  }
}

/** How messages name a program, and what its user can do if it prints nothing useful. */
export interface LineProgram {
  /** `The program “./meter.py”` */
  readonly called: string;
  readonly advice: string;
  /** Advice on how to make its lines come as they are written. */
  readonly unbuffered: string;
}

export interface FirstReadings {
  /** Seconds from reading to reading, in two digits: the same program is to have the same rate in the next session. */
  readonly periodS: number;
}

/** Waits for some readings. Throws MeasureError: the program ends, is silent, or prints what is no reading; with what is wrong with it. */
export async function firstReadings(
  program: Program,
  taker: LineTaker,
  clock: Clock,
  { called, advice, unbuffered }: LineProgram,
): Promise<FirstReadings> {
  const readings: (TimedPower & { readonly arrivedNs: bigint })[] = [];
  let together = 0;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  program.onLine((text, arrivedNs) => {
    if (readings.length === FIRST) return;
    try {
      const reading = taker.take(text, arrivedNs);
      const fault = reading?.powerW.find((watts) => watts instanceof LineFault);
      if (fault !== undefined) throw fault;
      if (reading !== null) readings.push({ ...reading, arrivedNs });
      if (readings.length === FIRST) resolve();
    } catch (cause) {
      // Now and then, it is this machine that was busy.
      if (cause instanceof TogetherFault && ++together < FIRST) return;
      if (!(cause instanceof LineFault)) reject(cause);
      else reject(new MeasureError(`${called} prints a line that ${cause.message}.`, { advice, cause }));
    }
  });
  // The end comes after the lines: the last of them is mostly the reason.
  program.onEnd(reject);
  const callOff = clock.after(FIRST_WITHIN_S * 1000, () => {
    const reported = `printed ${readings.length} readings in ${FIRST_WITHIN_S} s; ${FIRST} are needed to know its rate`;
    reject(
      new MeasureError(`${called} ${reported}.`, {
        advice: `Is its output held back in a buffer? ${unbuffered} ${advice}`,
      }),
    );
  });
  await promise.finally(callOff);
  if (readings.at(-1)!.arrivedNs - readings[0]!.arrivedNs < TOGETHER_NS) {
    throw new MeasureError(`${called} printed several readings at the same moment.`, {
      advice: `Its output is held back in a buffer. ${unbuffered} ${advice}`,
    });
  }
  const spanS = Number(readings.at(-1)!.tNs - readings[0]!.tNs) / 1e9;
  return { periodS: Number((spanS / (FIRST - 1)).toPrecision(2)) };
}
