import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import type { Command, VariantBase } from '../../contracts/variant.ts';
import { getErrorCode, InputError, MeasureError, messageOf } from '../../errors.ts';
import type { Stage } from '../environment.ts';
import { formatSubject } from '../failures.ts';

/** Advice where a command is not found in a checkout of a revision. */
export const NOT_COMMITTED =
  'A checkout holds only what is committed: compile the rest in a hook (hooks.before-all with place: variant).';

/** Error of a program that the host couldn't start, as a sentence with the remedy. */
export function startFailure(subject: string, program: string, directory: string, cause: unknown): MeasureError {
  const code = getErrorCode(cause);
  if (code === 'ENOENT' && !existsSync(directory)) {
    return new MeasureError(`${subject} could not be started: its working directory ${directory} isn't there.`, {
      cause,
    });
  }
  const [reason, advice] = reasonOf(code, { program, directory, cause });
  return new MeasureError(`${subject} could not be started: ${JSON.stringify(program)} ${reason}.`, { advice, cause });
}

function reasonOf(
  code: string,
  { program, directory, cause }: { readonly program: string; readonly directory: string; readonly cause: unknown },
): [reason: string, advice?: string] {
  switch (code) {
    case 'ENOENT':
      return [
        "was not found, or the interpreter in its first line wasn't",
        program.includes('/')
          ? `Its path starts from ${directory}.`
          : 'A list is a program and its arguments: the program is a path or a name on PATH. A whole command line is given as one string.',
      ];
    case 'EACCES':
      return ['may not be executed', `Make it executable (chmod +x), and check that it isn't a folder.`];
    case 'E2BIG':
      return ["has more arguments or environment than the kernel's limit", 'Put long arguments into a file.'];
    default:
      return [`failed to start (${messageOf(cause)})`];
  }
}

/**
 * Whether the program of an argument list could be started, asked before anything is measured.
 * Throws InputError with the sentence that starting it would give: nothing was started yet.
 */
function checkProgram(
  subject: string,
  program: string,
  directory: string,
  env: Readonly<Record<string, string>>,
  hint = '',
): void {
  const candidates = program.includes('/')
    ? [resolve(directory, program)]
    : (env.PATH ?? '').split(delimiter).map((folder) => resolve(directory, folder, program));
  let refusal: unknown = Object.assign(new Error(`spawn ${program} ENOENT`), { code: 'ENOENT' });
  for (const candidate of candidates) {
    try {
      if (statSync(candidate).isDirectory())
        throw Object.assign(new Error(`spawn ${program} EACCES`), { code: 'EACCES' });
      accessSync(candidate, constants.X_OK);
      return;
    } catch (cause) {
      // As in execvp, a refusal counts more than the absence in the other folders of PATH.
      if (getErrorCode(cause) === 'EACCES') refusal = cause;
    }
  }
  const { message, advice } = startFailure(subject, program, directory, refusal);
  throw new InputError(message, { advice: [advice, hint].filter(Boolean).join(' ') || undefined, cause: refusal });
}

/**
 * Whether what a variant runs first can be started, as far as that can be known before. Throws InputError with the sentence that starting it would give.
 */
export function checkStart(
  { name, workload, revision }: Pick<VariantBase, 'name' | 'workload' | 'revision'>,
  directory: string,
  env: Readonly<Record<string, string>>,
): void {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InputError(`The working directory of variant ${JSON.stringify(name)}, ${directory}, isn't a folder.`, {
      advice: "workdir is relative to the experiment file's folder.",
    });
  }
  const [stage, program] = firstProgram(workload);
  if (program === null) return;
  checkProgram(formatSubject({ name }, stage), program, directory, env, revision && NOT_COMMITTED);
}

/** The program that a variant starts first; null: only the shell can tell. One that `prepare` makes can't be looked for before that has run. */
export function firstProgram({ prepare, run }: VariantBase['workload']): [stage: Stage, program: string | null] {
  const [stage, first]: [Stage, Command] = prepare === null ? ['run', run] : ['prepare', prepare];
  return [stage, typeof first === 'string' ? pathAtStart(first) : (first[0] ?? '')];
}

/** Program of a shell command that is only a path and arguments (`./bench.sh -n 3`); null: only the shell can tell. */
function pathAtStart(command: string): string | null {
  if (/[;&|<>()`\n]/.test(command)) return null;
  return /^\s*((?:\.{0,2}\/|[\w.+-]+\/)[\w.+/-]+)(?=\s|$)/.exec(command)?.[1] ?? null;
}
