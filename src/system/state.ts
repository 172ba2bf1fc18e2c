import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { replaceFile } from './replace-file.ts';

/** Where this user's joulediff keeps what outlives an experiment. XDG Base Directory Specification: a path that is not absolute is ignored. */
export function stateFolder(): string {
  const folder = process.env.XDG_STATE_HOME;
  return join(folder !== undefined && isAbsolute(folder) ? folder : join(homedir(), '.local', 'state'), 'joulediff');
}

/** Keeps a value as a JSON file. Throws what the system says. */
export function writeState(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
