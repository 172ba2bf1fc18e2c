/** What the seconds of functions are: those that a thread had a processor for, or those in which it was seen in them. */
export type StackTimeKind = 'processor' | 'thread';

/**
 * How it comes to know: `files`, what a process writes when it ends; `attached`, another program looks at the process from outside; `asked`, a server's
 * answers before the client and after it; `polled`, its answers one after the other while the client runs.
 */
export type ProfilerWay = 'files' | 'attached' | 'asked' | 'polled';

/** What a profiler tells: functions, with what their seconds are, or commands that a server executed. */
type Told = { readonly tells: 'stacks'; readonly time: StackTimeKind } | { readonly tells: 'commands' };

/** Profilers of runtimes, and what each tells. Without what they do: whoever reads an experiment file or a result needs no more. */
export const PROFILERS = {
  node: { way: 'files', tells: 'stacks', time: 'thread' },
  jfr: { way: 'files', tells: 'stacks', time: 'thread' },
  'py-spy': { way: 'attached', tells: 'stacks', time: 'thread' },
  go: { way: 'files', atPort: 'polled', tells: 'stacks', time: 'processor' },
  redis: { way: 'asked', tells: 'commands' },
  postgres: { way: 'asked', tells: 'commands' },
} as const satisfies Readonly<Record<string, Told & { readonly way: ProfilerWay; readonly atPort?: ProfilerWay }>>;

export type ProfilerName = keyof typeof PROFILERS;
export const PROFILER_NAMES = Object.keys(PROFILERS) as ProfilerName[];

/** `port`: that the experiment file names; null: none. */
export function wayOf(name: ProfilerName, port: number | null): ProfilerWay {
  const found = PROFILERS[name];
  return port !== null && 'atPort' in found ? found.atPort : found.way;
}

const isName = (name: string): name is ProfilerName => Object.hasOwn(PROFILERS, name);

/** `node`, or `node:server` for that of a service: what its rung is called. */
export const rungOf = (kind: string, of: string | null): string => (of === null ? kind : `${kind}:${of}`);

export interface RungOfProfiler {
  readonly name: ProfilerName;
  readonly told: Told;
  /** Name of a service; null: the workload's command. */
  readonly of: string | null;
}

/** What stands behind the name of a rung; null: it is no profiler's. */
export function profilerOf(rung: string): RungOfProfiler | null {
  const at = rung.indexOf(':');
  const name = at < 0 ? rung : rung.slice(0, at);
  return isName(name) ? { name, told: PROFILERS[name], of: at < 0 ? null : rung.slice(at + 1) } : null;
}

/** What the seconds of functions are that these rungs report. */
export function stackTimeOf(rungs: readonly string[]): StackTimeKind {
  const told = rungs.map((rung) => profilerOf(rung)?.told);
  return told.some((one) => one?.tells === 'stacks' && one.time === 'thread') ? 'thread' : 'processor';
}

/** What the experiment file asks for: the profiler of a runtime, and of what. */
export interface Profile {
  readonly kind: string;
  /** Name of a service; null: the workload's command. */
  readonly of: string | null;
  /** Where it is asked; null: where its kind is usually found. */
  readonly port: number | null;
  /** As whom, and about which database, where its kind has them; absent: as the user's own program does it. */
  readonly user?: string;
  readonly database?: string;
}
