import type { MeasureError } from '../../errors.ts';
import { type Clock, nsToSeconds, sleep } from '../../system/clock.ts';
import type { PolledReading, PolledSource } from '../polled-meter.ts';
import { LineEnd } from '../serial/exchange.ts';
import type { Line } from '../serial/line.ts';
import { COMMANDS, REPORT_NS, readReport } from './reports.ts';

/** Pause after each of the first commands, milliseconds: without it the meter crashes. */
const COMMAND_PAUSE_MS = 25;
const POLL_MS = 1000;
const SILENCE_NS = 1_500_000_000n;
/** Time without a report after which all reports that came while this process was busy have been read. */
const SETTLED_NS = 10_000_000n;
const LOOK_MS = 10;
/** Silence that ends the reading of the meter's last reports: its screen freezes unless it can send them. */
const QUIET_NS = 300_000_000n;
/** Time after which a meter that goes on sending is left alone. */
const DRAIN_NS = 2_500_000_000n;
/** Number of missing reports, in two readings in a row, that counts as a loss. Fewer may only be late. */
const LOST = 2;
/** Part of the missing reports that the next reading remembers: a meter whose clock is 3 % slow then has none. */
const KEPT = 0.9;

/** Upper bound on the reports in one reading; older ones belong to a gap. */
const MAX_KEPT = 12;

/** How often the meter must be asked to go on, by its model. */
export type Polling = 'second' | 'report';

/** Mean power of all reports since the reading before: the meter sends 25 a second by its own clock. */
export class ReportSource implements PolledSource {
  readonly waits = true;
  readonly #line: Line;
  readonly #clock: Clock;
  readonly #polling: Polling;
  readonly #end: LineEnd;
  #powersW: number[] = [];
  /** Number of data reports since the reading before, faulty ones included. */
  #seen = 0;
  #fault: string | null = null;
  /** Number of reports that should have come and have not. */
  #owed = 0;
  #lastNs = 0n;
  #readNs: bigint | null = null;
  #draining = false;
  #callOff = () => {};
  #closing: Promise<void> | null = null;

  constructor(line: Line, clock: Clock, polling: Polling) {
    this.#line = line;
    this.#clock = clock;
    this.#polling = polling;
    line.onData((report, tNs) => this.#take(report, tNs));
    this.#end = new LineEnd(line, () => this.#callOff());
  }

  /** Starts the stream. Throws MeasureError when the line is lost. */
  async begin(): Promise<void> {
    const last = this.#polling === 'report' ? COMMANDS.poll : COMMANDS.start;
    for (const command of [COMMANDS.hello, COMMANDS.start, last]) {
      await this.#line.write(command);
      await sleep(this.#clock, COMMAND_PAUSE_MS);
    }
    this.#keepOn();
  }

  async read(): Promise<PolledReading> {
    const askedNs = this.#clock.nowNs();
    const sinceNs = (tNs: bigint) => this.#clock.nowNs() - tNs;
    while (this.#seen === 0 || sinceNs(this.#lastNs) < SETTLED_NS) {
      if (this.#end.error) throw this.#end.error;
      if (sinceNs(askedNs) > SILENCE_NS) {
        return {
          missing: `no report came within ${nsToSeconds(SILENCE_NS)} s${this.#fault ? `, and one ${this.#fault}` : ''}`,
        };
      }
      await sleep(this.#clock, LOOK_MS);
    }
    const [powersW, fault, tNs] = [this.#powersW, this.#fault, this.#lastNs];
    const due = this.#readNs === null ? this.#seen : Number(tNs - this.#readNs) / Number(REPORT_NS);
    const owed = KEPT * this.#owed + due - this.#seen;
    const lost = Math.round(Math.min(this.#owed, owed));
    this.#owed = owed;
    this.#powersW = [];
    this.#seen = 0;
    this.#fault = null;
    this.#readNs = tNs;
    if (lost >= LOST) {
      this.#owed -= lost;
      return { missing: `${lost} of its reports did not come` };
    }
    if (powersW.length === 0) return { missing: `a report of it ${fault}` };
    const powerW = powersW.reduce((sum, watts) => sum + watts, 0) / powersW.length;
    return { tNs, powerW: [powerW], note: fault === null ? null : `A report was dropped: it ${fault}.` };
  }

  onEnd(listener: (error: MeasureError) => void): void {
    this.#end.onEnd(listener);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#draining = true;
    this.#callOff();
    const startNs = this.#clock.nowNs();
    const isOver = (nowNs: bigint) => nowNs - this.#lastNs > QUIET_NS || nowNs - startNs > DRAIN_NS;
    while (!this.#end.error && !isOver(this.#clock.nowNs())) await sleep(this.#clock, LOOK_MS);
    await this.#end.close();
  }

  #take(bytes: Uint8Array, tNs: bigint): void {
    const report = readReport(bytes);
    if (report === 'no data') return;
    this.#lastNs = tNs;
    this.#seen += 1;
    if ('fault' in report) this.#fault ??= report.fault;
    else this.#powersW = [...this.#powersW.slice(1 - MAX_KEPT), report.powerW];
    if (this.#polling === 'report') this.#poll();
  }

  #keepOn(): void {
    this.#callOff = this.#clock.after(POLL_MS, () => {
      this.#poll();
      this.#keepOn();
    });
  }

  #poll(): void {
    if (this.#draining || this.#end.error) return;
    // A lost line is reported when it ends.
    this.#line.write(COMMANDS.poll).catch(() => {});
  }
}
