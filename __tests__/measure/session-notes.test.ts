// Class: unit.
import { expect, it } from '@jest/globals';
import { soFarText } from '../../src/measure/session-notes.ts';

it('shows a wide interval by its ends, because it is not symmetric and never reaches −100 %', () => {
  const change = (percent: number, low: number, high: number) =>
    soFarText([{ variant: 'b', percent, ci95: [low, high] }]);
  expect(change(19, 13, 25)).toBe('+19 ± 6.0 %, no verdict yet');
  expect(change(-56, -81, 37)).toBe('−56 % (−81 to +37), no verdict yet');
  expect(soFarText([])).toBeNull();
});
