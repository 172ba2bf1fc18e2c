import { dirname, resolve as resolvePath } from 'node:path';
import { type Path, showPath } from '../input/words.ts';
import { findConflicts } from './checks.ts';
import type { Experiment } from './experiment.ts';
import type { Overrides } from './overrides.ts';
import { ExperimentError, fileOrigin, type Problem } from './problems.ts';
import { readText } from './read-text.ts';
import { resolveExperiment } from './resolve.ts';
import type { ExperimentFile } from './schema.ts';
import { type Draft, type Validated, validate } from './validate.ts';
import { parseYaml } from './yaml.ts';

/** Reads an experiment file. Throws InputError (ExperimentError where the file was read and something in it is wrong). */
export async function readExperiment(path: string, overrides: Overrides = []): Promise<Experiment> {
  const text = await readText(path);
  return parseExperiment(text, { file: path, directory: dirname(resolvePath(path)), overrides });
}

/** `file`: how messages name it; `directory`: where relative paths start. Throws ExperimentError with all problems. */
export function parseExperiment(
  text: string,
  options: { readonly file: string; readonly directory: string; readonly overrides?: Overrides },
): Experiment {
  const yaml = parseYaml(text, options.file);
  if (yaml.errors.length > 0)
    throw new ExperimentError(yaml.errors.map((error) => ({ ...error.origin, path: '', detail: error.detail })));
  return experimentOf({ ...yaml, overrides: options.overrides ?? [] }, options.directory);
}

/** An experiment without a file. `where`: how messages name what was given. Throws ExperimentError with all problems. */
export function experimentFrom(
  definition: ExperimentFile,
  options: { readonly where: string; readonly directory: string; readonly overrides?: Overrides },
): Experiment {
  const origin = { ...fileOrigin(options.where), file: null };
  const order = (path: Path) => (path[0] === 'variants' ? Object.keys(definition.variants ?? {}) : []);
  return experimentOf(
    { value: definition, overrides: options.overrides ?? [], locate: () => origin, order },
    options.directory,
  );
}

function experimentOf(draft: Draft, directory: string): Experiment {
  const validated = validate(draft);
  const problems = [...validated.problems, ...conflictsOf(validated)];
  if (problems.length > 0 || validated.checked === null) throw new ExperimentError(inOrder(problems));
  return resolveExperiment(validated.checked, directory, (path) => draft.order(path));
}

function conflictsOf(validated: Validated): Problem[] {
  if (validated.checked === null) return [];
  return findConflicts(validated.checked, validated.given)
    .filter(({ follows }) => !follows.some((path) => validated.wrong.some((wrong) => related(path, wrong))))
    .map(({ path, part, detail }) => ({ ...validated.locate(path, part), path: showPath(path), detail }));
}

/** The same value, or one inside the other. */
function related(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((key, i) => key === b[i]);
}

function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
