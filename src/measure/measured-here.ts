import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from '../experiment/experiment.ts';
import { withStore } from '../store/reader.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';
import { privateFolder, readOwnFile } from '../system/state.ts';

/** Upper bound on the size of the list: room for half a million experiments. */
const MAX_BYTES = 32 * 2 ** 20;

/**
 * What this user measured on this machine, as digests of the definitions in the databases. A database that came from elsewhere names any commands
 * it likes, and nothing in the file itself can prove that it didn't.
 */
const listPath = (): string => join(privateFolder(), 'measured');

const digestOf = (definition: Experiment): string => keyedDigest(digestKey(), 'measured', JSON.stringify(definition));

/** Whether an experiment with this very definition was begun here by this user: its commands have run already. */
export function wasMeasuredHere(definition: Experiment): boolean {
  try {
    return readOwnFile(listPath(), MAX_BYTES).split('\n').includes(digestOf(definition));
  } catch {
    return false;
  }
}

/** Remembers the definition in a database that was just made. Where that can't be kept, `resume` asks for the experiment file later. */
export function rememberMeasured(database: string): void {
  const definition = withStore(database, (reader) => reader.definition());
  if (wasMeasuredHere(definition)) return;
  try {
    appendFileSync(listPath(), `${digestOf(definition)}\n`, { mode: 0o600 });
  } catch {
    // The list is a convenience, and nothing that is measured needs it.
  }
}
