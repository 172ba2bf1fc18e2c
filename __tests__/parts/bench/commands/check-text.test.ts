// Class: system.
import { describe, expect, it } from '@jest/globals';
import type { Passport } from '../../../../src/findings/passport.ts';
import { checkText } from '../../../../src/parts/bench/commands/check-text.ts';
import { passport } from '../../../findings/passport.ts';

const textOf = (change: Partial<Passport>): string =>
  checkText(
    { passport: { ...passport, ...change }, timing: null, result: { steps: [], edges: [], idleSdW: 0 } },
    null,
    { color: false },
  );

describe('what a check of a meter ends with', () => {
  it.each([
    ['a meter that is in order', { passed: true }, 'The meter passed its check.'],
    [
      'a meter whose steps were all disturbed',
      { passed: false, step: null },
      'The check could not tell whether this meter can be trusted.',
    ],
    [
      'a meter that failed',
      { passed: false },
      'The meter failed its check. Find the cause before you measure with it.',
    ],
    [
      'a model',
      { passed: true, source: 'modelled' },
      'The model follows this machine. It is not a measurement, so there is no wiring to test.',
    ],
    [
      'a model whose steps were all disturbed',
      { passed: false, step: null, source: 'modelled' },
      'The check could not tell whether the model follows this machine.',
    ],
    [
      'a model that does not follow',
      { passed: false, source: 'modelled' },
      'The model does not follow this machine as it should.',
    ],
  ] as const)('is true of %s', (_, change, sentence) => {
    expect(textOf(change).split('\n')).toContain(sentence);
  });

  it.each([
    [{ after_s: 13.04, watched_s: 29 }, 'Settling    power returned to its idle noise 13.0 s after the last load'],
    [{ after_s: null, watched_s: 29 }, 'Settling    power had not returned to its idle noise 29 s after the last load'],
  ])('tells whether the machine had settled: %j', (settling, line) => {
    expect(textOf({ settling }).split('\n')).toContain(line);
    expect(textOf({})).not.toContain('Settling');
  });
});
