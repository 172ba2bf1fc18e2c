import { resolve } from 'node:path';
import { ExperimentError, type Problem } from '../experiment/problems.ts';
import { sha } from '../forge/event.ts';
import { anyOf, nearest, quote, showGiven } from '../input/words.ts';
import { type GivenExperiment, readDefinition, type Surroundings } from './given-experiment.ts';
import { INPUT_DEFAULTS, INPUT_NAMES, type Inputs, problem } from './input-names.ts';

/** When to comment: always; only for a change, a crossed threshold or a failure; never. */
export const COMMENT_MODES = ['always', 'changes', 'never'] as const;

export type CommentMode = (typeof COMMENT_MODES)[number];

/** Inputs of all modes that may write a comment. */
export interface CommentInputs {
  /** Token of the forge; empty: there is none. */
  readonly token: string;
  readonly comment: CommentMode;
  /** Key that distinguishes comments of the same job. */
  readonly commentKey: string;
}

export interface ActionInputs extends CommentInputs {
  readonly experiment: GivenExperiment;
  /** Absolute path. */
  readonly outDir: string;
  /** Null: no artifact is uploaded. */
  readonly artifactName: string | null;
  /** Whether the result is published as a check. */
  readonly check: boolean;
  /** Requested commit for the check; null: the event's commit. */
  readonly head: string | null;
}

/**
 * The action's inputs, checked. `get` gives an input's text, empty where it is not given; `directory` is the workspace. Throws ExperimentError with all problems; an experiment file is not opened here.
 */
export function readInputs(
  get: (name: string) => string,
  directory: string = process.cwd(),
  revisions: Surroundings['revisions'] = null,
  repository: Surroundings['repository'] = null,
): ActionInputs {
  const given = Object.fromEntries(INPUT_NAMES.map((name) => [name, get(name).trim()])) as Inputs;
  const problems: Problem[] = [];
  const out = given.out || INPUT_DEFAULTS.out;
  if (/[\0\r\n]/.test(out)) {
    problems.push(problem('out', `${showGiven(out)} was given; it must be the path of a folder`));
  }
  for (const name of ['results', 'expected-keys'] as const) {
    if (given[name] === '') continue;
    problems.push(problem(name, 'it was given without mode: gather, which shows results that are there already'));
  }
  const head = sha(given.head);
  if (given['pull-request'] !== '') {
    problems.push(problem('pull-request', 'it was given without mode: publish, which shows a request'));
  }
  if (given.head !== '' && given.check !== 'true') {
    problems.push(problem('head', 'it was given without mode: publish and without check: true'));
  } else if (given.head !== '' && head === null) {
    problems.push(problem('head', `${showGiven(given.head)} was given; it must be the full name of a commit`));
  }
  const inputs = {
    outDir: resolve(directory, out),
    token: given['github-token'],
    comment: readComment(given, problems),
    commentKey: readCommentKey(given, problems),
    check: readCheck(given, problems),
    head,
    artifactName: readArtifact(given, problems),
  };
  const experiment = readDefinition(given, { directory, revisions, repository }, problems);
  if (problems.length > 0 || experiment === null) throw new ExperimentError(problems);
  return { ...inputs, experiment };
}

export function readComment(given: Inputs, problems: Problem[]): CommentMode {
  const comment = given.comment || INPUT_DEFAULTS.comment;
  const mode = COMMENT_MODES.find((known) => known === comment);
  if (mode !== undefined) return mode;
  const meant = nearest(comment, COMMENT_MODES);
  const hint = meant === null ? '' : ` (did you mean ${quote(meant)}?)`;
  problems.push(problem('comment', `${showGiven(comment)} was given; it must be ${anyOf(COMMENT_MODES)}${hint}`));
  return 'never';
}

export function readCommentKey(given: Inputs, problems: Problem[]): string {
  const key = given['comment-key'];
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{0,100}$/u.test(key)) {
    problems.push(problem('comment-key', `${showGiven(key)} was given; it must be 100 printable characters at most`));
  }
  return key;
}

export function readCheck({ check }: Inputs, problems: Problem[]): boolean {
  if (!['', 'true', 'false'].includes(check)) {
    problems.push(problem('check', `${showGiven(check)} was given; it must be true or false`));
  }
  return check === 'true';
}

/** Validates the artifact's name by the rules of @actions/artifact, before hours of measuring. */
export function readArtifact(given: Inputs, problems: Problem[]): string | null {
  const name = given.artifact || INPUT_DEFAULTS.artifact;
  if (name === 'false') return null;
  if (!/^[^\p{C}\p{Zl}\p{Zp}":<>|*?\\/]{1,200}$/u.test(name)) {
    const must = 'a name without " : < > | * ? \\ / of 200 characters at most, or false for none';
    problems.push(problem('artifact', `${showGiven(name)} was given; it must be ${must}`));
  } else if (name.endsWith('.html')) {
    problems.push(
      problem('artifact', `${showGiven(name)} was given; it must not end like the page that is uploaded beside it`),
    );
  }
  return name;
}

/** The requested mode: `measure` or a part's. Throws ExperimentError. */
export function readMode(get: (name: string) => string, others: readonly string[]): string {
  const given = get('mode').trim() || INPUT_DEFAULTS.mode;
  const modes = ['measure', ...others];
  if (modes.includes(given)) return given;
  const meant = nearest(given, modes);
  const hint = meant === null ? '' : ` (did you mean ${quote(meant)}?)`;
  throw new ExperimentError([problem('mode', `${showGiven(given)} was given; it must be ${anyOf(modes)}${hint}`)]);
}
