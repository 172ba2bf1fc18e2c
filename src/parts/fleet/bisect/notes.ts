import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { InputError, messageOf } from '../../../errors.ts';
import { replaceFile } from '../../../system/replace-file.ts';

const FILE = 'bisect.json';
const sha = z.string().regex(/^[0-9a-f]{40,64}$/);

const Step = z.strictObject({
  kind: z.enum(['ends', 'search', 'neighbours']),
  /** Folder of its result, beside this file. */
  folder: z.string().regex(/^[\w-]+$/),
  /** The first is the one that the others are compared with. */
  commits: z.array(sha).min(2),
  /** Null: as many as a verdict takes. */
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
  /** Digest of what is measured, so that nobody goes on with something else; the command may hold a secret. */
  command: z.string(),
  steps: z.array(Step),
});
/** What a bisection did so far; what it found follows from the results of its steps. */
export type Notes = Readonly<z.output<typeof Notes>>;

/** The notes in a folder; null: there are none. Throws InputError where they can't be read, or the folder holds something else. */
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
