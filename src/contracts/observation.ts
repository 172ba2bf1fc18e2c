/** A function on a stack, as the sampler named it: raw symbol, and the file that holds it (`[kernel.kallsyms]` for the kernel). */
export interface Frame {
  readonly name: string;
  /** null: unknown. */
  readonly library: string | null;
}

/** The time of a sample that was taken in the window, nobody told when. */
export const UNTIMED = 0n;

/** Processor time that was seen on a stack at one moment. */
export interface StackSample {
  /** CLOCK_MONOTONIC, or `UNTIMED`. */
  readonly tNs: bigint;
  /** The processor time that it stands for. */
  readonly weightNs: number;
  /** The outermost first. */
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
 * Something that was counted in a stretch of time; `cpu`: seconds of processor time; `off-cpu`: seconds of threads that had none; `command`: calls that a
 * server executed, by its own account, and `command-time` the seconds that it took for all of them; `call`: calls of a library's function, and `stretched`: seconds in
 * a system call or such a function, under a tracer.
 */
export interface StretchCount {
  /** CLOCK_MONOTONIC. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly kind: (typeof COUNT_KINDS)[number];
  readonly name: string;
  readonly value: number;
  /** How many system calls or commands failed; null: that isn't counted. */
  readonly errors: number | null;
}

/** What one observer saw of one run. */
export interface Seen {
  readonly counts: readonly StretchCount[];
  readonly samples: readonly StackSample[];
}

/** What an observer lacks on this machine, or what went wrong with it; the words are made in the report. */
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

/** A group of processes below the root of every hierarchy of control groups. */
interface NamedGroup {
  /** Path of the group as perf writes it, without a slash in front. */
  readonly name: string;
  /** Its folder in the tree that perf reads. */
  readonly folder: string;
}

/** What one run is born in, so that whoever looks at it sees all of the run and nothing else. */
export interface ObservedGroup extends NamedGroup {
  /** For what runs on the host. */
  readonly host: NamedGroup;
  /** For what an engine starts, with files of its own. */
  readonly inside: NamedGroup;
}

/** The window of a run, CLOCK_MONOTONIC. */
export interface Window {
  readonly startNs: bigint;
  readonly endNs: bigint;
}

/** What extra runs are looked at with, beside the accounts that every run has. */
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
