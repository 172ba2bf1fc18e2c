// Class: unit.
import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';

const source = new URL('../../src/system/unfinished.ts', import.meta.url).href;

/** What a program comes to that expects its end, and then does this. */
function ended(words: string) {
  const text = `import { expectEnd } from '${source}'; const over = expectEnd(4, () => console.log('told')); ${words}`;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
  return [status, stdout.trim()];
}

it.each([
  ['waits for what can never happen', 'new Promise(() => {}).then(over)', [4, 'told']],
  ['comes to its end', 'Promise.resolve().then(over)', [0, '']],
  ['fails by itself', 'process.exitCode = 3', [3, '']],
])('a program that %s', (_, words, end) => {
  expect(ended(words)).toEqual(end);
});
