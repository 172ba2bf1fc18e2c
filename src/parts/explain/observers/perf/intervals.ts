import type { Window } from '../../../../contracts/observation.ts';

/** Between which moments of CLOCK_MONOTONIC perf began to count its own seconds. */
export interface Origin {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** What was counted of one event between two readings of perf. */
export interface IntervalCount {
  /** CLOCK_MONOTONIC: none began earlier or ended later than that. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly event: string;
  readonly value: number;
}

/** How far an event was counted while anything of the group ran. */
export interface Coverage {
  /** Nanoseconds of processors, together, in which it was counted. */
  readonly countedNs: number;
  /** Time in which it did not count, because others had the processor's counters. */
  readonly missedNs: number;
}

interface Line {
  readonly atNs: number;
  readonly event: string;
  readonly value: number;
}

/**
 * Takes the lines of `perf stat -I … --summary -x ,` apart (perf-stat(1), CSV format): seconds since perf began, count, unit, event, group, nanoseconds in which
 * it was counted, and their percentage; one interval ends where the next begins.
 */
export class IntervalCounts {
  readonly #ends = new Set<number>();
  readonly #lines: Line[] = [];
  readonly #totals = new Map<string, number>();
  readonly #coverage = new Map<string, { countedNs: number; missedNs: number }>();
  /** Of each interval, how long the group ran, as the events tell that are counted always. */
  readonly #ranNs = new Map<number, number>();
  readonly #starved: { readonly atNs: number; readonly event: string }[] = [];

  take(line: string): void {
    const [at = '', count = '', , event = '', , counted = '', percent = ''] = line.trim().split(',');
    // `<not counted>`: nothing of the group ran, or the event had no counter of the processor. `<not supported>`: there is none.
    const value = Number(count);
    if (at === 'summary' && Number.isFinite(value)) this.#totals.set(event, value);
    const atNs = endOf(line);
    if (atNs === null || event === '') return;
    this.#ends.add(atNs);
    if (count === '<not supported>') return;
    this.#cover(event, atNs, Number(counted), Number(percent));
    if (Number.isFinite(value) && value !== 0) this.#lines.push({ atNs, event, value });
  }

  #cover(event: string, atNs: number, countedNs: number, percent: number): void {
    if (!Number.isFinite(countedNs) || !Number.isFinite(percent)) return;
    if (percent >= 100) this.#ranNs.set(atNs, Math.max(countedNs, this.#ranNs.get(atNs) ?? 0));
    if (percent <= 0) this.#starved.push({ atNs, event });
    const all = this.#coverage.get(event) ?? { countedNs: 0, missedNs: 0 };
    all.countedNs += countedNs;
    if (percent > 0 && percent < 100) all.missedNs += countedNs * (100 / percent - 1);
    this.#coverage.set(event, all);
  }

  /** How far an event was counted; null: perf has no such event here. Where it got no counter at all, the others of the interval tell how long that was. */
  coverageOf(event: string): Coverage | null {
    const found = this.#coverage.get(event);
    if (found === undefined) return null;
    const starved = this.#starved.filter((one) => one.event === event);
    const missedNs = starved.reduce((sum, { atNs }) => sum + (this.#ranNs.get(atNs) ?? 0), found.missedNs);
    return { countedNs: found.countedNs, missedNs };
  }

  /** All that perf told of. */
  get events(): readonly string[] {
    return [...this.#coverage.keys()];
  }

  /** Whether all of it is there: the sum of what perf wrote of these events is what it says that it counted. */
  isWhole(events: readonly string[] = this.events): boolean {
    const sums = new Map<string, number>();
    for (const { event, value } of this.#lines) sums.set(event, (sums.get(event) ?? 0) + value);
    // Times are rounded in each line.
    return events.every((event) => {
      const total = this.#totals.get(event);
      return total === undefined || isTime(event) || (sums.get(event) ?? 0) === total;
    });
  }

  /**
   * What was counted at all, by interval. perf takes the time first and reads its counters then, which takes as long as the machine lets it: what ran
   * meanwhile is in an interval that is over. So one that ended before the window began goes on to where the next ends, as far as that is inside.
   */
  all(origin: Origin, window: Pick<Window, 'startNs'>): IntervalCount[] {
    const ends = [...this.#ends].sort((a, b) => a - b);
    const places = new Map(ends.map((end, i) => [end, i]));
    return this.#lines.map(({ atNs, event, value }) => {
      const i = places.get(atNs) as number;
      const fromNs = origin.fromNs + BigInt(ends[i - 1] ?? 0);
      const saidNs = origin.toNs + BigInt(atNs);
      const readNs = origin.toNs + BigInt(ends[i + 1] ?? atNs);
      const toNs = saidNs <= window.startNs && readNs > window.startNs ? readNs : saidNs;
      return { fromNs, toNs, event, value };
    });
  }
}

/** The end of the interval that a line is of, nanoseconds since perf began; null: it is of none. */
export function endOf(line: string): number | null {
  const at = /^\s*(\d+\.\d+),/.exec(line)?.[1];
  return at === undefined ? null : Math.round(Number(at) * 1e9);
}

/** An event whose count is milliseconds of a processor. */
export const isTime = (event: string): boolean => event.startsWith('task-clock');
