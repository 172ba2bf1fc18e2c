/** A program that lists benchmarks and runs one of them. Its folder and its line in the registry are all that the program knows of it. */
export interface Harness {
  readonly name: string;
  /** What `target` names, as in "target is …". */
  readonly target: string;
  /** The target of a suite that names none; null: it has to name one. */
  readonly defaultTarget: string | null;
  /** A shell command that prints the benchmarks of a target. */
  list(target: string): string;
  /** The benchmarks in what that printed, in their order. */
  namesIn(output: string): readonly string[];
  /** A shell command that makes a benchmark ready, outside of the window; null: nothing has to be done. */
  prepare(target: string, name: string): string | null;
  /**
   * A shell command that runs a benchmark without the harness's own repetition, calibration and report. With `{executions}` in it, it repeats
   * the benchmark so often in one start.
   */
  run(target: string, name: string): string;
}

/** Lines that begin with a mark, without it. */
export function markedLines(output: string, mark: string): string[] {
  return output.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length).trimEnd()] : []));
}

/** A name as a regular expression that matches nothing else, for POSIX, RE2 and Java alike. */
export const exactly = (name: string): string => `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
