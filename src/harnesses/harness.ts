/** A benchmark program that lists benchmarks and runs one of them. To add one, make its folder and its line in the registry. */
export interface Harness {
  readonly name: string;
  /** What `target` specifies, to complete the message "target is …". */
  readonly target: string;
  /** Target of a suite that names none; null: the suite must name one. */
  readonly defaultTarget: string | null;
  /** What must be installed, to complete the message "It needs …". */
  readonly needs: string;
  /** A shell command that prints the benchmarks of a target. */
  list(target: string): string;
  /** Names of the benchmarks in the output of `list`, in their order. */
  namesIn(output: string): readonly string[];
  /** A shell command that prepares a benchmark, outside of the window; absent: nothing to prepare. */
  prepare?(target: string, name: string): string;
  /** A shell command that removes after each run what `prepare` made; absent: nothing to remove. */
  cleanup?(target: string, name: string): string;
  /**
   * A shell command that runs a benchmark without the harness's own repetition, calibration and report. With `{executions}` in it, it repeats
   * the benchmark this number of times in one start.
   */
  run(target: string, name: string): string;
  /** Nanoseconds of one execution, from the output of a run; null: this run printed none; absent: the harness prints no times. */
  timeIn?(output: string, executions: number): number | null;
}

/** The rest of each line that begins with `mark`. */
export function markedLines(output: string, mark: string): string[] {
  return output.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length).trimEnd()] : []));
}

/** Mark of the output line with the nanoseconds of an execution, for harnesses whose output we write. */
export const TIME_MARK = '::joulediff time ';

export function markedTime(output: string): number | null {
  const time = Number(markedLines(output, TIME_MARK).at(-1) || Number.NaN);
  return Number.isFinite(time) && time > 0 ? time : null;
}

const NS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9 };

/** Sum of the times that a pattern finds, by its groups `time` and `unit`, in nanoseconds; null: it finds none. */
export function sumOfTimes(output: string, pattern: RegExp): number | null {
  const times = [...output.matchAll(pattern)].map(
    ({ groups = {} }) => Number(groups.time) * (NS[groups.unit ?? 'ns'] ?? Number.NaN),
  );
  const sum = times.reduce((all, time) => all + time, 0);
  return Number.isFinite(sum) && sum > 0 ? sum : null;
}

/** A name as a regular expression that matches nothing else, for POSIX, RE2 and Java alike. */
export const exactly = (name: string): string => `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`;
