/** A string goes through `sh -c`; a list is argv. */
export type Command = string | readonly string[];

/** Empty command: the variant's place runs its own, as a service of Compose does. */
export const OWN_COMMAND: Command = [];

export const isOwnCommand = (command: Command): boolean => command.length === 0;

/** Processors and nice value of processes; null: unchanged. */
export interface Pin {
  /** Processor list as for taskset and cpuset: `0,2-5`. */
  readonly cpus: string | null;
  /** From -20 to 19. */
  readonly nice: number | null;
}

/** A number that a workload prints, on a line of its own or as a benchmark harness does. */
export type Metric = { readonly name: string; readonly unit: string } & (
  | {
      /** Pattern of an output line: `*` for the number, `^` and `$` for start and end of the line. */
      readonly line: string;
    }
  | { readonly harness: string }
);

export interface Workload {
  readonly run: Command;
  /** Command before every run, outside the window, in the variant's own place. */
  readonly prepare: Command | null;
  /** Command after every run, outside the window, in the variant's own place. */
  readonly cleanup: Command | null;
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: the default of the place. */
  readonly workdir: string | null;
  /** Time limit of a command, `prepare` and `cleanup` included; a longer one has failed. Null: no limit. */
  readonly timeoutS: number | null;
  /** Processors and nice value, also for the services of its place; absent: unchanged. */
  readonly pin?: Pin;
  /** Its commands run on the host, wherever the variant does; absent: in the variant's own place. */
  readonly place?: 'host';
  /** Working directory of commands on the host, if `workdir` belongs to the variant's own place; absent: the experiment's folder. */
  readonly hostWorkdir?: string;
  /** Duration of a workload that only idles, seconds; absent: the duration is unknown. */
  readonly idleS?: number;
  /** Command that prints the version of the measured program, in the variant's own place; absent: there is none. */
  readonly version?: Command;
  /** Metrics of this workload, which add to the experiment's or replace those of the same name; absent: none. */
  readonly metrics?: readonly Metric[];
  /** Executions in a window; absent: the experiment's setting. */
  readonly batch?: number | 'auto';
  /** Names of the services for its runs; those that last as long as the experiment always run. Absent: all. */
  readonly services?: readonly string[];
}

/** A commit of the repository that contains the experiment file. */
export interface Revision {
  /** The revision as the user wrote it, such as `main`. */
  readonly name: string;
  /** Its full hash, found before anything starts; null until then. */
  readonly commit: string | null;
}

/** Properties of every variant, whatever its place. */
export interface VariantBase {
  /** Name of its kind of place. */
  readonly kind: string;
  readonly name: string;
  readonly workload: Workload;
  /** Commit whose checkout it runs; absent: the files as they are on disk. Paths always refer to the original files. */
  readonly revision?: Revision;
  /** The second copy of the baseline, for the noise floor: measured like the others, never compared. */
  readonly hidden?: true;
}

/** State of the files at the start of a session, for variants without a revision. */
export interface WorkloadFiles {
  /** HEAD of the repository that contains the experiment file; null: there is no repository. */
  readonly commit: string | null;
  /** Digest of the tracked files that differ from that commit; null: none differs. */
  readonly changes: string | null;
  /** SHA-256 of every file that the command of a native variant names, by its path relative to the experiment file. */
  readonly named: Readonly<Record<string, string>>;
}

/**
 * Facts about a variant's place that are fixed before the first block, for the record: by name, in snake_case. Names with the same first word
 * belong together and share a row of the report.
 */
export type PlaceFacts = Readonly<Record<string, string | number | boolean | null>>;
