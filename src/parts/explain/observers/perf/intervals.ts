import type { Window } from '../../../../contracts/observation.ts';

/** Bounds, on CLOCK_MONOTONIC, for the time when perf began to count seconds. */
export interface Origin {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

/** Count of one event between two readings of perf. */
export interface IntervalCount {
  /** Outer bounds of the interval, CLOCK_MONOTONIC. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly event: string;
  readonly value: number;
}

/** Share of the group's running time in which an event was counted. */
export interface Coverage {
  /** Processor time in which it was counted, nanoseconds, all processors together. */
  readonly countedNs: number;
  /** Processor time in which it was not counted, because others used the hardware counters. */
  readonly missedNs: number;
}

interface Line {
  readonly atNs: number;
  readonly event: string;
  readonly value: number;
}

/**
 * Parser for `perf stat -I … --summary -x ,` (perf-stat(1), CSV format): seconds since perf began, count, unit, event, group, nanoseconds of
 * counting, and their percentage; each interval ends where the next begins.
 */
export class IntervalCounts {
  readonly #ends = new Set<number>();
  readonly #lines: Line[] = [];
  readonly #totals = new Map<string, number>();
  readonly #coverage = new Map<string, { countedNs: number; missedNs: number }>();
  /** Running time of the group in each interval, from events that are always counted. */
  readonly #ranNs = new Map<number, number>();
  readonly #starved: { readonly atNs: number; readonly event: string }[] = [];

  take(line: string): void {
    const [at = '', count = '', , event = '', , counted = '', percent = ''] = line.trim().split(',');
    // `<not counted>`: the group did not run, or the event had no hardware counter. `<not supported>`: it does not exist.
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

  /** How completely an event was counted; null: perf does not have it here. Without any counter, other events give the missed time. */
  coverageOf(event: string): Coverage | null {
    const found = this.#coverage.get(event);
    if (found === undefined) return null;
    const starved = this.#starved.filter((one) => one.event === event);
    const missedNs = starved.reduce((sum, { atNs }) => sum + (this.#ranNs.get(atNs) ?? 0), found.missedNs);
    return { countedNs: found.countedNs, missedNs };
  }

  /** Events that perf reported. */
  get events(): readonly string[] {
    return [...this.#coverage.keys()];
  }

  /** Whether no interval is missing: the sum of these events' intervals equals perf's summary. */
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
   * All counts by interval. perf takes the time before it reads its counters, which may take long: events in between are in the previous interval. So
   * an interval that ended before the window extends to the end of the next one, inside the window.
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

/** End of a line's interval, nanoseconds since perf began; null: the line belongs to none. */
export function endOf(line: string): number | null {
  const at = /^\s*(\d+\.\d+),/.exec(line)?.[1];
  return at === undefined ? null : Math.round(Number(at) * 1e9);
}

/** An event whose count is milliseconds of a processor. */
export const isTime = (event: string): boolean => event.startsWith('task-clock');
