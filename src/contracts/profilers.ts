/** What seconds of functions count: `processor`, while the thread had a processor; `thread`, while it was seen in the function. */
export type StackTimeKind = 'processor' | 'thread';

/**
 * How a profiler gets its data: `files`, the process writes them when it ends; `attached`, another program inspects the process; `asked`, a server
 * is queried before and after the client; `polled`, a server is queried repeatedly while the client runs.
 */
export type ProfilerWay = 'files' | 'attached' | 'asked' | 'polled';

/** What a profiler reports: stacks of functions, with the meaning of their seconds, or commands that a server executed. */
type Reported = { readonly tells: 'stacks'; readonly time: StackTimeKind } | { readonly tells: 'commands' };

/** Profilers of runtimes, without their code: readers of experiment files and results need only these facts. */
export const PROFILERS = {
  node: { way: 'files', tells: 'stacks', time: 'thread' },
  jfr: { way: 'files', tells: 'stacks', time: 'thread' },
  'py-spy': { way: 'attached', tells: 'stacks', time: 'thread' },
  go: { way: 'files', atPort: 'polled', tells: 'stacks', time: 'processor' },
  redis: { way: 'asked', tells: 'commands' },
  postgres: { way: 'asked', tells: 'commands' },
} as const satisfies Readonly<Record<string, Reported & { readonly way: ProfilerWay; readonly atPort?: ProfilerWay }>>;

export type ProfilerName = keyof typeof PROFILERS;
export const PROFILER_NAMES = Object.keys(PROFILERS) as ProfilerName[];

/** How this profiler gets its data. `port`: the port that the experiment file names; null: none. */
export function getWay(name: ProfilerName, port: number | null): ProfilerWay {
  const found = PROFILERS[name];
  return port !== null && 'atPort' in found ? found.atPort : found.way;
}

const isName = (name: string): name is ProfilerName => Object.hasOwn(PROFILERS, name);

/** Name of the observation level of a profiler: `node`, or `node:server` for that of a service. */
export const rungName = (kind: string, of: string | null): string => (of === null ? kind : `${kind}:${of}`);

export interface RungOfProfiler {
  readonly name: ProfilerName;
  readonly reported: Reported;
  /** Name of a service; null: the workload's command. */
  readonly of: string | null;
}

/** The profiler that this name of an observation level refers to; null: it is not a profiler's. */
export function findProfiler(rung: string): RungOfProfiler | null {
  const at = rung.indexOf(':');
  const name = at < 0 ? rung : rung.slice(0, at);
  return isName(name) ? { name, reported: PROFILERS[name], of: at < 0 ? null : rung.slice(at + 1) } : null;
}

/** What the seconds of functions count at these observation levels. */
export function stackTimeKind(rungs: readonly string[]): StackTimeKind {
  const reported = rungs.map((rung) => findProfiler(rung)?.reported);
  return reported.some((one) => one?.tells === 'stacks' && one.time === 'thread') ? 'thread' : 'processor';
}

/** A profiler that the experiment file asks for, and its target. */
export interface Profile {
  readonly kind: string;
  /** Name of a service; null: the workload's command. */
  readonly of: string | null;
  /** Port where it is queried; null: the usual port of its kind. */
  readonly port: number | null;
  /** User and database for the query, for kinds that have them; absent: as the user's own program has them. */
  readonly user?: string;
  readonly database?: string;
}
