// Class: unit.
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { getErrorCode, InputError, MeasureError, messageOf, Stopped, systemMessage } from '../src/errors.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

it('each kind of error has its exit code, and keeps cause and advice', () => {
  const cause = new Error('why');
  const error = new InputError('It is wrong.', { advice: 'Mend it.', cause });
  expect(error).toMatchObject({ name: 'InputError', exitCode: 2, advice: 'Mend it.', cause });
  expect(new MeasureError('It was lost.')).toMatchObject({ name: 'MeasureError', exitCode: 3, advice: null });
  expect(new Stopped('SIGTERM')).toMatchObject({ exitCode: 143, message: 'stopped by SIGTERM' });
});

it('anything that is thrown has words', () => {
  const missing = thrownBy(() => readFileSync('/nowhere/at/all'));
  expect([getErrorCode(missing), systemMessage(missing)]).toEqual(['ENOENT', 'no such file or directory']);
  expect([getErrorCode('text'), getErrorCode(null), messageOf('text'), messageOf(null)]).toEqual([
    '',
    '',
    'text',
    'null',
  ]);
});
