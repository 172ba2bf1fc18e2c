/** A function on a stack, as the sampler named it: raw symbol, and the file that holds it (`[kernel.kallsyms]` for the kernel). */
export interface Frame {
  readonly name: string;
  /** null: unknown. */
  readonly library: string | null;
}

/** Processor time that was seen on a stack at one moment. */
export interface StackSample {
  /** CLOCK_MONOTONIC. */
  readonly tNs: bigint;
  /** The processor time that it stands for. */
  readonly weightNs: number;
  /** The outermost first. */
  readonly frames: readonly Frame[];
}

export const COUNT_KINDS = ['syscall', 'fault', 'switch', 'bytes', 'cpu'] as const;

/** Something that was counted in a stretch of time; `cpu`: seconds of processor time. */
export interface StretchCount {
  /** CLOCK_MONOTONIC. */
  readonly fromNs: bigint;
  readonly toNs: bigint;
  readonly kind: (typeof COUNT_KINDS)[number];
  readonly name: string;
  readonly value: number;
  /** Of system calls; null: not counted. */
  readonly errors: number | null;
}

/** What one observer saw of one run. */
export interface Seen {
  readonly counts: readonly StretchCount[];
  readonly samples: readonly StackSample[];
}

export const NOTHING_SEEN: Seen = { counts: [], samples: [] };

/** What an observer lacks on this machine, or what went wrong with it; the words are made in the report. */
export const LACKS = [
  'no-tool',
  'not-allowed',
  'no-tracepoints',
  'no-group',
  'hangs',
  'ended',
  'place-not-seen',
  'unreadable',
] as const;
export type Lack = (typeof LACKS)[number];

/** What an observed run is made of, for whoever looks on. */
export interface Target {
  /** Group that all of the run is born in, below the tree that perf looks in; null: none can be made. */
  readonly group: ObservedGroup | null;
  /** Private, for files that are needed meanwhile. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** A control group that the places of one run are born in, so that whoever looks at it sees all of the run and nothing else. */
export interface ObservedGroup {
  /** Below the root of every hierarchy, without a slash in front: as perf and the engine call it. */
  readonly name: string;
  /** Its folder in the tree that perf looks in. */
  readonly folder: string;
}

/** An observer that looks on, from before a run's window until after it. */
export interface Observation {
  /** Ends the looking; `windowOf` a run that went well. Throws ObserverError. */
  end(window: Window): Promise<Seen>;
  /** Ends it without asking what it saw; never throws. */
  cancel(): Promise<void>;
}

export interface Window {
  readonly startNs: bigint;
  readonly endNs: bigint;
}
