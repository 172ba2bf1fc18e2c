// Class: unit.
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { cameBy, goOnWords, keyWords, variantKeyWords } from '../../src/text/way-in.ts';

const asAtFirst = () => cameBy({ goesOn: 'resume', keys: 'file' });
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

it.each([
  ['file', '`volumes: [.:/src]` and `workdir: /src` in its variant'],
  ['options', "`--set 'variants.a.volumes=[.:/src]' --set 'variants.a.workdir=/src'`"],
  ['inputs', '`variants.a.volumes=[.:/src]` and `variants.a.workdir=/src` in the input `set`'],
] as const)('keys of a variant are told as they are written in the %s', (keys, words) => {
  cameBy({ keys });
  expect(variantKeyWords('variants.a', { volumes: '[.:/src]', workdir: '/src' })).toBe(words);
});

it('a job, and a command that goes on by itself, are told of no option that they lack', () => {
  expect(goOnWords()).toBe('`--resume` continues from there');
  cameBy({ goesOn: 'again' });
  expect(goOnWords()).toBe('the same command continues from there');
  cameBy({ goesOn: 'job' });
  expect(goOnWords()).toBe('run the job again, which measures all of it');
});
