import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MACHINE_LABEL, NAME_LABEL, OWNER_LABEL } from '../processes/labels.ts';
import { MAX_STAMPS, questionSchemas } from './operations.ts';

/** The label of a container that tells which helper's folder it belongs to. */
export const PLACE_LABEL = 'joulediff.place';

/** Socket of Docker's engine on the other machine. */
export const ENGINE_SOCKET = '/var/run/docker.sock';

/** Files that make up the helper, in this order. */
const PARTS = ['base', 'machine', 'engine', 'services', 'program'];

/** Folders that may hold these files: `helper` in the checkout, `assets/helper` in dist/. */
const FOLDERS = ['helper', 'assets/helper'];

/** Values that differ from one connection to the next. */
export interface HelperSettings {
  readonly nonce: string;
  /** Token of the experiment. */
  readonly token: string;
  /** Owner token of joulediff. */
  readonly asker: string;
  /** What the machine is reserved for; null: it isn't reserved. */
  readonly what: string | null;
}

/** The helper with its values set, as one Python text to run on another machine (helper/base.py says what it does). */
export function helperProgram({ nonce, token, asker, what }: HelperSettings): string {
  const folder = FOLDERS.map((name) => join(import.meta.dirname, name)).find((path) => existsSync(path));
  if (folder === undefined) throw new Error(`There is no folder ${FOLDERS.join(' or ')} in ${import.meta.dirname}.`);
  const given = { nonce, token, asker, PLACE_LABEL, OWNER_LABEL, MACHINE_LABEL, NAME_LABEL, ENGINE_SOCKET, MAX_STAMPS };
  // Strings and numbers in JSON are valid Python, too.
  const lines = Object.entries(given).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  lines.push('import json', `QUESTIONS = json.loads(${JSON.stringify(JSON.stringify(questionSchemas()))})`);
  lines.push(`what = ${what === null ? 'None' : JSON.stringify(what)}`);
  return [...lines, ...PARTS.map((part) => readFileSync(join(folder, `${part}.py`), 'utf8'))].join('\n');
}
