/** Patterns stand in the published JSON Schema too: editors check with them. */
export const DURATION = /^\d+(\.\d+)? ?(ms|s|m|h)?$/;
export const PERCENT = /^\d+(\.\d+)? ?%?$/;
export const BYTES = /^\d+(\.\d+)? ?([kmgKMG]i?)?[bB]?$/;

const SECONDS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };
const BINARY: Record<string, number> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };

/** Seconds of `20s`, `500ms`, `2m`, `1h` or a number of seconds; NaN for anything else. */
export function durationS(given: string | number): number {
  if (typeof given === 'number') return given;
  if (!DURATION.test(given)) return Number.NaN;
  const unit = /[a-z]+$/.exec(given)?.[0] ?? 's';
  // Divided, not multiplied by 0.001: 500ms is 0.5 exactly.
  return unit === 'ms' ? Number.parseFloat(given) / 1000 : Number.parseFloat(given) * (SECONDS[unit] ?? Number.NaN);
}

/** Percent of `1%` or 1; NaN for anything else. */
export function percent(given: string | number): number {
  if (typeof given === 'number') return given;
  return PERCENT.test(given) ? Number.parseFloat(given) : Number.NaN;
}

/** Bytes of `512m` or `2g` (powers of 1024, as Docker reads them) or a number of bytes; NaN for anything else. */
export function bytes(given: string | number): number {
  if (typeof given === 'number') return given;
  if (!BYTES.test(given)) return Number.NaN;
  const unit = /[kmg]/i.exec(given)?.[0].toLowerCase();
  return Math.round(Number.parseFloat(given) * (unit === undefined ? 1 : (BINARY[unit] ?? Number.NaN)));
}
