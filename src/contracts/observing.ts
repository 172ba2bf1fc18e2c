/** Variables that an observer adds to a process of a run, so that its runtime reports about itself. */
export interface Added {
  /** Name of the service whose process it is; null: the run's own command. */
  readonly of: string | null;
  /** Words appended to the values of these environment variables. */
  readonly words: Readonly<Record<string, string>>;
  /** Folder on the host where the process can write, at the same path in every place; null: it needs none. */
  readonly folder: string | null;
  /** Called by the place when it adds the variables; a place that can't add them does not call it. */
  onAdded(): void;
}

/** IP addresses at which this machine reaches a service of the run; null: it is unreachable or does not exist. */
export type FindAddresses = (service: string) => Promise<readonly string[] | null>;

/** Called immediately before and after the client of a run, while its services run. Never throws. */
export interface AroundClient {
  begin(findAddresses: FindAddresses): Promise<void>;
  end(): Promise<void>;
}

/** Folder of joulediff's own files in a container. It is a volume where the root file system is read-only. */
export const OWN_FOLDER = '/joulediff/';

/** Program that a run's command is started under, so that it sees everything without rights over processes other than its children. */
export interface Tracer {
  /** Words placed before a command on the host. */
  readonly host: readonly string[];
  /** How to trace a command in an image, whatever the image contains; absent: only commands on the host can be traced. */
  readonly inside?: {
    /** Words placed before the command. */
    readonly words: readonly string[];
    /** Files that are copied into the container. Each `path` is absolute and lies below {@link OWN_FOLDER}. */
    readonly files: readonly { readonly path: string; readonly mode: number; readonly content: Buffer }[];
    /** Path of its output in the container. After the command, it is copied below the host folder `into`, under the same path. */
    readonly written: string;
    readonly into: string;
  };
}
