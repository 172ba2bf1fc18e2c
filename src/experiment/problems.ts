import { InputError } from '../errors.ts';

/** The place where a value was written. */
export interface Origin {
  /** Display name of the place: `joulediff.yml:7:14`, `--set warmup.runs=x`, `input "repetitions"`. */
  readonly where: string;
  readonly file: string | null;
  /** Line number from 1; null if it is not in a file. */
  readonly line: number | null;
  readonly column: number | null;
  /** Path already contained in `where`, so that the message need not repeat it. */
  readonly names: string;
}

/** One problem in what the user gave. */
export interface Problem extends Origin {
  /** Path of the value: `variants.container.image`; empty for the file as a whole. */
  readonly path: string;
  /** What is wrong, as in "0 was given; it must be …". */
  readonly detail: string;
}

const MAX_SHOWN = 10;

/** Error for an experiment with problems; `problems` has all of them, for annotations. */
export class ExperimentError extends InputError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], options: { advice?: string | undefined; cause?: unknown } = {}) {
    super(textOf(problems), options);
    this.problems = problems;
  }
}

export function sentence(problem: Problem): string {
  const path = problem.path === problem.names ? '' : `${problem.path}: `;
  return `${problem.where}: ${path}${problem.detail}`;
}

function textOf(problems: readonly Problem[]): string {
  const shown = problems.slice(0, MAX_SHOWN).map(sentence);
  if (shown.length < 2) return shown.join('');
  const more = problems.length > MAX_SHOWN ? [`… and ${problems.length - MAX_SHOWN} more`] : [];
  return [`${problems.length} problems:`, ...shown, ...more].join('\n  ');
}

export function fileOrigin(file: string, line: number | null = null, column: number | null = null): Origin {
  return { where: line === null ? file : `${file}:${line}:${column ?? 1}`, file, line, column, names: '' };
}
