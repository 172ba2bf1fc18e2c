import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, messageOf } from '../../../errors.ts';
import { replaceFile } from '../../../system/replace-file.ts';

const FILE = 'bisect.json';
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

const Step = z.strictObject({
  kind: z.enum(['ends', 'search', 'neighbors']),
  /** Folder of its result, beside this file. */
  folder: z.string().regex(/^[\w-]+$/),
  /** Commits of the step; the first is the baseline. */
  commits: z.array(sha).min(2),
  /** Number of blocks; null: as many as a verdict takes. */
  blocks: z.int().min(1).max(1000).nullable(),
  done: z.boolean(),
  /** The commit that could not be built or run, which ended the step; null: none. */
  failed: z.strictObject({ commit: sha, reason: z.string() }).nullable(),
});
export type Step = Readonly<z.output<typeof Step>>;

const Notes = z.strictObject({
  schema: z.literal('joulediff/bisect/1'),
  good: sha,
  bad: sha,
  first_parent: z.boolean(),
  /** Digest of the measured command, so that another one can't continue; the command may contain a secret. */
  command: z.string(),
  steps: z.array(Step),
});
/** Record of a bisection; its findings follow from the results of the steps. */
export type Notes = Readonly<z.output<typeof Notes>>;

/** The notes in a folder; null: none. Throws InputError if they can't be read, or the folder has other files. */
export function readNotes(folder: string): Notes | null {
  const path = join(folder, FILE);
  if (!existsSync(path)) {
    if (!existsSync(folder) || readdirSync(folder).length === 0) return null;
    throw new InputError(`The output folder ${folder} holds files that are not those of a bisection.`, {
      advice: 'Give an empty folder with --out, or one that isn’t there yet.',
    });
  }
  try {
    return Notes.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new InputError(`${path} is not the file of a bisection: ${messageOf(cause)}.`, {
      advice: 'Give another folder with --out.',
      cause,
    });
  }
}

export async function writeNotes(folder: string, notes: Notes): Promise<void> {
  await replaceFile(join(folder, FILE), `${JSON.stringify(notes, null, 2)}\n`);
}
