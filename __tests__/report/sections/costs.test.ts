// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { renderMarkdown } from '../../../src/report/document/markdown.ts';
import { renderTerminal } from '../../../src/report/document/terminal.ts';
import { costs, costsInText } from '../../../src/report/sections/costs.ts';
import { cost, everyAnalysis } from '../fixtures.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

const all = everyAnalysis();
const { findings } = syntheticAnalysis({ goals: { cost } });
const wide = { color: false, width: 300 };
const intro = (found: Findings): string => renderTerminal(costs(found)!.blocks.slice(0, 1), wide).trimEnd();
const markdown = (found: Findings, most: number): string => renderMarkdown([costsInText(found, most)]);

/** The rows of the table, columns apart by a bar. */
function costRows(found: Findings): string[] {
  const lines = renderMarkdown(costs(found)!.blocks.slice(1))
    .replace(/\u00a0/g, ' ')
    .split('\n');
  return lines.slice(2).map((line) => line.replace(/^\| | \|$/g, '').replace(/`/g, ''));
}

describe('costs in words', () => {
  it('name price, intensity, channel and what the task is', () => {
    expect(intro(findings)).toBe(
      'At 0.30 EUR/kWh and 380 g CO₂e/kWh, of the gross energy on the channel wall. “10^9 queries” = 666.7 runs.',
    );
  });

  it.each([
    ['modelled', 'of the energy that the model estimates on the channel cpu-model, which was not measured'],
    ['emulated', 'of the energy of an emulated meter on the channel wall, which is not a measurement'],
    ['unknown', 'source of the numbers unknown'],
  ] as const)('of %s energy say so', (source, words) => {
    expect(intro(syntheticAnalysis({ source, goals: { cost } }).findings)).toContain(words);
  });

  it('are left out where a check failed', () => {
    const facts = { count: 1, seen: [{ run: 3, variant: 'native', energy_j: -1, usual_j: 250 }] };
    const checks = [{ name: 'counter', state: 'fail', reason: 'seen', facts } as const];
    expect(costs({ ...findings, quality: { ...findings.quality, checks } })).toBeNull();
  });

  it('of the processor’s counters are not taken for the machine’s', () => {
    const rapl = { ...findings, meter: { ...findings.meter, part: 'package-and-dram' as const } };
    expect(intro(rapl)).toContain('not of the whole machine');
  });

  it('say which run is meant where a window holds several executions', () => {
    const variants = findings.variants.map((v) => ({ ...v, executions_per_run: 50 }));
    expect(intro({ ...findings, variants })).toContain('A run here is one of the 50 executions in a window.');
  });

  it('show both variants and their difference in one unit, for the task and for a run', () => {
    const lines = costRows(findings).filter((line) => line !== '');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(
      /^container \| 10\^9 queries \| 0\.0138\d → 0\.0143\d EUR \| \+0\.0004\d EUR \(\+0\.000\d+ to \+0\.000\d+\)$/,
    );
    expect(lines[1]).toMatch(/^container \| 10\^9 queries \| 17\.\d+ → 18\.\d+ g CO₂e \| \+0\.\d+ g CO₂e \(/);
    expect(lines[3]).toMatch(/^container \| a run \| 26\.\d+ → 27\.\d+ mg CO₂e \| /);
  });

  it('tell little money in millionths, without exponents that change from one number to the next', () => {
    const lines = costRows(findings);
    expect(lines[2]).toMatch(
      /^container \| a run \| 20\.8\d → 21\.\d+ × 10⁻⁶ EUR \| \+0\.\d+ × 10⁻⁶ EUR \(\+0\.\d+ to \+0\.\d+\)$/,
    );
  });

  it('are of the variants alone where nothing is compared', () => {
    const lone = syntheticAnalysis({ variants: [{ name: 'native' }], goals: { cost } }).findings;
    expect(costRows(lone)[0]).toMatch(/^native \| 10\^9 queries \| 0\.013\d+ EUR \| –$/);
  });
});

describe('the section of costs', () => {
  it('is there only where a price or an intensity was given', () => {
    expect(costs(all.measured!.findings, 10)).toBeNull();
    expect(costs(findings, 0)).toBeNull();
    expect(markdown(findings, 10)).toMatch(/^\*\*Cost\.\*\* At 0\.30 EUR\/kWh/);
  });

  it('folds the costs of many comparisons, and says how many it leaves out', () => {
    const text = markdown(all.gates!.findings, 5);
    expect(text).toMatch(/^<details><summary>Cost<\/summary>/);
    expect(text).toContain('6 more are in findings.json.');
  });

  it('escapes the name of the task', () => {
    const named = syntheticAnalysis({
      goals: { cost: { ...cost!, task: { name: '<b>@all</b> | #1', runs: 2 } } },
    }).findings;
    const text = markdown(named, 10);
    expect(text.split('\n')[0]).toContain('`<b>@all</b> ¦ #1` = 2 runs');
    expect(text).toContain('| `<b>@all</b> ¦ #1` |');
  });
});
