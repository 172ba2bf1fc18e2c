// Class: unit.
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { asWritten } from '../../src/experiment/as-written.ts';

it('has no value that may be secret, and everything else, whatever its author calls it', () => {
  const given = {
    workload: {
      run: 'curl -H "Authorization: Bearer ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" there',
      env: { A: 'one' },
    },
    variants: { env: { run: 'two', env: { B: 'three' } }, built: { build: { context: '.', args: { C: 'four' } } } },
    services: { env: { run: 'five' } },
    repetitions: 6,
  };
  const text = asWritten(given, 'mine');
  expect(text).toMatch(/^# Fill in each \*\*\* again/);
  expect(parse(text)).toEqual({
    ...given,
    name: 'mine',
    workload: { run: 'curl -H "Authorization: Bearer ***" there', env: { A: '***' } },
    variants: { env: { run: 'two', env: { B: '***' } }, built: { build: { context: '.', args: { C: '***' } } } },
  });
});
