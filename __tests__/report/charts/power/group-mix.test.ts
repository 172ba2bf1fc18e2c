// Class: unit.
import { expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import type { Explanation } from '../../../../src/findings/explain.ts';
import { explanation } from '../../synthetic/observed.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn } from '../drawn.ts';

const rich = richAnalysis();
const groups = (...named: readonly (readonly [string, number])[]) =>
  named.map(([name, seconds]) => ({ name, seconds }));
const withMix = (mix: Explanation['mix']): Analysis => ({
  ...rich,
  findings: { ...rich.findings, explanation: { ...explanation(), mix } },
});
const mix: Explanation['mix'] = [
  { of: 'native', phase: 'sort', groups: groups(['own', 3], ['memory-copy', 1]) },
  { of: 'debian', phase: 'sort', groups: groups(['own', 1], ['memory-copy', 2], ['no-such-group', 1]) },
];
/** Heights of what is filled with a tone: the parts of rows of 40 pixels, and the swatch of the legend at the end. */
const heights = (svg: string, tone: string): number[] =>
  [...svg.matchAll(/<path d="M\S+ (\S+)L\S+ \S+L\S+ (\S+)L\S+ \S+Z" fill="(#\w{6})"/g)].flatMap(([, from, to, fill]) =>
    fill === tone ? [Math.round(Math.abs(Number(to) - Number(from)))] : [],
  );

it('shows below the power what each phase goes to, a row a variant that was observed', () => {
  const { text, svg, spec } = drawn('power-over-time', withMix(mix));
  expect(text).toContain(
    'native: processor time by group debian: processor time by group own code memory copy all other groups',
  );
  expect(text).not.toContain('alpine: processor time');
  expect(spec.description).toContain('native: own code 75 %, memory copy 25 %');
  expect(spec.description).toContain('debian: memory copy 50 %, own code 25 %, all other groups 25 %');
  const plain = drawn('power-over-time', rich);
  expect(plain.text).not.toContain('by group');
  expect(spec.height).toBeGreaterThan(plain.spec.height + 100);
  expect(svg).not.toMatch(/NaN/);
  // Own code has three quarters of the first row and one of the second; the swatch is the last of each tone.
  expect(heights(svg, '#00336f')).toEqual([30, 10, 12]);
});

it('names what differs clearly before what is only large', () => {
  const large = ['network', 'own', 'allocation', 'scheduler', 'kernel', 'files'] as const;
  const many = ['native', 'debian'].map((of) => ({
    of,
    phase: 'sort',
    groups: groups(...large.map((name, i) => [name, 9 - i] as const), ['memory-copy', 0.5]),
  }));
  const { text } = drawn('power-over-time', withMix(many));
  expect(explanation().lines.map(({ kind, name }) => `${kind} ${name}`)).toContain('group memory-copy');
  expect(text).toContain('network stack own code allocation');
  expect(text).toContain('memory copy all other groups');
  expect(text).not.toContain('file system');
});

it('is of the whole run, and says so, where nobody told when', () => {
  const whole = [{ of: 'native', phase: null, of_whole_run: true as const, groups: groups(['own', 1]) }];
  const { text, spec } = drawn('power-over-time', withMix(whole));
  expect(text).toContain('native: processor time by group');
  expect(`${text} ${spec.description}`).toContain('own code 100 %');
  expect(text).toMatch(/of whole runs, since nobody told when/);
});

it('takes the whole run where there are no phases, and draws nothing of an empty profile', () => {
  const runs = rich.runs.map(({ phases: _, ...run }) => run);
  const whole = { ...withMix([{ of: 'native', phase: null, groups: groups(['own', 1]) }]), runs };
  expect(drawn('power-over-time', whole).text).toContain('native: processor time by group');
  expect(drawn('power-over-time', withMix([])).text).not.toContain('by group');
  expect(drawn('power-over-time', withMix([{ of: 'native', phase: 'sort', groups: [] }])).text).not.toContain(
    'by group',
  );
});

it('finds a phase by its own name, whatever can be written of it', () => {
  const rename = (phase: string): string => (phase === 'sort' ? '⚙️ sort' : phase);
  const analysis = withMix(mix.map((one) => ({ ...one, phase: '⚙️ sort' })));
  const runs = analysis.runs.map((run) => ({
    ...run,
    phases: run.phases?.map((one) => ({ ...one, phase: rename(one.phase) })),
  }));
  const { text, spec } = drawn('power-over-time', { ...analysis, runs } as Analysis);
  expect(text).toContain('native: processor time by group');
  expect(spec.description).toContain('native: own code 75 %, memory copy 25 %');
});
