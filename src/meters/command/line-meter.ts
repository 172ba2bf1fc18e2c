import { MeasureError } from '../../errors.ts';
import { LONGEST_HOLD_PERIODS } from '../../sampling/sample-clock.ts';
import { type Clock, nsToSeconds, secondsToNs } from '../../system/clock.ts';
import { EnergySteps } from '../energy-steps.ts';
import type { Meter, MeterInfo, MeterSink } from '../meter.ts';
import type { Program } from '../program/program.ts';
import { LineFault, type LineReading, MOST_W, parseLine } from './reading.ts';

/** Silence after which the meter is lost, seconds: at least, and in periods. */
const PATIENCE_S = 5;
const PATIENCE_PERIODS = 5;
/** A time that is told may be off by this from the line's arrival, nanoseconds: later, and earlier. */
const AHEAD_NS = 100_000_000n;
const BEHIND_NS = 60_000_000_000n;

/** A moment and the mean power of the stretch that ends there. */
export interface TimedPower {
  readonly tNs: bigint;
  readonly powerW: number;
}

/** Takes a program's readings apart, one after the other: power as it is, energy as the difference from the one before. */
export class LineReader {
  #kind: LineReading['kind'] | null = null;
  #lastNs: bigint | null = null;
  #steps: EnergySteps | null = null;

  /** Null: nothing to be had from this line yet. Throws LineFault. */
  take(line: string, arrivedNs: bigint): TimedPower | null {
    const reading = parseLine(line);
    if (reading === null) return null;
    const { kind, value } = reading;
    if (this.#kind !== null && kind !== this.#kind) throw new LineFault('changes between power_w and energy_j');
    this.#kind = kind;
    const tNs = reading.tNs ?? arrivedNs;
    if (tNs > arrivedNs + AHEAD_NS || tNs < arrivedNs - BEHIND_NS) {
      throw new LineFault('has a t_ns that is not of CLOCK_MONOTONIC, the time since this machine was started');
    }
    if (this.#lastNs !== null && tNs <= this.#lastNs) {
      throw new LineFault(
        reading.tNs === null ? 'came together with the one before' : 'has a t_ns that does not advance',
      );
    }
    this.#lastNs = tNs;
    if (kind === 'power') return { tNs, powerW: value };
    if (this.#steps === null) {
      this.#steps = new EnergySteps(tNs, value);
      return null;
    }
    const told = this.#steps.look(tNs, value);
    if ('missing' in told) throw new LineFault(told.missing.replace(/^its /, 'tells that its '));
    const { powerW } = told;
    if (powerW > MOST_W) throw new LineFault(`tells of ${powerW} W since the one before, more than any meter`);
    return { tNs, powerW };
  }
}

/** A meter that a program of the user's speaks for. */
export class LineMeter implements Meter {
  readonly info: MeterInfo;
  readonly #program: Program;
  readonly #reader: LineReader;
  readonly #clock: Clock;
  readonly #periodS: number;
  #sink: MeterSink | null = null;
  #lastNs: bigint | null = null;
  #gap = false;
  #callOff = () => {};
  #started = () => {};

  constructor(info: MeterInfo, program: Program, reader: LineReader, clock: Clock) {
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
    this.#watch();
    this.#program.onLine((line, tNs) => this.#take(line, tNs));
    this.#program.onEnd((error) => {
      this.#lose(error);
      reject(error);
    });
    await promise;
  }

  mark(): void {}

  stop(): Promise<void> {
    this.#sink = null;
    this.#callOff();
    return this.#program.stop();
  }

  #take(line: string, arrivedNs: bigint): void {
    const sink = this.#sink;
    if (sink === null) return;
    try {
      const power = this.#reader.take(line, arrivedNs);
      if (power === null) return;
      this.#give(sink, power);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      this.#gap = true;
      sink.event({ tNs: arrivedNs, kind: 'gap', detail: `A line of the program ${error.message}.` });
    }
  }

  #give(sink: MeterSink, { tNs, powerW }: TimedPower): void {
    const channel = this.info.channels[0]?.channel ?? '';
    const sinceS = this.#lastNs === null ? this.#periodS : nsToSeconds(tNs - this.#lastNs);
    const held = sinceS <= LONGEST_HOLD_PERIODS * this.#periodS;
    if (!held && !this.#gap) {
      sink.event({ tNs, kind: 'gap', detail: `The program told nothing for ${sinceS.toFixed(1)} s.` });
    }
    // What came after a gap says nothing of the gap itself.
    sink.sample(channel, { tNs, powerW, durationS: held && !this.#gap ? sinceS : this.#periodS });
    this.#gap = false;
    this.#lastNs = tNs;
    this.#started();
    this.#watch();
  }

  #watch(): void {
    this.#callOff();
    const patienceS = Math.max(PATIENCE_S, PATIENCE_PERIODS * this.#periodS);
    this.#callOff = this.#clock.after(Number(secondsToNs(patienceS)) / 1e6, () => {
      this.#lose(
        new MeasureError(`The program of the meter ${this.info.address} has told no reading for ${patienceS} s.`),
      );
    });
  }

  #lose(error: MeasureError): void {
    const sink = this.#sink;
    if (sink === null) return;
    void this.stop();
    sink.lost(error);
  }
}
