/** Numbers as people read them, the same in every locale: U+2212 for minus, a comma for thousands, no exponent unless nothing else fits. */

export const MISSING = '–';

type Interval = readonly [low: number, high: number];

const MAX_DECIMALS = 12;
/** Threshold below which a computed number is 0: only rounding errors are smaller. */
const NOTHING = 1e-9;

/** From here on numbers have four digits and an exponent: without one they would end in meaningless zeros. */
const HUGE = 1e15;

const thousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

/** A whole number with ASCII signs: -1,048,576. It avoids Intl, whose data would have to be loaded at each start. */
export const wholeText = (whole: number): string => thousands(String(whole));

/** `decimals` places, rounded half away from zero as in a paper; −0 is 0. */
export function fixed(value: number, decimals: number): string {
  if (Math.abs(value) >= HUGE) return withExponent(value, 4);
  const text = Math.abs(value).toFixed(decimals);
  const [whole = '', fraction] = text.split('.');
  const grouped = whole.length > 4 ? thousands(whole) : whole;
  const sign = value < 0 && Number(text) !== 0 ? '−' : '';
  return `${sign}${grouped}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** About `digits` significant digits, without an exponent between 1e−5 and 1e15. */
export function significant(value: number, digits = 4): string {
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  if (magnitude >= 15 || magnitude < -5) return withExponent(value, digits);
  return fixed(value, Math.min(Math.max(digits - 1 - magnitude, 0), MAX_DECIMALS));
}

/** `1.234e18`. */
function withExponent(value: number, digits: number): string {
  return value
    .toExponential(digits - 1)
    .replace(/-/g, '−')
    .replace('e+', 'e');
}

/** About `digits` significant digits without trailing zeros, for settings and counts. */
export function short(value: number, digits = 3): string {
  const text = significant(value, digits);
  return /\.\d*0$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** Units that get a prefix for small amounts; others are written without one. */
const SMALL_UNITS = new Set(['s', 'J', 'W']);
const PREFIXES = [
  ['', 1],
  ['m', 1e-3],
  ['µ', 1e-6],
] as const;

/** How an amount is shown: 1 of it is `size` of what was counted. */
export interface Unit {
  readonly unit: string;
  readonly size: number;
}

/** The unit in which an amount is best read, and its size: `0.0025 s` is 2.5 ms. */
export function unitFor(value: number, unit: string): Unit {
  if (value === 0 || !SMALL_UNITS.has(unit)) return { unit, size: 1 };
  const [prefix, size] = PREFIXES.find(([, size]) => Math.abs(value) >= size / 10) ?? PREFIXES[2];
  return { unit: `${prefix}${unit}`, size };
}

/** `257.8 J`, `2.500 ms`. */
export function quantity(value: number | null, unit: string, digits = 4): string {
  if (value === null) return MISSING;
  const best = unitFor(value, unit);
  return `${significant(value / best.size, digits)} ${best.unit}`;
}

export function signed(value: number, decimals: number): string {
  const text = fixed(value, decimals);
  return value > 0 && Number(text.replace(/,/g, '')) !== 0 ? `+${text}` : text;
}

/** Decimals for a percentage with this interval: two significant digits of its half-width, and no nonzero end printed as zero. */
export function decimalsFor(interval: Interval | null): number {
  if (interval === null) return 1;
  const half = (interval[1] - interval[0]) / 2;
  return withBothEnds(half > NOTHING ? Math.min(Math.max(Math.ceil(-Math.log10(half)), 1), MAX_DECIMALS) : 1, interval);
}

/** At least these decimals, and as many more as keep an end that is not zero from being printed as zero. */
function withBothEnds(least: number, interval: Interval): number {
  let decimals = least;
  while (
    decimals < MAX_DECIMALS &&
    interval.some((end) => Math.abs(end) > NOTHING && Number(Math.abs(end).toFixed(decimals)) === 0)
  ) {
    decimals++;
  }
  return decimals;
}

/** `+3.1 %`; the decimals follow the interval where there is one. */
export function percent(value: number | null, interval: Interval | null = null): string {
  return value === null ? MISSING : `${signed(value, decimalsFor(interval))} %`;
}

/** `+2.6 to +3.7`, without a unit. */
export function percentInterval(interval: Interval | null): string {
  if (interval === null) return MISSING;
  const decimals = decimalsFor(interval);
  return `${signed(interval[0], decimals)} to ${signed(interval[1], decimals)}`;
}

/** `+3.1 % (+2.6 to +3.7)`. */
export function percentWithInterval(value: number | null, interval: Interval | null): string {
  if (value === null) return MISSING;
  return interval === null ? percent(value) : `${percent(value, interval)} (${percentInterval(interval)})`;
}

/**
 * `+8.0 J` and `+7.0 to +9.0`: a change of an amount, both in the unit that `unitOf` gives for the larger end; two digits of the interval's half-width
 * decide the decimals.
 */
export function changeOfAmount(
  value: number,
  interval: Interval | null,
  unitOf: (most: number) => Unit,
): { change: string; interval: string | null } {
  const { unit, size } = unitOf(Math.max(...(interval ?? [value]).map(Math.abs)));
  const inUnit = (text: string): string => `${text} ${unit}`.trimEnd();
  if (interval === null) {
    return { change: inUnit(`${value > 0 ? '+' : ''}${significant(value / size, 3)}`), interval: null };
  }
  const [low, high] = interval;
  const half = (high - low) / 2 / size;
  const enough = half > NOTHING ? Math.min(Math.max(1 - Math.floor(Math.log10(half)), 0), MAX_DECIMALS) : 1;
  const decimals = withBothEnds(enough, [low / size, high / size]);
  const text = (amount: number): string => signed(amount / size, decimals);
  return { change: inUnit(text(value)), interval: `${text(low)} to ${text(high)}` };
}

/** `[1.2, 3.4]` with about four digits. */
export function range(interval: Interval | null, digits = 4): string {
  return interval === null ? MISSING : `[${significant(interval[0], digits)}, ${significant(interval[1], digits)}]`;
}

/** Whole seconds as a person says them: `45 s`, `4 min 10 s`, `10 min`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3600 ? inTwo(whole, 'min', 's') : inTwo(Math.round(whole / 60), 'h', 'min');
}

/** Like `durationText`, with decimals for short durations: `0.25 s`, `12.3 s`, `4 min 10 s`, `10 min`, `2 h 5 min`. */
export function duration(seconds: number | null): string {
  if (seconds === null) return MISSING;
  if (seconds < 120) return `${short(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 7200) return inTwo(whole, 'min', 's');
  return whole < HUGE ? inTwo(Math.round(whole / 60), 'h', 'min') : `${fixed(whole / 3600, 0)} h`;
}

/** A duration as multiples of 60 of the small unit, and the remainder if there is one. */
function inTwo(whole: number, large: string, small: string): string {
  const left = whole % 60;
  return `${Math.floor(whole / 60)} ${large}${left === 0 ? '' : ` ${left} ${small}`}`;
}

const BYTES: Unit = { unit: 'bytes', size: 1 };
const OF_BYTES: readonly Unit[] = [
  { unit: 'GiB', size: 2 ** 30 },
  { unit: 'MiB', size: 2 ** 20 },
  { unit: 'KiB', size: 2 ** 10 },
];

/** The unit in which this number of bytes is best read; it may be negative. */
export const unitOfBytes = (count: number): Unit => OF_BYTES.find(({ size }) => Math.abs(count) >= size) ?? BYTES;

export function bytes(count: number): string {
  const { unit, size } = unitOfBytes(count);
  return `${short(count / size)} ${unit}`;
}

/** A confidence that was reached, rounded down, never up: `93.7 %`. */
export function confidenceDown(confidence: number): string {
  return `${fixed(Math.floor(1000 * confidence) / 10, 1)} %`;
}

/** `95 %`, or the achieved confidence when it is lower: `93.7 %`, rounded down, never up. */
export function confidenceText(confidence: number | null, nominal: number): string {
  if (confidence === null || confidence >= nominal) return `${Math.round(100 * nominal)} %`;
  return `${Math.floor(1000 * confidence) / 10} %`;
}

/** `p < 0.001`, `p = 0.012`, `p = 0.31`. */
export function pText(p: number): string {
  return p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(p < 0.1 ? 3 : 2)}`;
}

const SPACE_BEFORE_UNIT =
  /(?<=\d) (?=(?:%|‰|°C|[kMGmµn]?(?:J|Wh?|s|V|A|Hz)|min|h|[kM]?g|[KMGT]iB|bytes)(?![\p{L}\p{N}_]))/gu;
const BOUND_UNIT = new RegExp(SPACE_BEFORE_UNIT.source.replace(' ', '\u00a0'), 'gu');

/** Prose with no-break spaces between numbers and their units, so that no line ends there: `75 J`, `4 min 10 s`, `3.2 %`. */
export const unitsBound = (prose: string): string => prose.replace(SPACE_BEFORE_UNIT, '\u00a0');

/** Replaces these no-break spaces by ordinary ones, after the lines were broken. */
export const unitsFree = (prose: string): string => prose.replace(BOUND_UNIT, ' ');

/** Number of decimals of a formatted number. */
export function decimalsOf(text: string): number {
  return /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
}
