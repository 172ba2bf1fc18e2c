// Class: unit.
import { expect, it } from '@jest/globals';
import { quietCheck } from '../../../src/analysis/checks/quiet.ts';
import type { Noise } from '../../../src/findings/checks.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { checkTexts } from '../../../src/report/words/checks.ts';

const look = (found: Noise[] = [], waitedS = 0, remaining: Noise[] = []) => ({
  tNs: 0n,
  block: 1,
  warmup: false,
  found,
  remaining,
  waitedS,
  load: 0,
  temperatureC: null,
  limitHz: null,
  throttled: null,
});

const wordsOf = (looks: ReturnType<typeof look>[]): string[] =>
  quietCheck(looks).map((check) => `${check.state}: ${plainText(checkTexts(check).found)}`);

it('tells of waiting and of noise before blocks, and takes no clean-up for noise', () => {
  expect(wordsOf([])).toEqual([]);
  expect(wordsOf([look(), look(['load'], 2)])).toEqual(['ok: The machine was quiet before each of 2 blocks.']);
  expect(wordsOf([look(['load', 'temperature'], 120), look(['load'], 30), look()])).toEqual([
    'ok: 2 blocks waited for a quiet machine, 2 min 30 s in all, 2 min at most. What was found, and before how many blocks: load of others (2), a warmer processor than before the first block (1).',
  ]);
  expect(wordsOf([look(['containers'], 5, ['containers']), look()])).toEqual([
    'warn: The machine was not quiet before 1 of 2 blocks. 1 block waited for a quiet machine, 5 s in all, 5 s at most. What was found, and before how many blocks: containers that were started meanwhile (1).',
  ]);
});

it('counts throttling however short the wait was, since it was in the block before', () => {
  expect(wordsOf([look(['load', 'throttling'], 1), look(['load'], 1), look()])).toEqual([
    'ok: What was found, and before how many blocks: throttling (1).',
  ]);
});
