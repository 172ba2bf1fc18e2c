/** A string goes through `sh -c`; a list is argv. */
export type Command = string | readonly string[];

/** No words: the command that is there already where a variant runs, as that of a service of Compose. */
export const OWN_COMMAND: Command = [];

export const isOwnCommand = (command: Command): boolean => command.length === 0;

/** Where and how eagerly processes run; null: as everything else. */
export interface Pin {
  /** As taskset and cpuset take them: `0,2-5`. */
  readonly cpus: string | null;
  /** From -20 to 19. */
  readonly nice: number | null;
}

/** A number that a workload prints: on a line, or where a harness of benchmarks does. */
export type Metric = { readonly name: string; readonly unit: string } & (
  | {
      /** A line of its output, `*` in the place of the number, `^` and `$` for its ends. */
      readonly line: string;
    }
  | { readonly harness: string }
);

export interface Workload {
  readonly run: Command;
  /** Before every run, outside the window, in the variant's own place. */
  readonly prepare: Command | null;
  /** After every run, outside the window, in the variant's own place. */
  readonly cleanup: Command | null;
  readonly env: Readonly<Record<string, string>>;
  /** Working directory; null: what is usual where the variant runs. */
  readonly workdir: string | null;
  /** A command that takes longer has failed, `prepare` and `cleanup` too; null: no limit. */
  readonly timeoutS: number | null;
  /** Where and how eagerly it runs, with the services of its place; absent: as everything else. */
  readonly pin?: Pin;
  /** All of it runs on the host, wherever its variant does; absent: in the variant's own place. */
  readonly place?: 'host';
  /** Working directory of what runs on the host, where `workdir` is that of the variant's own place; absent: the experiment's folder. */
  readonly hostWorkdir?: string;
  /** Seconds that it is idle, where that is all that it does; absent: nobody knows how long it takes. */
  readonly idleS?: number;
  /** Tells the version of what is measured, in the variant's own place; absent: nothing does. */
  readonly version?: Command;
  /** What it alone prints, beside the metrics of the experiment, of which it replaces those of the same name; absent: nothing. */
  readonly metrics?: readonly Metric[];
  /** Executions of a window; absent: as the experiment has them. */
  readonly batch?: number | 'auto';
  /** Names of the services of its runs; those that last as long as the experiment are there too. Absent: all. */
  readonly services?: readonly string[];
}

/** A commit of the repository that the experiment file lies in. */
export interface Revision {
  /** As written, such as `main`. */
  readonly name: string;
  /** Its full hash, found before anything starts; null until then. */
  readonly commit: string | null;
}

/** What every variant has, wherever it runs. */
export interface VariantBase {
  /** Name of its kind of place. */
  readonly kind: string;
  readonly name: string;
  readonly workload: Workload;
  /** The files are those of a checkout; absent: as they lie there. Paths are those of the original all the same. */
  readonly revision?: Revision;
  /** The baseline a second time, for the noise floor: measured like the others, never compared. */
  readonly hidden?: true;
}

/** The files that the variants without a revision run, when a session began. */
export interface WorkloadFiles {
  /** HEAD of the repository that the experiment file lies in; null: it lies in none. */
  readonly commit: string | null;
  /** Digest of the files that differ from that commit, untracked ones aside; null: none does. */
  readonly changes: string | null;
  /** Digest (SHA-256) of every file that the command of a native variant names, by its path from the experiment file. */
  readonly named: Readonly<Record<string, string>>;
}

/**
 * What is fixed about a variant's place before the first block, for the record: by name, in snake_case. Names that begin with the same word
 * are about the same thing, and stand in one row of the report.
 */
export type PlaceFacts = Readonly<Record<string, string | number | boolean | null>>;
