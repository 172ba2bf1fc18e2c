/** These patterns are published in the JSON Schema too, where editors check with them. */
export const DURATION = /^\d+(\.\d+)? ?(ms|s|min|m|h)?$/;
export const PERCENT = /^\d+(\.\d+)? ?%$/;
export const PRICE = /^\d+(\.\d+)? ?[A-Z]{3}\/kWh$/;
export const INTENSITY = /^\d+(\.\d+)? ?k?g( ?CO2(e|eq)?)?\/kWh$/;
export const ABOVE = /^\+?\d+(\.\d+)? ?(%|J)$/;
export const BELOW = /^-\d+(\.\d+)? ?(%|J)$/;
export const BYTES = /^\d+(\.\d+)? ?([kmgKMG]i?)?[bB]?$/;

const SECONDS: Record<string, number> = { ms: 0.001, s: 1, min: 60, m: 60, h: 3600 };
const BINARY: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Seconds of `20s`, `500ms`, `2m` (or `2min`), `1h` or a number of seconds; NaN for anything else. */
export function durationS(given: string | number): number {
  if (typeof given === 'number') return given;
  if (!DURATION.test(given)) return Number.NaN;
  const unit = /[a-z]+$/.exec(given)?.[0] ?? 's';
  // Divided, not multiplied by 0.001: 500ms is 0.5 exactly.
  return unit === 'ms' ? Number.parseFloat(given) / 1000 : Number.parseFloat(given) * (SECONDS[unit] ?? Number.NaN);
}

/** Percent of `1%`; NaN for anything else, since a plain 1 could be meant as a fraction. */
export function percent(given: string): number {
  return PERCENT.test(given) ? Number.parseFloat(given) : Number.NaN;
}

/** Bytes of `512m` or `2g` (powers of 1024, as in Docker) or of a number of bytes; NaN for anything else. */
export function bytes(given: string | number): number {
  if (typeof given === 'number') return Math.round(given);
  if (!BYTES.test(given)) return Number.NaN;
  const unit = /[kmg]/i.exec(given)?.[0].toLowerCase();
  return Math.round(Number.parseFloat(given) * (unit === undefined ? 1 : (BINARY[unit] ?? Number.NaN)));
}

export interface Price {
  readonly perKwh: number;
  /** Three capital letters (ISO 4217). */
  readonly currency: string;
}

/** `0.30 EUR/kWh`; nothing else matches its pattern. */
export function price(given: string): Price {
  return { perKwh: Number.parseFloat(given), currency: /([A-Z]{3})\/kWh$/.exec(given)?.[1] ?? '' };
}

/** Grams of CO2 equivalent per kilowatt-hour of `380 g/kWh`, `0.38 kg/kWh`, `380 g CO2e/kWh`. */
export function intensityGPerKwh(given: string): number {
  return Number.parseFloat(given) * (/kg/.test(given) ? 1000 : 1);
}

/** A limit for a change of energy. */
export interface Limit {
  /** The limit as the user wrote it. */
  readonly text: string;
  readonly metric: 'percent' | 'joules';
  readonly value: number;
}

/** `5%`, `20 J`, `-5%`. */
export function limit(given: string): Limit {
  return { text: given, metric: given.endsWith('%') ? 'percent' : 'joules', value: Number.parseFloat(given) };
}
