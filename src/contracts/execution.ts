import type { Counted } from '../findings/resources.ts';

/** How the command `run` went. The window [startNs, endNs] on CLOCK_MONOTONIC is that of the workload itself. */
export interface Execution {
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** Last lines of stdout and stderr, for the record of a failed run. At most 4,000 characters. */
  readonly outputTail: string;
  /** Processes that outlived the command; null: none did, as always where they end with their place. */
  readonly leftRunning: LeftRunning | null;
  /** A limit that the run met, so that it did less than without the limit; null: none, as far as is known. */
  readonly limit: LimitMet | null;
  /** True: nothing could show any more whether the run met a limit; absent: it could be checked. */
  readonly limitUnseen?: boolean;
  /** Seconds of the window before its place had started, all starts together; null: only the command itself is started. */
  readonly startUpS: number | null;
  /** Largest error of the window where another machine's clock timed it; absent: it was timed by the clock of the samples. */
  readonly clock?: WindowClock;
}

/** A resource that the workload asked for and was refused; a run that met a limit is not the intended run. */
export type Limit = 'processes' | 'memory';

/** Result for a run: the limit met, or `perhaps-memory` if the run was killed and nothing can tell any more why. */
export type LimitMet = Limit | 'perhaps-memory';

/** Upper bounds of a window's errors, seconds. */
export interface WindowClock {
  /** Error of the start and of the end. */
  readonly edgeS: number;
  /** Error of the window's length. It is smaller, because both edges are mostly off in the same direction. */
  readonly lengthS: number;
}

/** Processes, by name, that outlived the command. */
export interface LeftRunning {
  readonly ended: readonly string[];
  /** Processes that could not be ended, or may be another user's, each with its process id. */
  readonly remaining: readonly string[];
}

/** Names of the processes that `prepare` started and that outlived it, each once. */
export interface PreparedProcesses {
  readonly names: readonly string[];
  /** True: they keep running beside the workload; false: they were ended with `prepare`. */
  readonly runOn: boolean;
}

/** A checkpoint that the workload printed, or the window's end if a phase of its own markers lasts until then. */
export interface PhaseMark {
  /** When the line was noticed, CLOCK_MONOTONIC; inside the window. */
  readonly tNs: bigint;
  /** Maximum delay between writing the line and noticing it. */
  readonly lateNs: bigint;
  /** The phase that begins here; null: the previous phase ends, and none begins. */
  readonly phase: string | null;
}

/** Resources that a run used, all executions of its window together; null: not available, and `unread` gives the reason. */
export interface Usage {
  /** Processor time, user and system, of all processes of the workload. */
  readonly cpuS: number | null;
  /** Peak memory, as the kernel charges it: with the page cache of the files used. */
  readonly peakMemoryBytes: number | null;
  /** Bytes read from disks, without those from the page cache; `writtenBytes` likewise. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
  /** Why values are missing, as sentences. */
  readonly unread: readonly string[];
  /** Further counters of the kernel; absent: there are none. */
  readonly counters?: readonly Counted[];
}

/** Data about a run in addition to its window. */
export interface RunTelemetry {
  readonly marks: readonly PhaseMark[];
  /** Why there are no marks although the workload printed checkpoints; a clause without a full stop. */
  readonly phaseProblem: string | null;
  readonly usage: Usage | null;
}

/** How a service of a run started and ended, for the record. */
export interface ServiceRun {
  readonly service: string;
  /** Seconds from its start until it was ready; null: it never was. */
  readonly readyS: number | null;
  /** Seconds from its stop signal to its end; null: it had ended before. */
  readonly stopS: number | null;
  /** `stopped`: by the stop signal; `killed`: the signal did not end it in time; `died`: it ended by itself. */
  readonly ended: 'stopped' | 'killed' | 'died';
}
