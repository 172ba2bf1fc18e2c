/** Prefixes of units. `K` is a misspelt `k`; `m` beside `M` is why letters keep their case. */
const PREFIXES: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, K: 1e3, M: 1e6, G: 1e9, T: 1e12 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 },
};

/** Units of time that have names of their own, in seconds. */
const TIMES: Readonly<Record<string, number>> = {
  ...{ s: 1, sec: 1, secs: 1, second: 1, seconds: 1, msec: 1e-3, msecs: 1e-3, usec: 1e-6, usecs: 1e-6, nsec: 1e-9 },
  ...{ milliseconds: 1e-3, microseconds: 1e-6, nanoseconds: 1e-9 },
  ...{ m: 60, min: 60, mins: 60, minute: 60, minutes: 60, h: 3600, hr: 3600, hour: 3600, hours: 3600 },
};

/** A prefix is taken off these only: `min` is no `m` of an `in`. Others are counts, which have no letters of their own. */
const BASES = ['s', 'B', 'J', 'W', 'Wh', 'bit', 'Hz'];
/** Programs write 1,000 and 1,024 of these with one prefix, so `k` and `M` can't be converted. */
const AMBIGUOUS = ['B', 'bit'];

/**
 * What a number with the unit `written` has to be multiplied by to be in `unit`: 1000 from `ms` to `us`, or from `k` to `requests/s`. Null: it
 * is not known, as from `MB` to `kB`, which may be 1,000 or 1,024.
 */
export function unitFactor(written: string, unit: string): number | null {
  if (written === unit) return 1;
  const [from, to] = [headOf(written.replace(/[µμ]/g, 'u')), headOf(unit.replace(/[µμ]/g, 'u'))];
  if (from.tail !== '' && from.tail !== to.tail) return null;
  const [time, intoTime] = [timeIn(from.head), timeIn(to.head)];
  if (time !== null && intoTime !== null) return from.tail === to.tail ? time / intoTime : null;
  const scale = PREFIXES[from.head];
  // A bare prefix scales what is counted, such as requests; it says nothing of a unit that has a prefix itself.
  if (scale !== undefined) {
    const isCount = intoTime === null && basesOf(to.head).length === 0 && !AMBIGUOUS.includes(to.head);
    return isCount && scale >= 1e3 ? scale : null;
  }
  if (from.tail !== to.tail) return null;
  for (const { base, factor } of [...basesOf(from.head), { base: from.head, factor: 1 }]) {
    for (const other of [...basesOf(to.head), { base: to.head, factor: 1 }]) {
      if (base !== other.base) continue;
      const isKnown = !AMBIGUOUS.includes(base) || (isExact(factor) && isExact(other.factor));
      return isKnown ? factor / other.factor : null;
    }
  }
  return null;
}

/** Is it a unit, or a prefix of one, that `unitFactor` knows in the place of `unit`? A word behind a number may be anything else. */
export const isUnit = (word: string, unit: string): boolean => word !== unit && unitFactor(word, unit) !== null;

const isExact = (factor: number): boolean => factor === 1 || factor % 1024 === 0;

/** `k` of `k/s`, and what it is per. */
function headOf(unit: string): { readonly head: string; readonly tail: string } {
  const at = unit.indexOf('/');
  return at < 0 ? { head: unit, tail: '' } : { head: unit.slice(0, at), tail: unit.slice(at) };
}

function timeIn(head: string): number | null {
  if (Object.hasOwn(TIMES, head)) return TIMES[head] as number;
  const [prefixed] = basesOf(head).filter(({ base }) => base === 's');
  return prefixed?.factor ?? null;
}

/** The ways in which this can be a prefix and a unit. */
function basesOf(head: string): { readonly base: string; readonly factor: number }[] {
  return Object.entries(PREFIXES).flatMap(([prefix, factor]) => {
    const base = head.slice(prefix.length);
    return head.startsWith(prefix) && (BASES.includes(base) || base.length > 3) ? [{ base, factor }] : [];
  });
}
