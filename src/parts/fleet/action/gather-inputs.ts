import {
  type Given,
  INPUT_DEFAULTS,
  INPUT_NAMES,
  type InputName,
  lines,
  problem,
} from '../../../action/input-names.ts';
import { type CommentInputs, readArtifact, readComment, readCommentKey } from '../../../action/inputs.ts';
import { ExperimentError, type Problem } from '../../../experiment/problems.ts';

/** What the modes that measure nothing are given. */
export interface GatherInputs extends CommentInputs {
  /** Artifacts with this name, or with this and `-…`, are taken. */
  readonly artifactName: string;
  /** Patterns of folders, each with a findings.json; none: artifacts are fetched. */
  readonly results: readonly string[];
  /** Comment-keys of the jobs that should have left a result; none: the failed jobs of the run are looked up. */
  readonly expectedKeys: readonly string[];
  /** Where relative patterns start. */
  readonly directory: string;
}

/** Inputs that those modes know; `out` has a default in action.yml, and so is always given. */
const KNOWN: readonly InputName[] = [
  ...(['mode', 'results', 'expected-keys', 'github-token'] as const),
  ...(['comment', 'comment-key', 'artifact', 'out'] as const),
];

/** The inputs of a mode that measures nothing, checked. Throws ExperimentError with all problems. */
export function readGatherInputs(
  get: (name: string) => string,
  mode: 'publish' | 'gather',
  directory: string = process.cwd(),
): GatherInputs {
  const given = Object.fromEntries(INPUT_NAMES.map((name) => [name, get(name).trim()])) as Given;
  const problems: Problem[] = [];
  for (const name of INPUT_NAMES) {
    if (given[name] !== '' && !KNOWN.includes(name)) {
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
  };
  if (problems.length > 0) throw new ExperimentError(problems);
  return inputs;
}
