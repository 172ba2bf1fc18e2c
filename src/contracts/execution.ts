import type { Counted } from '../findings/resources.ts';

/** How `run` went. The window is [startNs, endNs] on CLOCK_MONOTONIC, of the workload itself. */
export interface Execution {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Last lines of stdout and stderr, for the record of a failed run. At most 4,000 characters. */
  readonly outputTail: string;
  /** Processes that went on when it had ended; null: none did, as always where they end with their place. */
  readonly leftRunning: LeftRunning | null;
  /** A limit that it met: it did not do what it does without; null: none, as far as can be known. */
  readonly limit: LimitMet | null;
  /** Whether nothing could tell of a limit any more; absent: something could. */
  readonly limitUnseen?: boolean;
  /** Seconds of the window until its place had started, all starts together; null: nothing is started but the command. */
  readonly startUpS: number | null;
  /** Largest error of the window where another machine's clock timed it; absent: it was timed by the clock of the samples. */
  readonly clock?: WindowClock;
}

/** What was not given to a workload although it asked for it; a run that met a limit is not the run that was meant. */
export type Limit = 'processes' | 'memory';

/** What is told of a run: that one was met, or that the memory may have been too little where nothing tells any more why it was killed. */
export type LimitMet = Limit | 'perhaps-memory';

/** Seconds, at the most. */
export interface WindowClock {
  /** Error of each edge. */
  readonly edgeS: number;
  /** Error of the time between the edges, which is smaller: both are off in the same way, for the most part. */
  readonly lengthS: number;
}

/** Names of processes. */
export interface LeftRunning {
  readonly ended: readonly string[];
  /** Processes that could not be ended, or may be somebody else's, each with its number. */
  readonly remaining: readonly string[];
}

/** Processes that `prepare` started and that had not ended when it had; each name once. */
export interface PreparedProcesses {
  readonly names: readonly string[];
  /** They run on beside the workload; else they ended with `prepare`. */
  readonly runOn: boolean;
}

/** A checkpoint that the workload told in its own output. */
export interface PhaseMark {
  /** When its line was seen, CLOCK_MONOTONIC; inside the window. */
  readonly tNs: bigint;
  /** It may have been written so long before, at the most. */
  readonly lateNs: bigint;
  /** The phase that begins here; null: the one before it ends, and none begins. */
  readonly phase: string | null;
}

/** What a run used of the machine, all executions of its window together; null: it can't be read, `unread` says why. */
export interface Usage {
  /** Processor time, user and system, of all processes of the workload. */
  readonly cpuS: number | null;
  /** Most memory at a time, as the kernel charges it: with the page cache of the files that it touched. */
  readonly peakMemoryBytes: number | null;
  /** From and to disks, not from and to the page cache. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
  /** Sentences. */
  readonly unread: readonly string[];
  /** What the kernel counts beside it; absent: nothing. */
  readonly counters?: readonly Counted[];
}

/** What is known of a run beside its window. */
export interface RunTelemetry {
  readonly marks: readonly PhaseMark[];
  /** Why there are no marks although there were checkpoints; a sentence without its end. */
  readonly phaseProblem: string | null;
  readonly usage: Usage | null;
}

/** How a run's service did, for the record. */
export interface ServiceRun {
  readonly service: string;
  /** Seconds from its start until it was ready; null: it never was. */
  readonly readyS: number | null;
  /** Seconds from its stop signal to its end; null: it was gone before. */
  readonly stopS: number | null;
  /** `stopped`: by its signal; `killed`: it did not end in time; `died`: it ended by itself. */
  readonly ended: 'stopped' | 'killed' | 'died';
}
