// Class: unit.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { displayWidth } from '../../src/report/document/width.ts';
import { terminalReport } from '../../src/report/terminal.ts';
import { everyAnalysis } from './fixtures.ts';
import { golden } from './golden.ts';
import { syntheticAnalysis, twoVariants } from './synthetic/analysis.ts';

const all = everyAnalysis();

describe('terminalReport', () => {
  it.each(Object.entries(all))('of %s fits in 80 columns, in plain visible characters', (_, analysis) => {
    const text = terminalReport(analysis, { color: false });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069]/);
  });

  it.each(['measured', 'modelled', 'partial', 'bare'])('of %s is the one that was read and found good', (name) => {
    const made = terminalReport(all[name]!, { color: false });
    expect(made).toBe(golden(`terminal-${name}.golden.txt`, made));
  });

  it.each(Object.entries(all))('of %s says the same with color', (_, analysis) => {
    const colored = terminalReport(analysis, { color: true });
    expect(colored).toContain('\u001b[');
    expect(stripVTControlCharacters(colored)).toBe(terminalReport(analysis, { color: false }));
  });

  it.each([
    ['modelled', 'estimated by a model'],
    ['emulated', 'emulated meter'],
  ])('says of %s numbers, first of all, what they are', (name, words) => {
    expect(terminalReport(all[name]!, { color: false }).split('\n')[0]).toContain(words);
  });

  it('says at each change where few blocks reach less confidence than the column says', () => {
    const third = { name: 'alpine', meanJ: 251, durationS: 12 };
    const few = syntheticAnalysis({ runs: 5, variants: [...twoVariants, third] });
    expect(terminalReport(few, { color: false })).toMatch(/\(\S+ to \S+, at 93\.7 %\)/);
  });

  it('makes room for wide numbers without breaking its lines', () => {
    const variants = [
      { name: 'native', energiesJ: Array.from({ length: 30 }, (_, i) => 12_345_678 + i) },
      {
        name: 'registry.example.org/team/service:2026.11',
        energiesJ: Array.from({ length: 30 }, (_, i) => 3e8 + i * 1e7),
      },
    ];
    const lines = terminalReport(syntheticAnalysis({ variants }), { color: false }).split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(80);
    expect(lines.join(' ')).toMatch(/native: 12,345,69\d J · .*445,000,000 J .*\+432,65\d,\d+ J, \+3504\.5 %/);
  });

  it('names each baseline where there are several, however narrow the terminal is', () => {
    const { findings, ...rest } = syntheticAnalysis({ traces: false });
    const [first] = findings.comparisons;
    const chain = {
      ...findings,
      comparisons: [first!, { ...first!, variant: first!.baseline, baseline: 'another one' }],
    };
    const text = terminalReport({ ...rest, findings: chain }, { color: false, width: 80 });
    expect(text).toMatch(/Baseline/);
    expect(text).toContain('another one');
  });

  it.each([60, 80, 100])('shortens no name of a row in %i columns: what is long goes on below', (width) => {
    const names = [1, 2, 3].map((i) => `registry.example.org/team/service-${i}/image:2026.11-slim-bookworm`);
    const variants = [{ name: 'native' }, ...names.map((name) => ({ name, meanJ: 260 }))];
    const text = terminalReport(syntheticAnalysis({ variants }), { color: false, width });
    const lines = text.split('\n');
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    const whole = lines.map((line) => /^ {0,2}(\S+(?: \S+)*)/.exec(line)?.[1] ?? '').join('');
    // In the table, and beside its interval.
    for (const name of names) expect(whole.split(name)).toHaveLength(3);
  });
});
