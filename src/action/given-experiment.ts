import { dirname, relative, resolve } from 'node:path';
import type { Experiment } from '../experiment/experiment.ts';
import { type Override, type Overrides, overrideFromFlag, overrideFromSetting } from '../experiment/overrides.ts';
import { ExperimentError, type Problem } from '../experiment/problems.ts';
import { experimentFrom, readExperiment } from '../experiment/read.ts';
import type { ExperimentFile } from '../experiment/schema.ts';
import { parseSuite } from '../experiment/suite.ts';
import type { EventRevisions, NoRevisions } from '../forge/event.ts';
import { quote } from '../input/words.ts';
import { type InputName, type Inputs, lines, problem } from './input-names.ts';

/** Inputs that correspond to keys of an experiment file, and override them; they have no defaults. */
const KEYS = {
  meter: 'meter',
  repetitions: 'repetitions',
  warmup: 'warmup.runs',
  rest: 'rest',
  guard: 'guard',
  seed: 'seed',
  margin: 'margin',
  history: 'history',
} as const;

/** Inputs that define what is measured without a file. */
const SHORT_FORM = ['run', 'suite', 'prepare', 'cleanup', 'image', 'dockerfile', 'context', 'base', 'volumes'] as const;

export type GivenExperiment =
  | { readonly kind: 'inline'; readonly experiment: Experiment }
  | { readonly kind: 'file'; readonly path: string; readonly overrides: Overrides; readonly folderName?: string };

/** Reads the experiment from the file, if there is one, and the inputs. Throws InputError. */
export async function experimentOf(given: GivenExperiment): Promise<Experiment> {
  return given.kind === 'inline' ? given.experiment : readExperiment(given.path, given.overrides, given.folderName);
}

export interface Surroundings {
  /** The workspace, which is the base of relative paths. */
  readonly directory: string;
  readonly revisions: EventRevisions | NoRevisions | null;
  /** Name of the repository, since some runners (`hostexecutor` of Gitea) choose the workspace's folder name; null: unknown. */
  readonly repository: string | null;
}

/** The experiment, from the file or the inputs. Null: there are problems. */
export function readDefinition(
  inputs: Inputs,
  { directory, revisions, repository }: Surroundings,
  problems: Problem[],
): GivenExperiment | null {
  const given = inputs.base === 'false' ? { ...inputs, base: '' } : inputs;
  const overrides = readOverrides(given, problems);
  if (given.config !== '') {
    for (const name of SHORT_FORM.filter((candidate) => given[candidate] !== '')) {
      const detail = `it was given together with config, whose file says what is measured; leave out ${name} or config`;
      problems.push(problem(name, detail));
    }
    const file = resolve(directory, given.config);
    const isAtTop = repository !== null && dirname(file) === resolve(directory);
    return {
      kind: 'file',
      path: relative(process.cwd(), file),
      overrides,
      ...(isAtTop && { folderName: repository }),
    };
  }
  const compared = readBase(given, revisions, problems);
  if (!isWholeShortForm(given, problems)) return null;
  const variants: ExperimentFile['variants'] =
    compared === null
      ? { native: {}, container: {} }
      : { base: { revision: compared.base }, head: { revision: compared.head } };
  const all = [...shortForm(given, directory, compared === null ? ['container'] : ['base', 'head']), ...overrides];
  const definition = { variants };
  try {
    const experiment = experimentFrom(definition, {
      where: 'inputs',
      directory,
      folderName: repository ?? undefined,
      overrides: all,
    });
    return { kind: 'inline', experiment };
  } catch (error) {
    if (!(error instanceof ExperimentError)) throw error;
    problems.push(...error.problems);
    return null;
  }
}

/** The two revisions to compare because of `base`; null: it is not given. */
function readBase(given: Inputs, revisions: Surroundings['revisions'], problems: Problem[]): EventRevisions | null {
  if (given.base === '') return null;
  const found = revisions !== null && 'base' in revisions ? revisions : null;
  if (given.base !== 'true') return { base: given.base, head: found?.head ?? 'HEAD' };
  if (found === null) {
    const why = revisions !== null && 'lacking' in revisions ? revisions.lacking : 'this is no job of a forge';
    problems.push(problem('base', `"true" was given, and ${why}; give the revision to compare with, such as main`));
  }
  return found;
}

/** Overrides in order: `set` first, since an input of its own is more explicit and wins. */
function readOverrides(given: Inputs, problems: Problem[]): Override[] {
  const overrides: Override[] = [];
  for (const line of lines(given.set).filter((setting) => !setting.startsWith('#'))) {
    try {
      overrides.push(overrideFromSetting(line, 'input "set"'));
    } catch {
      problems.push(problem('set', `${quote(line)} was given; each line must be key=value, such as warmup.runs=1`));
    }
  }
  for (const [name, path] of Object.entries(KEYS) as [keyof typeof KEYS, string][]) {
    if (given[name] !== '') overrides.push(overrideFromFlag(`input "${name}"`, path, given[name]));
  }
  // Parsed as a YAML list, each line as in the file.
  const limits = lines(given['fail-on']).map((line) => line.replace(/^- /, ''));
  if (limits.length > 0) overrides.push(overrideFromFlag('input "fail-on"', 'fail-on', `[${limits.join(', ')}]`));
  return overrides;
}

function isWholeShortForm(given: Inputs, problems: Problem[]): boolean {
  const before = problems.length;
  if (given.run === '' && given.suite === '') {
    const detail =
      'nothing was given; it must be the command to measure, or give config, the path of an experiment file';
    problems.push(problem('run', detail));
  }
  const builds = (['dockerfile', 'context'] as const).filter((name) => given[name] !== '');
  if (given.image !== '' && given.base !== '') {
    const detail =
      'it was given together with base, and an image has the same files at every commit; give dockerfile to build it at each';
    problems.push(problem('image', detail));
  } else if (given.image !== '') {
    for (const name of builds) {
      const detail = `it was given together with image; leave out ${name} to run that image, or image to build one`;
      problems.push(problem(name, detail));
    }
  } else if (builds.length === 0 && given.base === '') {
    const detail = 'nothing was given; give image or dockerfile, so that there is a container to compare with';
    problems.push(problem('image', detail));
  }
  return problems.length === before;
}

/** Each input as an override of its key, so that problems are reported with the input's name. */
function shortForm(given: Inputs, directory: string, containers: readonly string[]): Override[] {
  const overrides: Override[] = [];
  const add = (name: InputName, path: string, value: string | readonly string[]) => {
    // JSON, which is valid YAML, keeps the value exact: a command may start with "[" or contain "#".
    if (value.length > 0) overrides.push(overrideFromFlag(`input "${name}"`, path, JSON.stringify(value)));
  };
  if (given.suite !== '') {
    overrides.push(overrideFromFlag('input "suite"', 'suite', JSON.stringify(parseSuite(given.suite))));
  }
  for (const name of ['run', 'prepare', 'cleanup'] as const) add(name, `workload.${name}`, given[name]);
  for (const variant of containers) {
    add('image', `variants.${variant}.image`, given.image);
    add('context', `variants.${variant}.build.context`, given.context);
    // In a workflow, paths start at the workspace, unlike the same key in a file.
    if (given.dockerfile !== '') {
      add('dockerfile', `variants.${variant}.build.dockerfile`, resolve(directory, given.dockerfile));
    }
    add('volumes', `variants.${variant}.volumes`, lines(given.volumes));
  }
  return overrides;
}
