import { InputError } from '../errors.ts';

/** Where something was written. */
export interface Origin {
  /** `joulediff.yml:7:14`, `--set warmup.runs=x`, `input "repetitions"`. */
  readonly where: string;
  readonly file: string | null;
  /** From 1; null outside files. */
  readonly line: number | null;
  readonly column: number | null;
  /** The path that `where` names already, so that the sentence need not. */
  readonly names: string;
}

/** One thing that is wrong with what the user gave. */
export interface Problem extends Origin {
  /** `variants.container.image`; empty for the file as a whole. */
  readonly path: string;
  /** "0 was given; it must be …" */
  readonly detail: string;
}

const MAX_SHOWN = 10;

/** The experiment can't be made from what was given; `problems` holds all of it, for annotations. */
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
