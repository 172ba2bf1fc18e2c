/**
 * Profilers of runtimes, and how each tells: `files`, what it writes when its process ends: stacks; `asked`, a server's answers about what it executed.
 * Without what they do: whoever reads an experiment file or a result needs no more.
 */
export const PROFILERS = {
  node: 'files',
  jfr: 'files',
  redis: 'asked',
  postgres: 'asked',
} as const satisfies Readonly<Record<string, 'files' | 'asked'>>;

export type ProfilerName = keyof typeof PROFILERS;
export const PROFILER_NAMES = Object.keys(PROFILERS) as ProfilerName[];

const isName = (name: string): name is ProfilerName => Object.hasOwn(PROFILERS, name);

/** `node`, or `node:server` for that of a service: what its rung is called. */
export const rungOf = (kind: string, of: string | null): string => (of === null ? kind : `${kind}:${of}`);

export interface RungOfProfiler {
  readonly name: ProfilerName;
  readonly way: 'files' | 'asked';
  /** Name of a service; null: the workload's command. */
  readonly of: string | null;
}

/** What stands behind the name of a rung; null: it is no profiler's. */
export function profilerOf(rung: string): RungOfProfiler | null {
  const at = rung.indexOf(':');
  const name = at < 0 ? rung : rung.slice(0, at);
  return isName(name) ? { name, way: PROFILERS[name], of: at < 0 ? null : rung.slice(at + 1) } : null;
}
