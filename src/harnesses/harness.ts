/** A program that lists benchmarks and runs one of them. Its folder and its line in the registry are all that the program knows of it. */
export interface Harness {
  readonly name: string;
  /** What `target` names, as in "target is …". */
  readonly target: string;
  /** The target of a suite that names none; null: it has to name one. */
  readonly defaultTarget: string | null;
  /** What has to be installed, as in "It needs …". */
  readonly needs: string;
  /** A shell command that prints the benchmarks of a target. */
  list(target: string): string;
  /** The benchmarks in what that printed, in their order. */
  namesIn(output: string): readonly string[];
  /** A shell command that makes a benchmark ready, outside of the window; absent: nothing has to be done. */
  prepare?(target: string, name: string): string;
  /** A shell command that removes what `prepare` made, after each run; absent: nothing is left. */
  cleanup?(target: string, name: string): string;
  /**
   * A shell command that runs a benchmark without the harness's own repetition, calibration and report. With `{executions}` in it, it repeats
   * the benchmark so often in one start.
   */
  run(target: string, name: string): string;
  /** The time of one execution in what a run printed, nanoseconds; null: this run printed none; absent: the harness never does. */
  timeIn?(output: string, executions: number): number | null;
}

/** Lines that begin with a mark, without it. */
export function markedLines(output: string, mark: string): string[] {
  return output.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length).trimEnd()] : []));
}

/** Begins the line with the nanoseconds of an execution, where we write what the harness prints. */
export const TIME_MARK = '::joulediff time ';

export function markedTime(output: string): number | null {
  const time = Number(markedLines(output, TIME_MARK).at(-1) || Number.NaN);
  return Number.isFinite(time) && time > 0 ? time : null;
}

const NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** The sum of times that a pattern finds, each with its groups `time` and `unit`, in nanoseconds; null: it finds none. */
export function sumOfTimes(output: string, pattern: RegExp): number | null {
  const times = [...output.matchAll(pattern)].map(
    ({ groups = {} }) => Number(groups.time) * (NS[groups.unit ?? 'ns'] ?? Number.NaN),
  );
  const sum = times.reduce((all, time) => all + time, 0);
  return Number.isFinite(sum) && sum > 0 ? sum : null;
}

/** A name as a regular expression that matches nothing else, for POSIX, RE2 and Java alike. */
export const exactly = (name: string): string => `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
