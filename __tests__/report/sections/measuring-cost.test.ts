// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { checkNaming } from '../fixtures.ts';
import { type SyntheticOptions, syntheticAnalysis } from '../synthetic/analysis.ts';

const variants = [
  { name: 'native', meanJ: 257.9 },
  { name: 'container', meanJ: 250.1 },
];
const saved: NonNullable<Findings['cost']> = {
  duration_s: 3200,
  energy_j: 190_123,
  unknown: null,
  saving: { baseline: 'native', variant: 'container' },
  pays_back_runs: 24_375,
};

function lastLine(cost: Partial<typeof saved>, options: SyntheticOptions = {}): string {
  const { findings } = syntheticAnalysis({ variants, ...options });
  const lines = commentMarkdown({ ...findings, cost: { ...saved, ...cost } })
    .trimEnd()
    .split('\n');
  return lines.at(-1)!.replaceAll('\u00a0', ' ');
}

describe('the last line of the comment', () => {
  it('says what measuring took, and when the change pays it back', () => {
    const said = 'Measuring took 190 kJ in 53 min 20 s; the change pays that back after 24,000 runs.';
    expect(lastLine({})).toBe(`<sub>${said}</sub>`);
  });

  it.each([
    ['modelled', 'estimated by a model, not measured'],
    ['emulated', 'emulated meter, not a measurement'],
  ] as const)('says of %s numbers that they are', (source, words) => {
    expect(lastLine({}, { source })).toContain(`Measuring took 190 kJ in 53 min 20 s (${words}); the change pays`);
  });

  it('promises nothing where nothing is saved, or the result can’t be trusted', () => {
    const took = '<sub>Measuring took 190 kJ in 53 min 20 s.</sub>';
    expect(lastLine({ saving: null, pays_back_runs: null })).toBe(took);
    expect(lastLine({}, { checks: [checkNaming('native', 'fail')] })).toBe(took);
  });

  it('names the variant where there are several', () => {
    const third = { name: 'slim', meanJ: 249.5 };
    const saving = { baseline: 'native', variant: 'slim' };
    expect(lastLine({ saving }, { variants: [...variants, third] })).toContain('`slim` pays that back after');
  });

  it('says where the energy is not known, and is not there without readings', () => {
    const lost = { energy_j: null, saving: null, pays_back_runs: null };
    expect(lastLine({ ...lost, unknown: 'gaps' })).toContain('its energy is not known, because readings are missing');
    expect(lastLine({ ...lost, unknown: 'no-readings', duration_s: 0 })).not.toContain('Measuring');
  });
});
