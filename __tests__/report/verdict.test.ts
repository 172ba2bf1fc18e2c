// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { getStanding, hasNews } from '../../src/report/verdict.ts';
import { checkNaming, everyAnalysis } from './fixtures.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';
import { suiteWithout } from './synthetic/suite.ts';

const all = everyAnalysis();

describe('hasNews', () => {
  it.each([
    ['measured', true],
    ['crossed', true],
    ['partial', true],
    ['equivalent', false],
    ['inconclusive', false],
    ['kept', false],
    ['lone', false],
  ])('of %s is %p', (name, news) => {
    expect(hasNews(all[name]!.findings)).toBe(news);
  });

  it('is there when a check failed, and not when one only warns', () => {
    const { variants } = { variants: [{ name: 'native' }] };
    expect(hasNews(syntheticAnalysis({ variants, checks: [checkNaming('native', 'fail')] }).findings)).toBe(true);
    expect(hasNews(syntheticAnalysis({ variants, checks: [checkNaming('native', 'warn')] }).findings)).toBe(false);
  });

  it('is there when a benchmark failed or could not be measured', () => {
    expect(hasNews(suiteWithout('new'))).toBe(false);
    expect(hasNews(suiteWithout('failed'))).toBe(true);
    expect(hasNews(suiteWithout('invalid'))).toBe(true);
  });
});

it('emulated processors make every channel untrusted', () => {
  const emulation = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: ['container'] } } as const;
  const { findings } = syntheticAnalysis({ checks: [emulation] });
  const [comparison] = findings.comparisons;
  for (const { channel } of [comparison!, { channel: 'wall 2' }]) {
    expect(getStanding({ findings, comparison: { ...comparison!, channel } })).toBe('untrusted');
  }
});
