import * as z from 'zod';
import { type CounterReading, powerFrom, type Quantity } from '../../sampling/reported.ts';
import { nsToSeconds } from '../../system/clock.ts';
import { CounterCheck } from '../counter-check.ts';
import { excerpt } from '../excerpt.ts';
import { LineFault, type LineTaker, type TimedPower } from '../program/line-meter.ts';
import { MAX_W } from './gpu-reader.ts';

/** Energy between two comparisons with the driver's power, watt-hours: enough for a mean over a second to give the same energy. */
const STRETCH_WH = 1.1;

/** Quantities of a reading: the counter, and the power that the driver shows at the same moment. */
export const ENERGY: readonly Quantity[] = [
  { name: 'nvmlDeviceGetTotalEnergyConsumption', unit: 'mJ', role: 'counter' },
  { name: 'nvmlDeviceGetPowerUsage', unit: 'mW', role: 'beside' },
];

/** Shortest time, seconds, over which the counter's power, or its standing still, means anything: it moves in steps. */
const STEP_S = 1;

const Missing = z.object({ missing: z.string() });
const Board = z.object({ uuid: z.string(), name: z.string(), driver: z.string() });
type Board = z.output<typeof Board>;
const Reading = z.object({
  t_ns: z.string().regex(/^\d{1,19}$/),
  energy_mj: z.int().min(0),
  power_mw: z.int().min(0),
});

/** Parses the lines of `energy.py`. */
export class EnergyReader implements LineTaker {
  readonly #check = new CounterCheck(STRETCH_WH);
  #board: Board | null = null;
  #last: CounterReading | null = null;
  #firstNs = 0n;
  /** Whether the counter has been seen to move. */
  moved = false;

  /** The GPU's board; known from the first reading on. */
  get board(): Board {
    if (this.#board === null) throw new Error('no GPU was read yet');
    return this.#board;
  }

  take(line: string): TimedPower | null {
    const json = jsonOf(line);
    const { data: none } = Missing.safeParse(json);
    if (none !== undefined) throw new LineFault(`reports no energy: ${excerpt(none.missing, 160)}`);
    if (this.#board === null) {
      this.#board = shaped(Board, json, line);
      return null;
    }
    const { t_ns, energy_mj, power_mw } = shaped(Reading, json, line);
    const reading = { tNs: BigInt(t_ns), values: [energy_mj, power_mw] };
    const since = this.#last;
    this.#last = reading;
    const note = this.#check.check(reading.tNs, power_mw / 1000, energy_mj / 3.6e6);
    if (since === null) {
      this.#firstNs = reading.tNs;
      return null;
    }
    const energyJ = (energy_mj - (since.values[0] ?? Number.NaN)) / 1000;
    if (energyJ < 0) throw new LineFault(`says that its energy fell by ${-energyJ} J: the driver was loaded anew`);
    const powerW = powerFrom(ENERGY, reading, since);
    if (powerW === null || powerW < 0) throw new LineFault('has a time that does not advance');
    const seconds = Math.max(STEP_S, Number(reading.tNs - since.tNs) / 1e9);
    if (energyJ > MAX_W * seconds) throw new LineFault(`says that ${energyJ} J were used, more than any board takes`);
    if (energyJ > 0) this.moved = true;
    if (!this.moved && nsToSeconds(reading.tNs - this.#firstNs) < STEP_S) return null;
    return { tNs: reading.tNs, powerW: [powerW], reported: [{ ...reading, since }], ...(note !== null && { note }) };
  }
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new LineFault(`is not JSON: ${excerpt(line)}`);
  }
}

function shaped<T>(shape: z.ZodType<T>, json: unknown, line: string): T {
  const { data } = shape.safeParse(json);
  if (data === undefined) throw new LineFault(`is no reading: ${excerpt(line, 160)}`);
  return data;
}
