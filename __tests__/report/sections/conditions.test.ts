// Class: unit.
import { expect, it } from '@jest/globals';
import type { MadeSetting } from '../../../src/findings/conditions.ts';
import { conditions } from '../../../src/report/sections/conditions.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

it('says what was set for the experiment, and what it was before', () => {
  const { findings } = syntheticAnalysis();
  const reported = (set?: readonly MadeSetting[]) => {
    const found = findings.conditions && { ...findings.conditions, ...(set && { set }) };
    return JSON.stringify(conditions({ ...findings, conditions: found }));
  };
  const made = [
    { setting: 'governor' as const, value: 'performance', before: 'powersave' },
    { setting: 'turbo' as const, value: 'off', before: 'on' },
  ];
  expect(reported(made)).toContain('"Set for the experiment"');
  expect(reported(made)).toContain('governor performance (was powersave), turbo off (was on)');
  expect(reported()).not.toContain('Set for the experiment');
});
