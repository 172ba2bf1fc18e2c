/** What the processor counts by itself, as perf calls it on all of them. */
export const COUNTERS = ['instructions', 'cycles', 'cache-misses', 'branch-misses'] as const;
export type Counter = (typeof COUNTERS)[number];

/** A counter, of processors of one kind where a machine has several (`cpu_core`); `cores` null: of all. */
export interface CounterName {
  readonly counter: Counter;
  readonly cores: string | null;
}

/** `cycles`; `cycles (cpu_core)`. */
export const counterText = ({ counter, cores }: { readonly counter: string; readonly cores: string | null }): string =>
  cores === null ? counter : `${counter} (${cores})`;

/** From an event as perf prints it, `cycles` or `cpu_core/cycles/`; null: it is none of these. */
export function counterOf(event: string): CounterName | null {
  const [, cores = null, name = ''] = /^(?:(\w+)\/)?([\w-]+)(?:[/:].*)?$/.exec(event) ?? [];
  const counter = COUNTERS.find((one) => one === name);
  return counter === undefined ? null : { counter, cores };
}
