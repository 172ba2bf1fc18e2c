import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { getErrorCode, InputError, messageOf } from '../errors.ts';
import { type Path, showPath } from '../input/words.ts';
import { asWritten } from './as-written.ts';
import { findConflicts } from './checks.ts';
import type { Experiment } from './experiment.ts';
import type { Written } from './matrix.ts';
import type { Overrides } from './overrides.ts';
import { ExperimentError, fileOrigin, type Problem } from './problems.ts';
import { resolveExperiment } from './resolve.ts';
import type { ExperimentFile } from './schema.ts';
import { type Draft, type Validated, validate } from './validate.ts';
import { parseYaml } from './yaml.ts';

const LARGEST_BYTES = 256 * 1024;

interface Options {
  /** Base of relative paths. */
  readonly directory: string;
  /** Name for that folder, if its own name is arbitrary. */
  readonly folderName?: string | undefined;
  readonly overrides?: Overrides;
}

/** Reads an experiment file. Throws InputError (ExperimentError if the file could be read and has problems). */
export async function readExperiment(
  path: string,
  overrides: Overrides = [],
  folderName?: string,
): Promise<Experiment> {
  const text = await readText(path);
  return parseExperiment(text, { file: path, directory: dirname(resolve(path)), folderName, overrides });
}

/** Parses an experiment file. `file`: its display name. Throws ExperimentError with all problems. */
export function parseExperiment(text: string, options: Options & { readonly file: string }): Experiment {
  const yaml = parseYaml(text, options.file);
  if (yaml.errors.length > 0) {
    throw new ExperimentError(yaml.errors.map((error) => ({ ...error.origin, path: '', detail: error.detail })));
  }
  return experimentOf({ ...yaml, overrides: options.overrides ?? [] }, options);
}

/** An experiment without a file. `where`: display name of what was given. Throws ExperimentError with all problems. */
export function experimentFrom(definition: ExperimentFile, options: Options & { readonly where: string }): Experiment {
  const origin = { ...fileOrigin(options.where), file: null };
  const order = (path: Path) => (path[0] === 'variants' ? Object.keys(definition.variants ?? {}) : []);
  return experimentOf({ value: definition, overrides: options.overrides ?? [], locate: () => origin, order }, options);
}

function experimentOf(draft: Draft, { directory, folderName }: Options): Experiment {
  const validated = validate(draft);
  const written: Written = { order: (path) => draft.order(path), given: validated.given };
  const problems = [...validated.problems, ...listConflicts(validated, written)];
  if (problems.length > 0 || validated.checked === null) throw new ExperimentError(inOrder(problems));
  const experiment = resolveExperiment(validated.checked, directory, written, folderName);
  return { ...experiment, asWritten: asWritten(validated.given([]), experiment.name) };
}

function listConflicts(validated: Validated, written: Written): Problem[] {
  if (validated.checked === null) return [];
  return findConflicts(validated.checked, written)
    .filter(({ follows }) => !follows.some((path) => validated.wrong.some((wrong) => related(path, wrong))))
    .map(({ path, part, detail }) => ({ ...validated.locate(path, part), path: showPath(path), detail }));
}

/** Whether the paths are equal, or one is inside the other. */
function related(a: Path, b: Path): boolean {
  return a.slice(0, b.length).every((key, i) => key === b[i]);
}

function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Text of an experiment file. Throws InputError: missing, not a file, not permitted, too large, or not UTF-8. */
async function readText(path: string): Promise<string> {
  const found = await stat(path).catch((error: unknown) => refuse(path, error));
  if (found.isDirectory()) {
    throw new InputError(`${path} is a folder, not an experiment file`, {
      advice: `Name the file in it, such as ${join(path, 'joulediff.yml')}.`,
    });
  }
  // Opening a pipe or a device could block for ever.
  if (!found.isFile()) throw new InputError(`${path} is not a regular file, so it cannot be an experiment file`);
  if (found.size > LARGEST_BYTES) {
    throw new InputError(`${path} has ${found.size} bytes; an experiment file has ${LARGEST_BYTES} at most`);
  }
  const content = await readFile(path).catch((error: unknown) => refuse(path, error));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch (error) {
    throw new InputError(`${path} is not UTF-8 text`, { advice: 'Save it as UTF-8.', cause: error });
  }
}

/** Advice that names the nearest experiment file in a parent folder. It is not used automatically: its commands may be meant for another folder. */
function aboveText(path: string): string {
  const name = basename(path);
  for (let folder = dirname(resolve(path)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(dirname(folder), name);
    if (existsSync(found)) return `There is one in a folder above: ${relative('.', found)}. `;
  }
  return 'Give the path of an experiment file. ';
}

function refuse(path: string, error: unknown): never {
  const code = getErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    throw new InputError(`${path}: there is no such file`, {
      advice: `${aboveText(path)}\`joulediff init\` writes one that fits this folder; \`joulediff compare\` needs none.`,
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM') {
    throw new InputError(`${path} cannot be read: permission denied`, { cause: error });
  }
  throw new InputError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
}
