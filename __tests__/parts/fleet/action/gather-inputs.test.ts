// Class: system.
import { describe, expect, it } from '@jest/globals';
import { readInputs, readMode } from '../../../../src/action/inputs.ts';
import { type QuietMode, readGatherInputs } from '../../../../src/parts/fleet/action/gather-inputs.ts';

const get = (given: Record<string, string>) => (name: string) => given[name] ?? '';

describe('mode', () => {
  it.each([
    ['', 'measure'],
    ['measure', 'measure'],
    [' publish ', 'publish'],
    ['gather', 'gather'],
  ])('%j is %s', (given, mode) => {
    expect(readMode(get({ mode: given }), ['publish', 'gather'])).toBe(mode);
  });

  it('is refused where there is none of that name', () => {
    expect(() => readMode(get({ mode: 'publsh' }), ['publish', 'gather'])).toThrow(
      /"publsh" was given; .* \(did you mean "publish"\?\)/,
    );
  });
});

describe('the inputs of publish and gather', () => {
  it('have the defaults of the action', () => {
    const inputs = {
      token: '',
      comment: 'always',
      commentKey: '',
      artifactName: 'joulediff',
      results: [],
      expectedKeys: [],
      check: false,
      requested: null,
    };
    const directory = '/workspace';
    expect(readGatherInputs(get({ mode: 'publish', out: 'joulediff-out' }), 'publish', directory)).toEqual({
      ...inputs,
      directory,
    });
  });

  it('take patterns, a line each', () => {
    expect(readGatherInputs(get({ results: 'a/*\n b/* \n' }), 'gather').results).toEqual(['a/*', 'b/*']);
    expect(readGatherInputs(get({ results: 'a/*', artifact: 'false' }), 'gather').results).toEqual(['a/*']);
  });

  it.each<[Record<string, string>, QuietMode, RegExp]>([
    [{ run: './bench.sh' }, 'publish', /"run".*measures nothing; leave out run/],
    [{ config: 'x.yml' }, 'gather', /"config".*measures nothing/],
    [{ results: 'a/*' }, 'publish', /"results".*fetches the results of the run that ended/],
    [{ artifact: 'false' }, 'gather', /"artifact".*must be the name of the artifacts/],
    [{ comment: 'alwys' }, 'gather', /did you mean "always"/],
    [{ artifact: 'a/b' }, 'publish', /"artifact"/],
    [{ check: 'yes' }, 'publish', /"check": "yes" was given; it must be true or false/],
    [
      { head: 'main', 'pull-request': '5' },
      'publish',
      /"head": "main" was given; it must be the full name of a commit/,
    ],
    [{ head: 'd'.repeat(40) }, 'publish', /"pull-request": "" was given; it must be the number/],
    [{ head: 'd'.repeat(40), 'pull-request': '5' }, 'gather', /"head".*measures nothing; leave out head/],
    [{ results: 'a/*' }, 'request', /"results".*measures nothing/],
  ])('refuse %j with %s', (given, mode, message) => {
    expect(() => readGatherInputs(get(given), mode)).toThrow(message);
  });

  it('are refused where something is measured', () => {
    expect(() => readInputs(get({ run: 'x', image: 'a', head: 'd'.repeat(40) }))).toThrow(
      /"head".*without mode: publish/,
    );
    const given = { run: 'x', image: 'a', results: 'results/*' };
    expect(() => readInputs(get(given))).toThrow(/"results".*without mode: gather/);
    expect(() => readInputs(get({ run: 'x', image: 'a', artifact: 'x.html' }))).toThrow(/must not end like the page/);
  });
});
