import { relative, resolve } from 'node:path';
import type { Experiment } from '../experiment/experiment.ts';
import { type Override, type Overrides, overrideFromFlag, overrideFromSetting } from '../experiment/overrides.ts';
import { ExperimentError, fileOrigin, type Problem } from '../experiment/problems.ts';
import { experimentFrom, readExperiment } from '../experiment/read.ts';
import type { ExperimentFile } from '../experiment/schema.ts';
import type { EventRevisions } from '../forge/event.ts';
import { anyOf, nearest, quote, showGiven } from '../input/words.ts';

/** When there is a comment: always; only where something changed, crossed a threshold or failed; never. */
export const COMMENT_MODES = ['always', 'changes', 'never'] as const;

export type CommentMode = (typeof COMMENT_MODES)[number];

/** The inputs of the action, as action.yml declares them. */
export const INPUT_NAMES = [
  'mode',
  'results',
  'run',
  'prepare',
  'cleanup',
  'image',
  'dockerfile',
  'context',
  'base',
  'volumes',
  'config',
  'meter',
  'repetitions',
  'warmup',
  'rest',
  'guard',
  'seed',
  'margin',
  'history',
  'fail-on',
  'set',
  'out',
  'github-token',
  'comment',
  'comment-key',
  'artifact',
] as const;

export type InputName = (typeof INPUT_NAMES)[number];
export type Given = Readonly<Record<InputName, string>>;

/** Inputs with a default in action.yml; it holds as well when the input is given empty. */
export const INPUT_DEFAULTS = {
  out: 'joulediff-out',
  comment: 'always',
  artifact: 'joulediff',
  mode: 'measure',
} as const;

/** Inputs that stand for keys of an experiment file and so can change one; they have no defaults of their own. */
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

/** Inputs that say what is measured without a file. */
const SHORT_FORM = ['run', 'prepare', 'cleanup', 'image', 'dockerfile', 'context', 'base', 'volumes'] as const;

export type GivenExperiment =
  | { readonly kind: 'inline'; readonly experiment: Experiment }
  | { readonly kind: 'file'; readonly path: string; readonly overrides: Overrides };

/** What every mode that may write a comment is given. */
export interface CommentInputs {
  /** Empty: none. */
  readonly token: string;
  readonly comment: CommentMode;
  /** Tells comments of the same job apart. */
  readonly commentKey: string;
}

export interface ActionInputs extends CommentInputs {
  readonly experiment: GivenExperiment;
  /** Absolute. */
  readonly outDir: string;
  /** Null: no artifact. */
  readonly artifactName: string | null;
}

/** Reads the file, where there is one. Throws InputError. */
export async function experimentOf(given: GivenExperiment): Promise<Experiment> {
  return given.kind === 'inline' ? given.experiment : readExperiment(given.path, given.overrides);
}

/**
 * The action's inputs, checked. `get` gives an input's text, empty where it is not given; `directory` is where relative
 * paths start, and `revisions` what the event is about. Throws ExperimentError with all problems; an experiment file is not opened here.
 */
export function readInputs(
  get: (name: string) => string,
  directory: string = process.cwd(),
  revisions: EventRevisions | null = null,
): ActionInputs {
  const given = Object.fromEntries(INPUT_NAMES.map((name) => [name, get(name).trim()])) as Given;
  const problems: Problem[] = [];
  const out = given.out || INPUT_DEFAULTS.out;
  if (/[\0\r\n]/.test(out)) {
    problems.push(problem('out', `${showGiven(out)} was given; it must be the path of a folder`));
  }
  if (given.results !== '') {
    problems.push(problem('results', 'it was given without mode: gather, which shows results that are there already'));
  }
  const inputs = {
    outDir: resolve(directory, out),
    token: given['github-token'],
    comment: readComment(given, problems),
    commentKey: readCommentKey(given, problems),
    artifactName: readArtifact(given, problems),
  };
  const experiment = readDefinition(given, { directory, revisions }, problems);
  if (problems.length > 0 || experiment === null) throw new ExperimentError(problems);
  return { ...inputs, experiment };
}

export function problem(name: InputName, detail: string): Problem {
  return { ...fileOrigin(`input "${name}"`), file: null, path: '', detail };
}

