import type { ObservedRun } from '../contracts/observed-run.ts';
import type { Findings } from '../findings/findings.ts';
import type { Counted, Counter } from '../findings/resources.ts';
import type { RunReason } from '../findings/run-reason.ts';
import type { RestEnd, RunStatus } from '../schedule/outcome.ts';
import type { MachineState, RunPlace } from '../store/records.ts';
import type { ProcessorUse } from './processor-use.ts';
import type { RunUncertainty } from './uncertainty.ts';

/**
 * Energy that one standard uncertainty of the meter's latency shifts into a phase, joules: by the powers before its edges, and by those
 * after them.
 */
export type LatencyJ = readonly [before: number, after: number];

/** One line of runs.csv: one execution on one channel, with what the analysis made of it. */
export interface RunResult {
  readonly run: number;
  readonly block: number | null;
  readonly position: number | null;
  readonly variant: string;
  /** Full hash of the checked-out commit; null: the files as they were on disk. */
  readonly revision: string | null;
  readonly status: RunStatus;
  /** Null: the run is compared, or the reason is unknown. */
  readonly reason: RunReason | null;
  readonly startNs: bigint | null;
  readonly endNs: bigint | null;
  readonly durationS: number | null;
  /** Idle seconds before the window and why the rest ended, if it ended by itself; absent: its length was fixed. */
  readonly rest?: { readonly s: number; readonly end: RestEnd };
  /** Gross energy over the window. */
  readonly energyJ: number | null;
  readonly netEnergyJ: number | null;
  readonly meanPowerW: number | null;
  readonly idlePowerW: number | null;
  /** Expanded uncertainties (k = 2), joules; null: the meter's class, or another part, is unknown. */
  readonly uncertaintyJ: number | null;
  readonly netUncertaintyJ: number | null;
  /** Parts of the uncertainties. */
  readonly uncertainty: RunUncertainty | null;
  readonly channel: string;
  /** Samples that the energy was summed from. */
  readonly samples: number | null;
  /** Phases that the workload marked, in seconds after the start of the window; only on the primary channel. */
  readonly phases?: readonly {
    readonly phase: string;
    readonly startS: number;
    readonly endS: number;
    readonly energyJ: number | null;
    /** Expanded uncertainty (k = 2) from the phase's edges, without the meter's class, which belongs to the run. */
    readonly uncertaintyJ: number | null;
    readonly latencyJ?: LatencyJ;
    /** True: shorter than three readings, or than the meter spreads an edge, so that the energy is rough. */
    readonly short?: boolean;
  }[];
  /** The window outside of its phases; together with them it is exactly the run's energy. */
  readonly outsidePhases?: {
    readonly durationS: number;
    readonly energyJ: number | null;
    readonly uncertaintyJ: number | null;
    readonly latencyJ?: LatencyJ;
    readonly short: boolean;
  };
  /** What the run used; null: not read. */
  readonly resources: {
    readonly cpuS: number | null;
    readonly peakMemoryBytes: number | null;
    readonly readBytes: number | null;
    readonly writtenBytes: number | null;
  } | null;
  /** Kernel counters of the window; absent: not read. */
  readonly counters?: readonly Counted<Counter>[];
  /** Uncertainty of the context switches above idle, because idle differed before and after the run; absent: unknown. */
  readonly openSwitches?: number;
  /** Metrics that it printed, by name; absent: none. */
  readonly metrics?: Readonly<Record<string, number>>;
  /** State of the machine just before the window; null: it can't be read. */
  readonly machine: MachineState | null;
  /** Executions of the command inside the window; absent: one. The energy and the duration are those of all of them. */
  readonly executions?: number;
  /** How its place was used; absent: not recorded. */
  readonly place?: RunPlace;
}

/** Power of one run over time, for the charts: the middle of each reading's stretch, in seconds after the start of the window. */
export interface RunTrace {
  readonly run: number;
  readonly variant: string;
  readonly durationS: number;
  readonly tS: Float64Array;
  readonly powerW: Float64Array;
  /** How busy the machine's processors were; absent: not recorded. */
  readonly use?: ProcessorUse;
}

/** Input of the report. */
export interface Analysis {
  readonly findings: Findings;
  readonly runs: readonly RunResult[];
  /** Traces of the compared runs, primary channel only. */
  readonly traces: readonly RunTrace[];
  /** Observed extra runs; absent: none. */
  readonly observed?: readonly ObservedRun[];
}

/** Reason recorded by the run itself, or given in a file. */
export function recordedReason(text: string | null): RunReason | null {
  return text === null ? null : { kind: 'recorded', text };
}
