import type { ChannelInfo, MeterInfo } from '../contracts/reading.ts';
import { InputError } from '../errors.ts';
import { MachinePart } from '../findings/numbers.ts';
import { type MeterName, suggest } from './name.ts';

/** Throws InputError when the name has an option that is not one of `possible`. */
export function checkOptionNames(name: MeterName, possible: readonly string[]): void {
  for (const key of Object.keys(name.options)) {
    if (possible.includes(key)) continue;
    throw new InputError(`The meter type ${name.type} has no option "${key}" (in "${name.text}").`, {
      advice: possible.length === 0 ? 'It has no options.' : suggest(key, possible),
    });
  }
}

/** Throws InputError when the name has an address: types that find their counter themselves take none. */
export function checkNoAddress(name: MeterName): void {
  if (name.address === null) return;
  throw new InputError(`The meter type ${name.type} takes no address, but "${name.text}" has "${name.address}".`, {
    advice: `Write "${name.type}".`,
  });
}

export interface NumberRange {
  readonly minimum: number;
  readonly maximum: number;
  /** Unit in messages: `watts`. */
  readonly unit: string;
}

/** The option as a plain decimal number; `fallback` when it isn't given. Throws InputError when it isn't one or outside the range. */
export function numberOption(name: MeterName, key: string, range: NumberRange, fallback: number): number {
  const text = name.options[key];
  if (text === undefined) return fallback;
  return inRange(name, key, /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN, range);
}

/** The option as seconds, written `0.1`, `0.1s` or `100ms`. Throws InputError as `numberOption` does. */
export function secondsOption(
  name: MeterName,
  key: string,
  range: Omit<NumberRange, 'unit'>,
  fallback: number,
): number {
  const text = name.options[key];
  if (text === undefined) return fallback;
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text) ?? [];
  const seconds = number === undefined ? Number.NaN : Number(number) / (unit === 'ms' ? 1000 : 1);
  return inRange(name, key, seconds, { ...range, unit: 'seconds' });
}

function inRange(name: MeterName, key: string, value: number, range: NumberRange): number {
  if (value >= range.minimum && value <= range.maximum) return value;
  throw new InputError(
    `The option ${key}=${name.options[key]} in the meter name "${name.text}" is not possible: it must be ${range.minimum} to ${range.maximum} ${range.unit}.`,
  );
}

/**
 * `?gain=PERCENT&offset=WATTS`: the limits of error that the meter's maker or a calibration states, for meters that publish none; null where
 * neither is given. Throws InputError as `numberOption` does.
 */
export function accuracyOption(name: MeterName): MeterInfo['accuracy'] {
  if (name.options.gain === undefined && name.options.offset === undefined) return null;
  return {
    gainPercent: numberOption(name, 'gain', { minimum: 0, maximum: 50, unit: 'percent' }, 0),
    offsetW: numberOption(name, 'offset', { minimum: 0, maximum: 1000, unit: 'watts' }, 0),
  };
}

const SOURCES = ['measured', 'modelled', 'emulated'] as const;

/** `?source=`: what somebody else's numbers are, which only their owner knows; `measured` when it isn't given. Throws InputError. */
export function sourceOption(name: MeterName): MeterInfo['source'] {
  const text = name.options.source ?? 'measured';
  const found = SOURCES.find((one) => one === text);
  if (found !== undefined) return found;
  throw new InputError(`The option source=${text} in the meter name "${name.text}" is not possible.`, {
    advice: `Possible: ${SOURCES.join(', ')}.`,
  });
}

/**
 * `?part=`: what of the machine somebody else's numbers are of, which only their owner knows, and the channel's name that follows; a label of
 * its own where it isn't given. Throws InputError.
 */
export function partOption(name: MeterName): Pick<ChannelInfo, 'channel' | 'part'> {
  const text = name.options.part;
  if (text === undefined) return { channel: name.type };
  const { data: part } = MachinePart.safeParse(text);
  if (part !== undefined) return { channel: part === 'machine' ? 'wall' : part, part };
  throw new InputError(`The option part=${text} in the meter name "${name.text}" is not possible.`, {
    advice: `Possible: ${MachinePart.options.join(', ')}.`,
  });
}

/** Remark of a meter without the option `part`. */
export const UNKNOWN_PART =
  'Which part of the machine it meters is not known here, so nothing is added to it or taken from it: if it is all of it, say so by part=machine.';

/** Variables that a runner gives to its own steps: no meter in a repository's file must pass them on. */
const OF_THE_RUNNER = /^(?:ACTIONS_|INPUT_|GITHUB_TOKEN$)/i;

/** Throws InputError when an option's text can't be the name of an environment variable, or is the name of one of the runner's own. */
export function checkVariable(name: MeterName, key: string, variable: string): void {
  if (!/^[A-Za-z_]\w*$/.test(variable)) {
    throw new InputError(
      `The option ${key} in the meter name "${name.text}" is not the name of an environment variable.`,
      { advice: `Put the secret into a variable, and its name here, as in ${key}=PLUG_PASSWORD.` },
    );
  }
  if (!OF_THE_RUNNER.test(variable)) return;
  throw new InputError(`The variable ${variable} in the meter name "${name.text}" belongs to the runner.`, {
    advice: 'Put what the meter needs into a variable of its own.',
  });
}
