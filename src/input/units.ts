/** Prefixes of units. `K` is a misspelt `k`; `m` beside `M` is why letters keep their case. */
const PREFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Units of time that have names of their own, in seconds. */
const TIMES: Readonly<Record<string, number>> = {
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  msec: 1e-3,
  msecs: 1e-3,
  usec: 1e-6,
  usecs: 1e-6,
  nsec: 1e-9,
  milliseconds: 1e-3,
  microseconds: 1e-6,
  nanoseconds: 1e-9,
  m: 60,
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
  h: 3600,
  hr: 3600,
  hour: 3600,
  hours: 3600,
};

/** Base units that may have a prefix: `min` is not `m` + `in`. Words of four letters or more are counts and may have one too. */
const BASES = ['s', 'B', 'J', 'W', 'Wh', 'bit', 'Hz'];
/** Units for which programs use one prefix for both 1,000 and 1,024, so `k` and `M` can't be converted. */
const AMBIGUOUS = ['B', 'bit'];

/**
 * Factor that converts a number from the unit `written` to `unit`: 1000 from `ms` to `us`, or from `k` to `requests/s`. Null: the factor
 * is unknown, as from `MB` to `kB`, where it may be 1,000 or 1,024.
 */
export function unitFactor(written: string, unit: string): number | null {
  const [from, to] = [splitUnit(written), splitUnit(unit)];
  if (from.head === to.head && from.tail === to.tail) return 1;
  // `m` alone is minutes or milli-; a target unit that is itself scaled does not show which.
  if (from.head === 'm' && ['us', 'ms', 'ns'].includes(to.head)) return null;
  if (from.tail !== '' && from.tail !== to.tail) return null;
  const [time, intoTime] = [timeIn(from.head), timeIn(to.head)];
  if (time !== null && intoTime !== null) return from.tail === to.tail ? time / intoTime : null;
  const scale = PREFIXES[from.head];
  // A bare prefix scales counts such as requests; it can't be combined with a unit that has a prefix itself.
  if (scale !== undefined) {
    const isCount = intoTime === null && findBases(to.head).length === 0 && !AMBIGUOUS.includes(to.head);
    return isCount && scale >= 1e3 ? scale : null;
  }
  if (from.tail !== to.tail) return null;
  for (const { base, factor } of [...findBases(from.head), { base: from.head, factor: 1 }]) {
    for (const other of [...findBases(to.head), { base: to.head, factor: 1 }]) {
      if (base !== other.base) continue;
      const isKnown = !AMBIGUOUS.includes(base) || (isExact(factor) && isExact(other.factor));
      return isKnown ? factor / other.factor : null;
    }
  }
  return null;
}

/** Counts with a prefix, as programs write them: `Kreq/s`, `krps`, `Mops`. */
const SCALED_COUNT = /^[kKMGT]i?(?:req|rp|op|iop|tp|qp|msg|message|transaction|quer)[a-z]*$/;

/** Whether a word may be the unit at another scale, by a factor that `unitFactor` does not know: `MB` beside `kB`, `req/min` beside `req/s`. */
export function mayBeScaled(word: string, unit: string): boolean {
  const [from, to] = [splitUnit(word), splitUnit(unit)];
  if (unitFactor(word, unit) !== null) return false;
  if (from.tail !== '' && to.tail !== '' && from.tail !== to.tail) return true;
  const basesIn = (head: string): string[] =>
    [head, ...findBases(head).map(({ base }) => base)].filter(
      (base) => BASES.includes(base) || Object.hasOwn(TIMES, base),
    );
  return SCALED_COUNT.test(from.head) || basesIn(from.head).some((base) => basesIn(to.head).includes(base));
}

const isExact = (factor: number): boolean => factor === 1 || factor % 1024 === 0;

/** `k` of `k/s`, and what it is per. */
function splitUnit(given: string): { readonly head: string; readonly tail: string } {
  const unit = given.replace(/[µμ]/g, 'u').replace(/^(?:percent|pct)$/, '%');
  const at = unit.indexOf('/');
  return at < 0 ? { head: unit, tail: '' } : { head: unit.slice(0, at), tail: unit.slice(at) };
}

function timeIn(head: string): number | null {
  if (Object.hasOwn(TIMES, head)) return TIMES[head] as number;
  const [prefixed] = findBases(head).filter(({ base }) => base === 's');
  return prefixed?.factor ?? null;
}

/** The ways in which this can be a prefix and a unit. */
function findBases(head: string): { readonly base: string; readonly factor: number }[] {
  return Object.entries(PREFIXES).flatMap(([prefix, factor]) => {
    const base = head.slice(prefix.length);
    return head.startsWith(prefix) && (BASES.includes(base) || base.length > 3) ? [{ base, factor }] : [];
  });
}
