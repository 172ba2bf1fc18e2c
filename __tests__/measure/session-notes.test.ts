// Class: unit.
import { expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { giveUpError, scatterText, soFarText } from '../../src/measure/session-notes.ts';

it('shows a wide interval by its ends, because it is not symmetric and never reaches −100 %', () => {
  const change = (percent: number, low: number, high: number) =>
    soFarText([{ variant: 'b', percent, ci95: [low, high] }]);
  expect(change(19, 13, 25)).toBe('+19 ± 6.0 %, no verdict yet');
  expect(change(-56, -81, 37)).toBe('−56 % (−81 to +37), no verdict yet');
  expect(soFarText([])).toBeNull();
});

it('says of a command that a checkout lacks that only what is committed is there', () => {
  const advice = (exitCode: number, revision: object | undefined) => {
    const variants = [{ kind: 'native', name: 'a', revision, workload: { run: './a.out' } }];
    const why = { kind: 'failed-twice', variant: 'a', runs: [1, 2], cause: 'exit-code' } as const;
    return giveUpError(why as never, { variants } as unknown as Experiment, exitCode).advice;
  };
  const hint =
    'A checkout holds only what is committed: compile the rest in a hook (hooks.before-all with place: variant).';
  expect(advice(127, { name: 'main', commit: 'c0ffee' })).toMatch(
    new RegExp(`^${hint.replace(/[().]/g, '\\$&')} Their output`),
  );
  expect(advice(1, { name: 'main', commit: 'c0ffee' })).toMatch(/^Their output/);
  expect(advice(127, undefined)).toMatch(/^Their output/);
});

it('says what an expected width rests on', () => {
  expect(scatterText({ scatter: 'assumed', ownSpread: Math.log(1.01) })).toBe(
    'Assumed: blocks that scatter by 1.0 %; the warm-up was too short to tell.',
  );
  expect(scatterText({ scatter: 'warm-up', ownSpread: Math.log(1.5) })).toContain(
    'warm-up: blocks that scatter by 50 %',
  );
});

it('counts the failures of all sessions', () => {
  const message = (...runs: number[]) =>
    giveUpError(
      { kind: 'failed-twice', variant: 'a', runs, cause: null } as never,
      { variants: [] } as unknown as Experiment,
      1,
    ).message;
  expect(message(3, 5)).toBe('The workload failed twice in variant "a" (runs 3 and 5).');
  expect(message(3, 5, 7)).toBe('The workload failed 3 times in variant "a" (runs 3, 5 and 7).');
});
