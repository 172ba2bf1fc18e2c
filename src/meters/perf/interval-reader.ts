import type { MachinePart } from '../../findings/numbers.ts';
import { powerFrom, type Quantity } from '../../sampling/reported.ts';
import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower } from '../program/line-meter.ts';

export type EnergyEvent = 'energy-pkg' | 'energy-ram' | 'energy-psys';

/** Energy of the core of one processor, on AMD's since Zen (Linux 6.14, `arch/x86/events/rapl.c`). */
const CORE_EVENT = 'power_core/energy-core/';

const joulesOf = (name: string): Quantity => ({ name, unit: 'J', role: 'interval' });
const named = (event: EnergyEvent): string => `power/${event}/`;
/** The seconds from one line of an event to the next, as perf counts them. */
const INTERVAL: Quantity = { name: 'interval', unit: 's', role: 'seconds' };

/** Upper bound on a machine's power, watts. */
const MAX_W = 20_000;

/**
 * Takes the lines of `perf stat --interval-print … --field-separator ';'` apart (perf-stat(1), CSV format): seconds since it was started, joules since the
 * interval before, their unit, the event, the time that it was counted, in nanoseconds and percent. An event is a line, and an interval is
 * complete with all of its lines.
 */
export class IntervalReader implements LineTaker {
  readonly events: readonly string[];
  /** Channels and their quantities: packages and memory together, each of them, the platform; or one core alone. */
  readonly channels: readonly {
    readonly channel: string;
    readonly part?: MachinePart;
    readonly quantities: Quantity[];
  }[];
  /** Joules of the present interval's events, as far as their lines came; a fault: perf could not count. */
  readonly #energyJ = new Map<string, number | LineFault>();
  /** Ends of the present interval and of the one before, seconds after perf's start; null: the one before isn't known. */
  #atS = 0;
  #sinceS: number | null = 0;
  /** When perf was started, on this machine's clock. */
  #originNs: bigint | null = null;

  /** `events`: energy events of packages, or the number of a processor whose core alone is read. */
  constructor(events: readonly EnergyEvent[] | number) {
    if (typeof events === 'number') {
      this.events = [CORE_EVENT];
      this.channels = [{ channel: `core-${events}`, part: 'core', quantities: [joulesOf(CORE_EVENT), INTERVAL] }];
      return;
    }
    this.events = events.map(named);
    const reported = (...own: EnergyEvent[]) => [
      ...own.filter((event) => events.includes(event)).map((event) => joulesOf(named(event))),
      INTERVAL,
    ];
    this.channels = [
      { channel: 'rapl', part: 'package-and-dram', quantities: reported('energy-pkg', 'energy-ram') },
      ...(events.includes('energy-ram')
        ? ([
            { channel: 'package', part: 'package', quantities: reported('energy-pkg') },
            { channel: 'dram', part: 'dram', quantities: reported('energy-ram') },
          ] as const)
        : []),
      // The platform channel covers what the machine's maker connected to it.
      ...(events.includes('energy-psys') ? [{ channel: 'psys', quantities: reported('energy-psys') }] : []),
    ];
  }

  take(line: string, arrivedNs: bigint): TimedPower | null {
    if (line.trim() === '') return null;
    try {
      return this.#take(line, arrivedNs);
    } catch (error) {
      // The rest of an interval may be missing, so the beginning of the next one is unknown.
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
    const isWhole = /^\d{1,9}(?:\.\d{1,9})?$/.test(value) && unit === 'Joules' && !(Number(percent) < 100);
    const energyJ = isWhole
      ? Number(value)
      : new LineFault(`reports no energy for the whole interval: ${excerpt(line, 120)}`);
    // If the primary channel's energy is unusable, the line's time may be wrong, too.
    if (energyJ instanceof LineFault && this.#isPrimary(event)) throw energyJ;
    const atS = Number(time);
    if (atS < this.#atS) throw new LineFault(`goes back in time: ${excerpt(line, 120)}`);
    if (atS > this.#atS) {
      if (this.#energyJ.size > 0) this.#sinceS = null; // lines of the interval before are missing
      this.#energyJ.clear();
      this.#atS = atS;
    }
    this.#energyJ.set(event, energyJ);
    if (this.#energyJ.size < this.events.length) return null;
    return this.#complete(atS, arrivedNs);
  }

  #isPrimary(event: string): boolean {
    return this.channels[0]?.quantities.some(({ name }) => name === event) ?? false;
  }

  #complete(atS: number, arrivedNs: bigint): TimedPower | null {
    const sinceS = this.#sinceS;
    const reported = new Map([...this.#energyJ, [INTERVAL.name, atS - (sinceS ?? atS)] as const]);
    this.#energyJ.clear();
    this.#sinceS = atS;
    const elapsedNs = BigInt(Math.round(atS * 1e9));
    this.#originNs ??= arrivedNs - elapsedNs;
    if (sinceS === null || sinceS >= atS) return null;
    const tNs = this.#originNs + elapsedNs;
    const readings = this.channels.map(({ quantities }) => {
      const values = quantities.map(({ name }) => reported.get(name) ?? Number.NaN);
      const fault = values.find((value) => value instanceof LineFault);
      const numbers = { tNs, values: values.map(Number), since: null };
      return { numbers, powerW: fault ?? checked(powerFrom(quantities, numbers, null) ?? Number.NaN) };
    });
    const [primary] = readings;
    if (primary?.powerW instanceof LineFault) throw primary.powerW;
    return { tNs, powerW: readings.map(({ powerW }) => powerW), reported: readings.map(({ numbers }) => numbers) };
  }
}

const checked = (powerW: number): number | LineFault =>
  powerW > MAX_W ? new LineFault(`reports more than any machine draws: ${powerW.toPrecision(3)} W`) : powerW;
