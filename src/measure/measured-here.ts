import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Experiment } from '../experiment/experiment.ts';
import { withStore } from '../store/reader.ts';
import { digestKey, keyedDigest } from '../system/digest-key.ts';
import { privateFolder, readOwnFile } from '../system/state.ts';

/** Half a million experiments. */
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

/** Remembers the definition in a database that was just made; where that can't be kept, the experiment file is asked for later. */
export function rememberMeasured(database: string): void {
  const definition = withStore(database, (reader) => reader.definition());
  if (wasMeasuredHere(definition)) return;
  try {
    appendFileSync(listPath(), `${digestOf(definition)}\n`, { mode: 0o600 });
  } catch {
    // Nothing that is measured needs it.
  }
}
