// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import { everyAnalysis } from '../../fixtures.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { drawn, drawnIds, textsOf, ticksOf } from '../drawn.ts';

const every = everyAnalysis();

/** The only bold words of that size. */
function titleOf(id: string, analysis: Analysis): string {
  return textsOf(drawn(id, analysis).svg.match(/<text [^>]*font-size="15"[^>]*>[^<]*<\/text>/)![0])[0]!;
}

describe('the title of a picture', () => {
  it('shortens the name of an experiment, and never what is shown', () => {
    const analysis = syntheticAnalysis({
      name: 'a name that goes on and on, in many places and in many ways '.repeat(3),
    });
    const titles = drawnIds(analysis).map((id) => titleOf(id, analysis));
    const short = syntheticAnalysis({ name: 'x' });
    const whats = drawnIds(short).map((id) => titleOf(id, short).slice('x: '.length));
    expect(titles.length).toBeGreaterThan(5);
    for (const [i, title] of titles.entries()) {
      expect(title).toMatch(/^a name .*…/);
      expect(title.endsWith(`: ${whats[i]}`)).toBe(true);
    }
  });
});

describe('the warning of a picture', () => {
  it('names guests whose processors were emulated, whoever read its numbers', () => {
    const analysis = syntheticAnalysis({ name: 'x' });
    const { findings } = analysis;
    const check = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: ['guest'] } } as const;
    const quality = { ...findings.quality, checks: [...findings.quality.checks, check] };
    const emulated = { ...analysis, findings: { ...findings, quality } };
    const warning = 'Emulated processors (guest) say nothing about virtual machines';
    for (const id of ['energy-violin', 'duration-violin']) {
      expect(drawn(id, emulated).svg).toContain(warning);
      expect(drawn(id, analysis).svg).not.toContain(warning);
    }
  });
});

it('the subtitle of a picture claims no meter that an imported file does not name', () => {
  const analysis = syntheticAnalysis({ traces: false });
  const { findings } = analysis;
  const imported = { ...analysis, findings: { ...findings, meter: { ...findings.meter, type: 'unknown' } } };
  expect(drawn('energy-violin', imported).svg).toContain('Meter: unknown');
  expect(drawn('energy-violin', analysis).svg).toContain('Measured by watts-up-pro');
});

describe('the axes of a picture', () => {
  it('are in the unit of the numbers beside them', () => {
    const small = syntheticAnalysis({
      variants: [
        { name: 'native', meanJ: 0.0025, sdJ: 0.0001, durationS: 0.003 },
        { name: 'container', meanJ: 0.0026, sdJ: 0.0001, durationS: 0.0031 },
      ],
      traces: false,
    });
    const { svg, text } = drawn('energy-violin', small);
    expect(text).toContain('Energy per run (mJ)');
    expect(text).toMatch(/ 2\.\d{3} mJ /);
    const ticks = [...ticksOf(svg, 'middle').keys()];
    expect(Math.min(...ticks)).toBeGreaterThan(2);
    expect(Math.max(...ticks)).toBeLessThan(3);
    expect(drawn('duration-violin', small).text).toContain('Duration per run (ms)');
    expect(drawn('energy-violin', every.measured!).text).toContain('Energy per run (J)');
  });
});

describe('the caption of a picture', () => {
  it('names an interval only where one is drawn', () => {
    for (const id of ['energy-change', 'energy-violin', 'duration-violin']) {
      expect(drawn(id, every.single!).text).not.toContain('interval');
      expect(drawn(id, every.constant!).text).not.toContain('interval');
    }
    expect(drawn('energy-change', every.measured!).text).toContain('line: its 95 % interval');
    expect(drawn('energy-violin', every.measured!).text).toContain('with its 95 % interval. ');
  });

  it('says where an interval has less confidence than 95 %', () => {
    for (const id of ['energy-change', 'energy-violin']) {
      expect(drawn(id, every.few!).text).toContain('interval, at less confidence where its row says so');
    }
  });

  it('tells of no median and no band where there is one run only', () => {
    const { text } = drawn('power-over-time', every.single!);
    expect(text).toContain('Line: the readings of the only run');
    expect(text).not.toContain('band');
    expect(drawn('power-over-time', every.few!).text).toContain('Line: median of the runs; band: 10 % to 90 % of them');
  });
});
