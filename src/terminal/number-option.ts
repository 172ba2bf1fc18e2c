import { InputError } from '../errors.ts';
import type { Arguments } from './arguments.ts';

export interface NumberLimits {
  readonly minimum: number;
  readonly maximum: number;
  /** For the error: `watts`. */
  readonly unit: string;
  readonly whole?: boolean;
}

/** The option as a plain decimal number; `fallback` when it isn't given. Throws InputError when it isn't one or outside the limits. */
export function numberOption<T extends number | null>(
  args: Arguments,
  name: string,
  { minimum, maximum, unit, whole = false }: NumberLimits,
  fallback: T,
): number | T {
  const text = args.text(name);
  if (text === null) return fallback;
  const value = (whole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  const kind = whole ? 'a whole number of' : '';
  throw new InputError(
    `--${name} ${text} is not possible: it takes ${kind} ${minimum} to ${maximum} ${unit}.`.replace('  ', ' '),
  );
}
