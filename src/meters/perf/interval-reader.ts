import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower } from '../program/line-meter.ts';

export type EnergyEvent = 'energy-pkg' | 'energy-ram' | 'energy-psys';

/** Watts that no machine takes. */
const MOST_W = 20_000;

/**
 * Takes the lines of `perf stat --interval-print … --field-separator ';'` apart (perf-stat(1), CSV format): seconds since it was started, joules since the
 * interval before, their unit, the event, the time that it was counted, in nanoseconds and percent. An event is a line, and an interval is
 * complete with all of its lines.
 */
export class IntervalReader implements LineTaker {
  readonly events: readonly string[];
  readonly #energyJ = new Map<string, number>();
  /** End of the interval that lines come of, and of the one before, seconds; null: that one isn't known. */
  #atS = 0;
  #sinceS: number | null = 0;
  /** When perf was started, on this machine's clock. */
  #originNs: bigint | null = null;

  constructor(events: readonly EnergyEvent[]) {
    this.events = events.map((event) => `power/${event}/`);
  }

  take(line: string, arrivedNs: bigint): TimedPower | null {
    if (line.trim() === '') return null;
    try {
      return this.#take(line, arrivedNs);
    } catch (error) {
      // What is missing may be the end of an interval: the next one begins at a moment that isn't known.
      this.#sinceS = null;
      this.#energyJ.clear();
      throw error;
    }
  }

  #take(line: string, arrivedNs: bigint): TimedPower | null {
    const [time = '', value = '', unit, event = '', , percent] = line.trim().split(';');
    if (!/^\d{1,9}\.\d{1,9}$/.test(time) || !this.events.includes(event)) {
      throw new LineFault(`is no reading: ${excerpt(line, 120)}`);
    }
    if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(value) || unit !== 'Joules' || Number(percent) < 100) {
      throw new LineFault(`tells no energy of the whole interval: ${excerpt(line, 120)}`);
    }
    const atS = Number(time);
    if (atS < this.#atS) throw new LineFault(`goes back in time: ${excerpt(line, 120)}`);
    if (atS > this.#atS) {
      if (this.#energyJ.size > 0) this.#sinceS = null; // lines of the interval before are missing
      this.#energyJ.clear();
      this.#atS = atS;
    }
    this.#energyJ.set(event, Number(value));
    if (this.#energyJ.size < this.events.length) return null;
    return this.#complete(atS, arrivedNs);
  }

  #complete(atS: number, arrivedNs: bigint): TimedPower | null {
    const sinceS = this.#sinceS;
    const [packages = 0, ...others] = this.events.map((event) => this.#energyJ.get(event) ?? 0);
    this.#energyJ.clear();
    this.#sinceS = atS;
    const elapsedNs = BigInt(Math.round(atS * 1e9));
    this.#originNs ??= arrivedNs - elapsedNs;
    if (sinceS === null || sinceS >= atS) return null;
    const hasRam = this.events.includes('power/energy-ram/');
    const ram = hasRam ? (others.shift() ?? 0) : 0;
    const energiesJ = [packages + ram, ...(hasRam ? [packages, ram] : []), ...others];
    const powerW = energiesJ.map((joules) => joules / (atS - sinceS));
    if (powerW.some((watts) => watts > MOST_W)) {
      throw new LineFault(`tells of more than any machine takes: ${Math.max(...powerW).toPrecision(3)} W`);
    }
    return { tNs: this.#originNs + elapsedNs, powerW };
  }
}
