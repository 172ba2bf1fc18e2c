import type { StretchCount } from '../observer.ts';

/** Between which moments of CLOCK_MONOTONIC perf began to count its own seconds. */
export interface Origin {
  readonly fromNs: bigint;
  readonly toNs: bigint;
}

interface Line {
  readonly atNs: number;
  readonly event: string;
  readonly value: number;
}

/**
 * Takes the lines of `perf stat -I … --summary -x ,` apart (perf-stat(1), CSV format): seconds since perf began, count, unit, event, …; one interval ends
 * where the next begins.
 */
export class IntervalCounts {
  readonly #ends = new Set<number>();
  readonly #lines: Line[] = [];
  readonly #totals = new Map<string, number>();

  take(line: string): void {
    const [at = '', count = '', , event = ''] = line.trim().split(',');
    // `<not counted>`: nothing of the group ran.
    const value = Number(count);
    if (at === 'summary' && Number.isFinite(value)) this.#totals.set(event, value);
    const atNs = endOf(line);
    if (atNs === null || event === '') return;
    this.#ends.add(atNs);
    if (Number.isFinite(value) && value !== 0) this.#lines.push({ atNs, event, value });
  }

  /** Whether all of it is there: the sum of what perf wrote is what it says that it counted. */
  get isWhole(): boolean {
    const sums = new Map<string, number>();
    for (const { event, value } of this.#lines) sums.set(event, (sums.get(event) ?? 0) + value);
    // Times are rounded in each line.
    return [...this.#totals].every(([event, total]) => isTime(event) || (sums.get(event) ?? 0) === total);
  }

  /** What was counted at all, by interval: none began earlier or ended later than it says. */
  all(origin: Origin): StretchCount[] {
    const ends = [...this.#ends].sort((a, b) => a - b);
    const begins = new Map(ends.map((end, i) => [end, ends[i - 1] ?? 0]));
    return this.#lines.flatMap(({ atNs, event, value }) => {
      const what = whatOf(event);
      if (what === null) return [];
      const [fromNs, toNs] = [origin.fromNs + BigInt(begins.get(atNs) ?? 0), origin.toNs + BigInt(atNs)];
      return [{ fromNs, toNs, ...what, value: what.kind === 'cpu' ? value / 1000 : value, errors: null }];
    });
  }
}

/** The end of the interval that a line is of, nanoseconds since perf began; null: it is of none. */
export function endOf(line: string): number | null {
  const at = /^\s*(\d+\.\d+),/.exec(line)?.[1];
  return at === undefined ? null : Math.round(Number(at) * 1e9);
}

const isTime = (event: string): boolean => event.startsWith('task-clock');

function whatOf(event: string): Pick<StretchCount, 'kind' | 'name'> | null {
  const call = /^syscalls:sys_enter_(\w+)/.exec(event)?.[1];
  if (call !== undefined) return { kind: 'syscall', name: call };
  if (event.startsWith('raw_syscalls:sys_enter')) return { kind: 'syscall', name: 'all' };
  if (isTime(event)) return { kind: 'cpu', name: 'task-clock' };
  if (/^(?:page|major)-faults/.test(event)) return { kind: 'fault', name: event.replace(/:.*$/, '') };
  if (/^(?:context-switches|cpu-migrations)/.test(event)) return { kind: 'switch', name: event.replace(/:.*$/, '') };
  return null;
}
