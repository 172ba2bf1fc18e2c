// What each test file says of itself in its first line: `// Class: system, alone.`
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = new URL('../..', import.meta.url).pathname;

/**
 * `unit` computes, and starts no experiment. `system` starts experiments, containers, the program or a browser, with what `npm test` installs.
 * `world` needs more: other engines, real servers, a forge, other systems; or it takes long.
 */
export const CLASSES = ['unit', 'system', 'world'];

/** What the runner must know beside: how a file shares the machine, and what has to be built for it first. */
const TRAITS = [
  // The start of any other experiment would clear away what it looks at.
  'alone',
  // It holds energy against a known truth: a reading that a busy processor delays is lost.
  'truth',
  // A page in a browser: no experiment, so it may go on beside what is alone.
  'browser',
  // It computes, as a unit does, and takes long: it gets the time that others leave.
  'computes',
  // It begins first, so that nothing long is left for the end.
  'long',
  // Docker Compose, a Gitea with its runner, the systems that install.sh is tried in.
  'compose',
  'gitea',
  'systems',
];

/** Class and traits of a test file. Throws where its first line doesn't say. */
export function readClass(path) {
  const [, words = ''] = /^\/\/ Class: (.*)\.\n/.exec(readFileSync(join(ROOT, path), 'utf8')) ?? [];
  const [name = '', ...traits] = words.split(', ');
  if (CLASSES.includes(name) && traits.every((trait) => TRAITS.includes(trait))) return { path, class: name, traits };
  throw new Error(
    `${path} doesn't say what it is. Its first line must be "// Class: ${CLASSES.join('|')}.", with any of ${TRAITS.join(', ')} after a comma.`,
  );
}

/** All test files, by path. */
export const testFiles = () => globSync('__tests__/**/*.test.ts', { cwd: ROOT }).sort().map(readClass);
