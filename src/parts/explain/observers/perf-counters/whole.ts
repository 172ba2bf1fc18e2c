import type { StretchCount, Window } from '../../../../contracts/observation.ts';
import { type Counter, type CounterName, counterOf, counterText } from '../../../../contracts/processor-counters.ts';
import type { IntervalCounts, Origin } from '../perf/intervals.ts';

/** Maximum share of time without counting: with few hardware counters, perf multiplexes and extrapolates, which is no count. */
const MAX_MISSED = 0.001;

interface Reported {
  readonly counts: readonly StretchCount[];
  /** Whether the counter was used by others for part of the time. */
  readonly isShared: boolean;
}

/**
 * Counters that were counted completely. With several kinds of processors, each counter has a value per kind, as
 * perf reports them, and a total if none was missed.
 */
export function wholeCounters(counted: IntervalCounts, origin: Origin, window: Window): Reported {
  const events = counted.events.flatMap((event) => {
    const name = counterOf(event);
    return name === null ? [] : [{ event, name }];
  });
  const isShort = (event: string): boolean => {
    const { countedNs, missedNs } = counted.coverageOf(event) ?? { countedNs: 0, missedNs: 0 };
    return missedNs > MAX_MISSED * (countedNs + missedNs) || !counted.isWhole([event]);
  };
  const short = new Set<Counter>(events.flatMap(({ event, name }) => (isShort(event) ? [name.counter] : [])));
  const names = new Map(events.filter(({ name }) => !short.has(name.counter)).map(({ event, name }) => [event, name]));
  const counts = counted.all(origin, window).flatMap(({ event, fromNs, toNs, value }): StretchCount[] => {
    const name = names.get(event);
    if (name === undefined) return [];
    const count = (of: CounterName): StretchCount => ({
      fromNs,
      toNs,
      kind: 'counter',
      name: counterText(of),
      value,
      errors: null,
    });
    return name.cores === null ? [count(name)] : [count({ ...name, cores: null }), count(name)];
  });
  return { counts, isShared: short.size > 0 };
}