export function readComment(given: Given, problems: Problem[]): CommentMode {
  const comment = given.comment || INPUT_DEFAULTS.comment;
  const mode = COMMENT_MODES.find((known) => known === comment);
  if (mode !== undefined) return mode;
  const meant = nearest(comment, COMMENT_MODES);
  const hint = meant === null ? '' : ` (did you mean ${quote(meant)}?)`;
  problems.push(problem('comment', `${showGiven(comment)} was given; it must be ${anyOf(COMMENT_MODES)}${hint}`));
  return 'never';
}

export function readCommentKey(given: Given, problems: Problem[]): string {
  const key = given['comment-key'];
  if (!/^[^\p{C}\p{Zl}\p{Zp}]{0,100}$/u.test(key)) {
    problems.push(problem('comment-key', `${showGiven(key)} was given; it must be 100 printable characters at most`));
  }
  return key;
}

/** What @actions/artifact refuses in a name, told before hours of measuring. */
export function readArtifact(given: Given, problems: Problem[]): string | null {
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

interface Surroundings {
  readonly directory: string;
  readonly revisions: EventRevisions | null;
}

function readDefinition(
  given: Given,
  { directory, revisions }: Surroundings,
  problems: Problem[],
): GivenExperiment | null {
  const overrides = readOverrides(given, problems);
  if (given.config !== '') {
    for (const name of SHORT_FORM.filter((candidate) => given[candidate] !== '')) {
      const detail = `it was given together with config, whose file says what is measured; leave out ${name} or config`;
      problems.push(problem(name, detail));
    }
    return { kind: 'file', path: relative(process.cwd(), resolve(directory, given.config)), overrides };
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
    const experiment = experimentFrom(definition, { where: 'inputs', directory, overrides: all });
    return { kind: 'inline', experiment };
  } catch (error) {
    if (!(error instanceof ExperimentError)) throw error;
    problems.push(...error.problems);
    return null;
  }
}

/** The two revisions that `base` asks to compare; null: it isn't given. */
function readBase(given: Given, revisions: EventRevisions | null, problems: Problem[]): EventRevisions | null {
  if (given.base === '' || given.base === 'false') return null;
  if (given.base !== 'true') return { base: given.base, head: revisions?.head ?? 'HEAD' };
  if (revisions === null) {
    const detail =
      '"true" was given, and the event is neither a pull request nor a push; give the revision to compare with, such as main';
    problems.push(problem('base', detail));
  }
  return revisions;
}

/** `set` first: an input of its own says it more plainly, and wins. */
function readOverrides(given: Given, problems: Problem[]): Override[] {
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
  // A list in the braces of YAML: each line as it would stand in the file.
  const limits = lines(given['fail-on']).map((line) => line.replace(/^- /, ''));
  if (limits.length > 0) overrides.push(overrideFromFlag('input "fail-on"', 'fail-on', `[${limits.join(', ')}]`));
  return overrides;
}

function isWholeShortForm(given: Given, problems: Problem[]): boolean {
  const before = problems.length;
  if (given.run === '') {
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

/** Each input as the key that it stands for, so that whatever is wrong with it names the input. */
function shortForm(given: Given, directory: string, containers: readonly string[]): Override[] {
  const overrides: Override[] = [];
  const add = (name: InputName, path: string, value: string | readonly string[]) => {
    // JSON is YAML that says exactly this: a command may start with "[" or hold "#".
    if (value.length > 0) overrides.push(overrideFromFlag(`input "${name}"`, path, JSON.stringify(value)));
  };
  for (const name of ['run', 'prepare', 'cleanup'] as const) add(name, `workload.${name}`, given[name]);
  for (const variant of containers) {
    add('image', `variants.${variant}.image`, given.image);
    add('context', `variants.${variant}.build.context`, given.context);
    // Everything in a workflow starts at the workspace, and so does this, unlike the same key of a file.
    if (given.dockerfile !== '') {
      add('dockerfile', `variants.${variant}.build.dockerfile`, resolve(directory, given.dockerfile));
    }
    add('volumes', `variants.${variant}.volumes`, lines(given.volumes));
  }
  return overrides;
}

export function lines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
