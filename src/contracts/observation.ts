/** A function on a stack, as the sampler reported it: raw symbol, and its file (`[kernel.kallsyms]` for the kernel). */
export interface Frame {
  readonly name: string;
  /** null: unknown. */
  readonly library: string | null;
}

/** `tNs` of a sample in the window whose time is unknown. */
export const UNTIMED = 0n;

/** Processor time that a sampler attributed to one stack. */
export interface StackSample {
  /** CLOCK_MONOTONIC, or `UNTIMED`. */
  readonly tNs: bigint;
  /** Processor time that this sample represents, nanoseconds. */
  readonly weightNs: number;
  /** Stack frames, the outermost first. */
  readonly frames: readonly Frame[];
}

export const COUNT_KINDS = [
  'syscall',
  'error',
  'fault',
  'switch',
  'off-cpu',
  'counter',
  'bytes',
  'cpu',
  'command',
  'command-time',
  'call',
  'stretched',
] as const;

/**
 * A count over a stretch of time. `cpu`: seconds of processor time; `off-cpu`: seconds in which threads had no processor; `command`: calls that a
 * server executed, by its own statistics; `command-time`: seconds of these calls together; `call`: calls of library functions; `stretched`: seconds
 * in a system call or library function, under a tracer.
 */
export interface StretchCount {
  /** CLOCK_MONOTONIC. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly kind: (typeof COUNT_KINDS)[number];
  readonly name: string;
  readonly value: number;
  /** Failed system calls or commands; null: not counted. */
  readonly errors: number | null;
}

/** Data that one observer has of one run. */
export interface ObserverData {
  readonly counts: readonly StretchCount[];
  readonly samples: readonly StackSample[];
}

/** What limits an observer on this machine, or what went wrong with it; the report makes the words. */
export const LIMITATIONS = [
  'no-tool',
  'not-allowed',
  'no-tracepoints',
  'no-group',
  'limits',
  'hangs',
  'too-much',
  'overrun',
  'no-room',
  'ended',
  'place-not-seen',
  'lasts',
  'unreadable',
  'set-aside',
  'no-profile',
  'killed',
  'wrote-too-much',
  'other-user',
  'no-answer',
  'refused',
  'no-tracing',
  'not-asked',
  'too-slow',
  'lone',
  'no-counters',
  'no-counters-in-guest',
  'shared-counters',
  'no-such-event',
  'static',
  'not-glibc',
] as const;

export type Limitation = (typeof LIMITATIONS)[number];

/** A control group, at the same path below the root of every hierarchy. */
interface NamedGroup {
  /** Path of the group as perf writes it, without a slash in front. */
  readonly name: string;
  /** Its directory in the hierarchy that perf uses. */
  readonly folder: string;
}

/** Control group that a run is started in, so that observers see all processes of the run and no others. */
export interface ObservedGroup extends NamedGroup {
  /** Group for processes on the host. */
  readonly host: NamedGroup;
  /** Group for what a container engine starts: these processes see other files than the host's. */
  readonly inside: NamedGroup;
}

/** The window of a run, CLOCK_MONOTONIC. */
export interface Window {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** Observers for extra runs, in addition to the accounting that every run has. */
export const OBSERVER_NAMES = [
  'perf-stat',
  'perf-counters',
  'perf-record',
  'perf-waits',
  'perf-disks',
  'perf-sockets',
  'perf-user',
] as const;
export type ObserverName = (typeof OBSERVER_NAMES)[number];
