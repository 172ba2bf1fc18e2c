import type { ObservedRun } from '../contracts/observed-run.ts';
import type { Findings } from '../findings/findings.ts';
import type { Counted, Counter } from '../findings/resources.ts';
import type { RunReason } from '../findings/run-reason.ts';
import type { RestEnd, RunStatus } from '../schedule/outcome.ts';
import type { MachineState, RunPlace } from '../store/records.ts';
import type { RunUncertainty } from './uncertainty.ts';

/**
 * What one standard uncertainty of the meter's latency moves into a stretch, joules: by the powers just before its edges, and by those just
 * after them.
 */
export type LatencyJ = readonly [before: number, after: number];

/** One line of runs.csv: one execution on one channel, with what the analysis made of it. */
export interface RunResult {
  readonly run: number;
  readonly block: number | null;
  readonly position: number | null;
  readonly variant: string;
  /** Full hash of the commit that it ran at; null: the files as they lay there. */
  readonly revision: string | null;
  readonly status: RunStatus;
  /** Null: it is compared, or nothing is known of it. */
  readonly reason: RunReason | null;
  readonly startNs: bigint | null;
  readonly endNs: bigint | null;
  readonly durationS: number | null;
  /** Idle seconds before the window that followed from what was seen, and how they ended; absent: they were given. */
  readonly rest?: { readonly s: number; readonly end: RestEnd };
  /** Gross energy over the window. */
  readonly energyJ: number | null;
  readonly netEnergyJ: number | null;
  readonly meanPowerW: number | null;
  readonly idlePowerW: number | null;
  /** Expanded uncertainties (k = 2), joules; null: the meter's class, or another part, isn't known. */
  readonly uncertaintyJ: number | null;
  readonly netUncertaintyJ: number | null;
  /** What they are made of. */
  readonly uncertainty: RunUncertainty | null;
  readonly channel: string;
  /** Samples that the energy was summed from. */
  readonly samples: number | null;
  /** Phases that the workload told, in seconds after the start of the window; only on the primary channel. */
  readonly phases?: readonly {
    readonly phase: string;
    readonly startS: number;
    readonly endS: number;
    readonly energyJ: number | null;
    /** Expanded (k = 2), of its edges; the meter's class, which is the run's, is not in it. */
    readonly uncertaintyJ: number | null;
    readonly latencyJ?: LatencyJ;
    /** Less than three readings long, or shorter than an edge that the meter shows: its energy is rough. */
    readonly short?: boolean;
  }[];
  /** What is left of the window outside of its phases: with them it makes up the run's energy exactly. */
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
  /** What the kernel counted in its window; absent: it was not looked at. */
  readonly counters?: readonly Counted<Counter>[];
  /** Of its switches above idle, how many are uncertain because the machine was not equally idle before and after it; absent: not known. */
  readonly openSwitches?: number;
  /** Numbers that it printed, by name; absent: none. */
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
}

/** Everything that the report is made from. */
export interface Analysis {
  readonly findings: Findings;
  readonly runs: readonly RunResult[];
  /** Primary channel, compared runs only. */
  readonly traces: readonly RunTrace[];
  /** Extra runs that were observed; absent: none. */
  readonly observed?: readonly ObservedRun[];
}

/** As the run itself, or a file, tells it. */
export function recordedReason(text: string | null): RunReason | null {
  return text === null ? null : { kind: 'recorded', text };
}
