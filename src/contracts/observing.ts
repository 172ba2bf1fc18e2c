/** What an observer adds to one process of a run, so that its runtime tells of itself. */
export interface Added {
  /** Name of the service that it is for; null: the run's own command. */
  readonly of: string | null;
  /** Words that come after those that these variables hold already. */
  readonly words: Readonly<Record<string, string>>;
  /** Folder of the host that it can write to, at the same path in every place; null: it needs none. */
  readonly folder: string | null;
  /** Called by the place that adds it; one that can't leaves it out. */
  onAdded(): void;
}

/** Addresses of this machine's network at which a service of the run answers; null: it can't be reached, or isn't there. */
export type AddressesOf = (service: string) => Promise<readonly string[] | null>;

/** Asked immediately before the client of a run and immediately after it, while its services run. Never throws. */
export interface AroundClient {
  begin(addressesOf: AddressesOf): Promise<void>;
  end(): Promise<void>;
}

/** What a run's own command is started under, so that nothing of it is missed and no rights are needed but those over one's own children. */
export interface Tracer {
  /** Words before a command on the host. */
  readonly host: readonly string[];
  /** For a command in an image, whatever that holds; absent: it is for commands on the host. */
  readonly inside?: {
    /** Words before it. */
    readonly words: readonly string[];
    /** Files that are put into the container, by their absolute paths there. */
    readonly files: readonly { readonly path: string; readonly mode: number; readonly content: Buffer }[];
    /** What it writes there, and the folder of the host that it is copied to, under the same path, when the command has ended. */
    readonly written: string;
    readonly into: string;
  };
}
