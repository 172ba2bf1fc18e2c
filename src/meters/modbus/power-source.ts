import { InputError } from '../../errors.ts';
import type { MeterName } from '../name.ts';
import { secondsOption } from '../options.ts';
import { type PolledReading, type PolledSource, repeatedNote } from '../polled-meter.ts';
import { type Parsed, whatCame } from './answer.ts';
import type { ReadRequest } from './frames.ts';
import type { ModbusLine, Patience } from './modbus-line.ts';

const HIGHEST_UNIT = 247;

/** `?unit=1` to 247; `fallback` when it isn't given. Throws InputError. */
export function unitOption(name: MeterName, fallback: number): number {
  const text = name.options.unit;
  if (text === undefined) return fallback;
  const unit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (unit >= 1 && unit <= HIGHEST_UNIT) return unit;
  throw new InputError(
    `The option unit=${text} in the meter name "${name.text}" is not possible: it must be 1 to ${HIGHEST_UNIT}.`,
  );
}

const DEFAULT_PERIOD_S = 0.5;
/**
 * Questions a second. The meters renew their values about once a second; each is held until a question meets the next one, so an edge is
 * seen up to a question late. At this rate a run of 20 s is within 1 % of the truth even on a machine that takes next to nothing when idle.
 */
const QUESTIONS_PER_SECOND = 6;

export interface Sampling {
  /** Seconds from one sample to the next. */
  readonly periodS: number;
  /** Readings per sample. */
  readonly readings: number;
}

/** `?period=`, the seconds between two samples, 0.5 when it isn't given. Throws InputError. */
export function samplingOption(name: MeterName): Sampling {
  const periodS = secondsOption(name, 'period', { minimum: 0.2, maximum: 1 }, DEFAULT_PERIOD_S);
  return { periodS, readings: Math.max(1, Math.round(periodS * QUESTIONS_PER_SECOND)) };
}

/** One request that gives the watts of a meter's only channel, again and again. */
export function powerSource(
  modbus: ModbusLine,
  request: ReadRequest,
  readPowerW: (data: Uint8Array) => Parsed<number>,
  patience: Patience,
): PolledSource {
  return {
    async read(): Promise<PolledReading> {
      const answer = await modbus.read(request, readPowerW, patience);
      if ('none' in answer) return { missing: whatCame(answer) };
      const { tNs, value, repeatedBecause } = answer;
      return { tNs, powerW: [value], note: repeatedNote(repeatedBecause && whatCame(repeatedBecause)) };
    },
    onEnd: (listener) => modbus.onEnd(listener),
    close: () => modbus.close(),
  };
}
