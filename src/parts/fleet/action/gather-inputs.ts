import {
  INPUT_DEFAULTS,
  INPUT_NAMES,
  type InputName,
  type Inputs,
  lines,
  problem,
} from '../../../action/input-names.ts';
import { type CommentInputs, readArtifact, readCheck, readComment, readCommentKey } from '../../../action/inputs.ts';
import { ExperimentError, type Problem } from '../../../experiment/problems.ts';
import { sha } from '../../../forge/event.ts';
import { positiveInteger } from '../../../forge/untrusted.ts';
import { showGiven } from '../../../input/words.ts';

/** Inputs of the modes that don't measure. */
export interface GatherInputs extends CommentInputs {
  /** Artifacts are used if their name is this, or begins with this and `-`. */
  readonly artifactName: string;
  /** Patterns of folders, each with a findings.json; none: artifacts are fetched. */
  readonly results: readonly string[];
  /** Comment keys of the jobs that should have left a result; none: the failed jobs of the run are used. */
  readonly expectedKeys: readonly string[];
  /** Base of relative patterns. */
  readonly directory: string;
  /** Whether the result is a check of its own. */
  readonly check: boolean;
  /** The request in this run; null: a finished run is published. */
  readonly requested: { readonly head: string; readonly pullRequest: number } | null;
}

/** Modes that don't measure. */
export type QuietMode = 'publish' | 'gather' | 'request';

/** Inputs of those modes; `comment`, `artifact` and `out` have defaults in action.yml, so they are always given. */
const ALL: readonly InputName[] = ['mode', 'github-token', 'comment', 'comment-key', 'artifact', 'out', 'check'];
const KNOWN: Readonly<Record<QuietMode, readonly InputName[]>> = {
  publish: [...ALL, 'results', 'expected-keys', 'head', 'pull-request'],
  gather: [...ALL, 'results', 'expected-keys'],
  request: ALL,
};

/** Validates the inputs of a mode that does not measure. Throws ExperimentError with all problems. */
export function readGatherInputs(
  get: (name: string) => string,
  mode: QuietMode,
  directory: string = process.cwd(),
): GatherInputs {
  const given = Object.fromEntries(INPUT_NAMES.map((name) => [name, get(name).trim()])) as Inputs;
  const problems: Problem[] = [];
  for (const name of INPUT_NAMES) {
    if (given[name] !== '' && !KNOWN[mode].includes(name)) {
      problems.push(
        problem(name, `it was given with mode: ${mode}, which measures nothing; leave out ${name} or the mode`),
      );
    }
  }
  const results = lines(given.results);
  if (results.length > 0 && mode === 'publish') {
    const detail = 'it was given with mode: publish, which fetches the results of the run that ended; leave it out';
    problems.push(problem('results', detail));
  }
  const artifactName = readArtifact(given, problems);
  if (artifactName === null && results.length === 0) {
    problems.push(
      problem('artifact', `"false" was given with mode: ${mode}; it must be the name of the artifacts to show`),
    );
  }
  const inputs = {
    token: given['github-token'],
    comment: readComment(given, problems),
    commentKey: readCommentKey(given, problems),
    artifactName: artifactName ?? INPUT_DEFAULTS.artifact,
    results,
    expectedKeys: lines(given['expected-keys']),
    directory,
    check: readCheck(given, problems),
    requested: readRequested(given, problems),
  };
  if (problems.length > 0) throw new ExperimentError(problems);
  return inputs;
}

/** Commit and pull request from the outputs of `mode: request`; both or neither are given. */
function readRequested(given: Inputs, problems: Problem[]): GatherInputs['requested'] {
  const [head, pullRequest] = [sha(given.head), positiveInteger(given['pull-request'])];
  if (head !== null && pullRequest !== null) return { head, pullRequest };
  if (given.head === '' && given['pull-request'] === '') return null;
  const [name, must]: [InputName, string] =
    head === null ? ['head', 'the full name of a commit'] : ['pull-request', 'the number of a pull request'];
  problems.push(problem(name, `${showGiven(given[name])} was given; it must be ${must}, as mode: request puts it out`));
  return null;
}
