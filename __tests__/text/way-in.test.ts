// Class: unit.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cameBy, canGoOn, goOnWords, keyWords } from '../../src/text/way-in.ts';

const asAtFirst = () => cameBy({ isAction: false, keys: 'file' });
beforeEach(asAtFirst);
afterEach(asAtFirst);

it.each([
  ['file', '`on-busy: { wait: 2h }` in the experiment file'],
  ['options', '`--set on-busy.wait=2h`'],
  ['inputs', '`on-busy.wait=2h` in the input `set`'],
] as const)('a key is told as it is written in the %s', (keys, words) => {
  cameBy({ keys });
  expect(keyWords(['on-busy', 'wait'], '2h')).toBe(words);
});

it('a job is told of no option that it lacks', () => {
  expect([canGoOn(), goOnWords()]).toEqual([true, '`--resume` goes on with it']);
  cameBy({ isAction: true });
  expect([canGoOn(), goOnWords()]).toEqual([false, 'run the job again, which measures all of it']);
});
