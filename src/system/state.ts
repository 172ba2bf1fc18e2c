import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';

/** Where this user's joulediff keeps what outlives an experiment. XDG Base Directory Specification: a path that is not absolute is ignored. */
export function stateFolder(): string {
  const folder = process.env.XDG_STATE_HOME;
  return join(folder !== undefined && isAbsolute(folder) ? folder : join(homedir(), '.local', 'state'), 'joulediff');
}

/** Writes a JSON file, whole or not at all: somebody may be reading it. Throws what the system says. */
export function writeState(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${path}.${process.pid}`, path);
}
