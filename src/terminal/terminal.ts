/** What a command talks to: results go to stdout, progress and warnings to stderr. */
export interface Streams {
  readonly stdout: {
    write(text: string): unknown;
    readonly isTTY?: boolean;
    readonly columns?: number;
    /** False: its reader has gone. */
    readonly writable?: boolean;
  };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
}

export interface Terminal extends Streams {
  /** As `process.exitCode`: a command sets it where it is not 0. An error that it throws brings its own. */
  exitCode: number;
}
