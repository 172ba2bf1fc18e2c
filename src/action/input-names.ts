import { fileOrigin, type Problem } from '../experiment/problems.ts';

/** The inputs of the action, as action.yml declares them. */
export const INPUT_NAMES = [
  'mode',
  'results',
  'expected-keys',
  'run',
  'suite',
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
  'check',
  'head',
  'pull-request',
] as const;

export type InputName = (typeof INPUT_NAMES)[number];
export type Inputs = Readonly<Record<InputName, string>>;

/** Defaults of inputs in action.yml; they also apply to an empty input. */
export const INPUT_DEFAULTS = {
  out: 'joulediff-out',
  comment: 'always',
  artifact: 'joulediff',
  mode: 'measure',
} as const;

export function problem(name: InputName, detail: string): Problem {
  return { ...fileOrigin(`input "${name}"`), file: null, path: '', detail };
}

/** Non-empty lines of an input that takes several. */
export function lines(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
