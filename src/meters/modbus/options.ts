import { InputError } from '../../errors.ts';
import type { MeterName } from '../meter.ts';
import { secondsOption } from '../options.ts';

const highestUnit = 247;

/** `?unit=1` to 247; `fallback` when it isn't given. Throws InputError. */
export function unitOption(name: MeterName, fallback: number): number {
  const text = name.options.unit;
  if (text === undefined) return fallback;
  const unit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (unit >= 1 && unit <= highestUnit) return unit;
  throw new InputError(
    `The option unit=${text} in the meter name "${name.text}" is not possible: it takes 1 to ${highestUnit}.`,
  );
}

const defaultPeriodS = 0.5;

/** `?period=`, the seconds between two questions, 0.5 when it isn't given. Throws InputError. */
export function periodOption(name: MeterName, minimum: number): number {
  // The meters renew their values about once a second: asked less often, one of them could be missed.
  return secondsOption(name, 'period', { minimum, maximum: 1 }, defaultPeriodS);
}
