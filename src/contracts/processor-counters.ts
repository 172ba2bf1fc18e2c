/** Hardware counters, by perf's names, which are the same for all processors. */
export const COUNTERS = ['instructions', 'cycles', 'cache-misses', 'branch-misses'] as const;
export type Counter = (typeof COUNTERS)[number];

/** A counter. On a hybrid machine, `cores` is the kind of processors (`cpu_core`); null: all processors. */
export interface CounterName {
  readonly counter: Counter;
  readonly cores: string | null;
}

/** Text of a counter: `cycles`, or `cycles (cpu_core)`. */
export const counterText = ({ counter, cores }: { readonly counter: string; readonly cores: string | null }): string =>
  cores === null ? counter : `${counter} (${cores})`;

/** Parses an event as perf prints it, `cycles` or `cpu_core/cycles/`; null: it is none of these counters. */
export function counterOf(event: string): CounterName | null {
  const [, cores = null, name = ''] = /^(?:(\w+)\/)?([\w-]+)(?:[/:].*)?$/.exec(event) ?? [];
  const counter = COUNTERS.find((one) => one === name);
  return counter === undefined ? null : { counter, cores };
}
