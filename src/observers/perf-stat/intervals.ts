import type { StretchCount } from '../observer.ts';

interface Line {
  readonly atNs: number;
  readonly event: string;
  readonly value: number;
}

/**
 * Takes the lines of `perf stat -I … -x ,` apart (perf-stat(1), CSV format): seconds since perf began, count, unit, event, … One interval ends where
 * the next begins. When perf began is the earliest moment that its lines allow: none comes before its time.
 */
export class IntervalCounts {
  readonly #ends = new Set<number>();
  readonly #lines: Line[] = [];
  #originNs: bigint | null = null;

  take(line: string, arrivedNs: bigint): void {
    const [at = '', count = '', , event = ''] = line.trim().split(',');
    if (!/^\d+\.\d+$/.test(at) || event === '') return;
    const atNs = Math.round(Number(at) * 1e9);
    const originNs = arrivedNs - BigInt(atNs);
    if (this.#originNs === null || originNs < this.#originNs) this.#originNs = originNs;
    // `<not counted>`: nothing of the group ran.
    const value = Number(count);
    this.#ends.add(atNs);
    if (Number.isFinite(value) && value !== 0) this.#lines.push({ atNs, event, value });
  }

  /** What was counted at all, by interval. */
  all(): StretchCount[] {
    const origin = this.#originNs;
    if (origin === null) return [];
    const ends = [...this.#ends].sort((a, b) => a - b);
    const begins = new Map(ends.map((end, i) => [end, ends[i - 1] ?? 0]));
    return this.#lines.flatMap(({ atNs, event, value }) => {
      const what = whatOf(event);
      if (what === null) return [];
      const [fromNs, toNs] = [origin + BigInt(begins.get(atNs) ?? 0), origin + BigInt(atNs)];
      return [{ fromNs, toNs, ...what, value: what.kind === 'cpu' ? value / 1000 : value, errors: null }];
    });
  }
}

function whatOf(event: string): Pick<StretchCount, 'kind' | 'name'> | null {
  const call = /^syscalls:sys_enter_(\w+)/.exec(event)?.[1];
  if (call !== undefined) return { kind: 'syscall', name: call };
  if (event.startsWith('raw_syscalls:sys_enter')) return { kind: 'syscall', name: 'all' };
  if (event.startsWith('task-clock')) return { kind: 'cpu', name: 'task-clock' };
  if (/^(?:page|major)-faults/.test(event)) return { kind: 'fault', name: event.replace(/:.*$/, '') };
  if (/^(?:context-switches|cpu-migrations)/.test(event)) return { kind: 'switch', name: event.replace(/:.*$/, '') };
  return null;
}
