// Class: unit.
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { asWritten } from '../../src/experiment/as-written.ts';
import { parse as read, refusal } from './support.ts';

it('has no value that may be secret, and everything else, whatever its author calls it', () => {
  const given = {
    workload: {
      run: 'curl -H "Authorization: Bearer ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" there',
      env: { A: 'one' },
    },
    variants: {
      env: { run: 'two', env: { B: 'three' } },
      built: { build: { context: '.', args: { C: 'four' } } },
      services: { env: { D: 'six' } },
    },
    services: { env: { run: 'five' }, variants: { run: 'serve', env: { E: 'seven' } } },
    suite: { env: { run: 'eight' }, matrix: { run: 'nine', env: { F: 'ten' } }, suite: { env: { G: 'eleven' } } },
    matrix: { env: { none: null, some: { env: { H: 'twelve' } } } },
    repetitions: 6,
  };
  const text = asWritten(given, 'mine');
  expect(text).toMatch(/^# Fill in each \*\*\* again/);
  expect(parse(text)).toEqual({
    ...given,
    name: 'mine',
    workload: { run: 'curl -H "Authorization: Bearer ***" there', env: { A: '***' } },
    variants: {
      env: { run: 'two', env: { B: '***' } },
      built: { build: { context: '.', args: { C: '***' } } },
      services: { env: { D: '***' } },
    },
    services: { env: { run: 'five' }, variants: { run: 'serve', env: { E: '***' } } },
    suite: { env: { run: 'eight' }, matrix: { run: 'nine', env: { F: '***' } }, suite: { env: { G: '***' } } },
    matrix: { env: { none: null, some: { env: { H: '***' } } } },
  });
});

it('can only be measured once each value that it leaves out is written again', () => {
  const given = {
    workload: { run: './bench.sh', env: { A: 'one' } },
    variants: {
      native: {},
      built: { build: { context: '.', args: { C: 'four' } }, env: { B: 'three' } },
    },
    services: {
      db: {
        run: ['serve', '--', 'ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
        ready: { command: 'echo "*** up ***"' },
        env: { D: 2 },
      },
    },
  };
  const text = asWritten(given, 'mine');
  const detail = '"***" was given: results leave this value out; write it again';
  expect(refusal(() => read(text)).split('\n  ')).toEqual([
    '5 problems:',
    `joulediff.yml:6:8: workload.env.A: ${detail}`,
    `joulediff.yml:13:12: variants.built.build.args.C: ${detail}`,
    `joulediff.yml:15:10: variants.built.env.B: ${detail}`,
    `joulediff.yml:21:9: services.db.run[2]: ${detail}`,
    `joulediff.yml:25:10: services.db.env.D: ${detail}`,
  ]);
  expect(read(text.replaceAll('"***"', 'again')).services).toMatchObject([{ env: { D: 'again' } }]);
});
