// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../src/findings/findings.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { methodsPlain } from '../../../src/report/sections/methods.ts';
import { paperTables, resultsLatex } from '../../../src/report/sections/paper-tables.ts';
import { checkNaming, everyAnalysis } from '../fixtures.ts';
import { visible } from '../render.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';
import { suiteAnalysis } from '../synthetic/suite.ts';

const all = everyAnalysis();
const { findings: measured } = syntheticAnalysis();

/** Findings whose numbers are like no others. */
const odd: Findings = {
  ...measured,
  experiment: {
    ...measured.experiment,
    seed: 8_675_309,
    repetitions_planned: 37,
    repetitions_completed: 31,
    warmup_blocks: 5,
    rest_s: 43,
    guard_s: 7.5,
    margin_percent: 2.25,
  },
  meter: { ...measured.meter, sampling_period_s: 0.85, accuracy: { gain_percent: 1.7, offset_w: 0.65 } },
  quality: {
    ...measured.quality,
    noise_floor: { percent: 0.44, ci95: [-0.2, 0.44], blocks: 29, source: 'stored', measured_at: null },
  },
};

/** The paragraph alone. */
const paragraph = (findings: Findings): string => methodsPlain(findings).split('\n')[0]!;

describe('the paragraph for a paper', () => {
  it('has the numbers of the findings', () => {
    for (const words of [
      'Each of 37 blocks ran every variant once',
      '(seed 8675309), after 5 warm-up blocks that are not compared',
      'Only 31 of them are complete.',
      'rested for 43 s, and 7.5 s on both sides',
      'lies between −2.20 and +2.25 %',
      'with a reading every 0.85 s',
      '±1.7 % ± 0.65 W',
      'a 95 % confidence interval within ±0.44 % (29 blocks)',
    ]) {
      expect(paragraph(odd)).toContain(words);
    }
  });

  it('quotes names of several words', () => {
    const { baseline } = measured.experiment;
    const renamed: Findings = JSON.parse(
      JSON.stringify(measured).replaceAll(`"${baseline}"`, '"sort --parallel=1 file"'),
    );
    expect(paragraph(renamed)).toContain('with that of “sort --parallel=1 file”');
  });

  it.each(Object.keys(all))('of %s has no number that neither the findings have nor the method', (name) => {
    const { findings } = all[name]!;
    const json = JSON.stringify(findings);
    // Levels of the method, kinds of intervals, and memory in a unit of its own.
    const { margin_percent: margin } = findings.experiment;
    const confidences = findings.comparisons.map(({ percent }) => ((percent.confidence ?? 0) * 100).toFixed(2));
    const levels = ['95', '90', '0.05', (100 - 100 / (1 + margin / 100)).toPrecision(3), ...confidences];
    const known = [...levels, String((findings.conditions?.memory_bytes ?? 0) / 2 ** 30)];
    const numbers = paragraph(findings)
      .replace(/ \[\d+\]/g, '')
      .replace(/over (\d+) comparisons|of (\d+) variants|(\d+) variants/g, '')
      .match(/\d[\d,]*(?:\.\d+)?/g);
    expect(
      (numbers ?? []).filter((number) => !known.includes(number) && !json.includes(number.replace(/,/g, ''))),
    ).toEqual([]);
  });

  it.each([
    ['measured', 'was measured with the meter watts-up-pro', /model|emulat|report/],
    ['modelled', 'was not measured but estimated by a model (estimate)', /was measured|emulat/],
    ['emulated', 'was not measured: an emulated meter', /was measured|estimated/],
    ['unknown', 'were read from a file; how they were measured is not known', /was measured|model|emulat/],
  ] as const)('of %s energies cannot be taken for another', (source, words, others) => {
    const reported = paragraph(syntheticAnalysis({ source }).findings);
    expect(reported).toContain(words);
    expect(reported).not.toMatch(others);
  });

  it.each([
    'measured',
    'modelled',
    'emulated',
  ] as const)('of %s runs from a file claims nothing that it lacks', (source) => {
    const { findings } = syntheticAnalysis({ source });
    const variants = findings.variants.map((variant) => ({ ...variant, executions_per_run: 4 }));
    const text = paragraph({ ...findings, variants, meter: { ...findings.meter, type: 'unknown' } });
    expect(text).not.toMatch(/unknown|planned|while its command ran/);
    expect(text).toContain('A run holds 4 executions, and all amounts are per execution.');
    expect(text).toContain('analyzed the runs.');
  });

  it('gives the confidence that all intervals have, or the lowest and the highest', () => {
    const at = (...confidences: number[]) =>
      paragraph({
        ...measured,
        comparisons: confidences.map((confidence) => {
          const [first] = measured.comparisons;
          return { ...first!, percent: { ...first!.percent, confidence } };
        }),
      });
    expect(at(0.9576, 0.9576)).toContain('; the interval’s confidence is 95.76 %.');
    expect(at(0.9976, 0.9576)).toContain('; the interval’s confidence is 95.76 to 99.76 %.');
  });

  it('says that each block ran the baseline once more, if the noise was measured within the experiment', () => {
    const noiseFloor = { percent: 0.4, ci95: [-0.2, 0.4], blocks: 37, source: 'inline', measured_at: null } as const;
    const inline = { ...odd, quality: { ...odd.quality, noise_floor: noiseFloor } };
    expect(paragraph(inline)).toContain('ran every variant once and the baseline once more, in an order');
    expect(paragraph(odd)).not.toContain('once more');
  });

  it('says where a program reported the energy, and that processors were emulated', () => {
    const reported = { ...measured, meter: { ...measured.meter, type: 'command' } };
    expect(paragraph(reported)).toContain('was reported by a program (command)');
    expect(paragraph(reported)).not.toContain('was measured');
    const emulation = { name: 'emulation', state: 'fail', reason: 'tcg', facts: { variants: ['container'] } } as const;
    const guest = { ...measured, quality: { ...measured.quality, checks: [emulation] } };
    expect(paragraph(guest)).toContain('The processors of container were emulated.');
  });

  it('cites what decides, each work once and in order', () => {
    const text = methodsPlain(all.gates!.findings);
    const cited = [...text.split('\n')[0]!.matchAll(/\[(\d+)\]/g)].map(([, number]) => number);
    const listed = [...text.matchAll(/^\[(\d+)\] /gm)].map(([, number]) => number);
    expect(cited).toEqual(listed);
    expect(text).toContain('Holm’s method over 11 comparisons');
    expect(methodsPlain(measured)).not.toContain('Holm');
    // With Holm's method, the 95 % interval of an equivalent variant need not contain zero.
    expect(text).toContain('equivalent where the 90 % interval lies there and no change is shown');
    expect(methodsPlain(all.bare!.findings)).toContain('H. B. Mann and D. R. Whitney');
  });

  it('tells of interim analyses, and of what makes the result doubtful', () => {
    const looks: NonNullable<Findings['experiment']['looks']> = {
      planned: [10, 12, 14],
      used: 2,
      nominal_p: [0.01, 0.02, 0.03],
      spending: 'pocock',
      p: [0.5, 0.001],
      stopped_at: 12,
      stopped_because: 'settled',
    };
    const experiment = { ...odd.experiment, looks, repetitions_planned: 14, repetitions_completed: 12 };
    const failed = { ...odd, experiment, quality: { ...odd.quality, checks: [checkNaming('native', 'fail')] } };
    expect(paragraph(failed)).toContain('Each of 12 blocks ran every variant once');
    expect(paragraph(failed)).toContain(
      'Of at most 14 blocks, interim analyses after 10 and 12 blocks could end the experiment, with error spending of Pocock type',
    );
    expect(paragraph(failed)).toContain('it ended after 12, because every comparison was settled.');
    // The last analysis is no interim one.
    const alone = { ...experiment, looks: { ...looks, planned: [14] }, repetitions_completed: 14 };
    expect(paragraph({ ...failed, experiment: alone })).not.toContain('interim');
    const aimed = {
      ...experiment,
      complete: false,
      looks: { ...looks, want_percent: 5, stopped_at: null, stopped_because: null },
    };
    expect(paragraph({ ...failed, experiment: aimed })).toMatch(
      /could end the experiment once the interval was within ±5 %, .*; it ended after 12\. The experiment was stopped before its plan was completed\./,
    );
    expect(resultsLatex({ ...failed, experiment: aimed })).toContain('partial experiment');
    const warned = { ...odd, quality: { ...odd.quality, checks: [checkNaming('native', 'warn')] } };
    expect(paragraph(warned)).toContain('The check “second arm” raised a warning.');
    expect(paragraph(failed)).toContain("The result can't be trusted: the check “second arm” failed.");
  });

  it('stands in the report, to copy, with the tables', () => {
    const page = visible(reportHtml(syntheticAnalysis()));
    expect(page).toContain('How to describe this measurement in a paper');
    expect(page).toContain(paragraph(measured));
    expect(page).toContain('\\toprule');
  });
});

describe('the tables for a paper', () => {
  it('have the numbers of the findings, and say where they come from', () => {
    const [changes, variants] = paperTables(odd);
    expect(changes!.label).toBe(
      'Change in energy against native (measured). It is the Hodges–Lehmann estimate, not the ratio of the means.',
    );
    const { mean_energy_j: mean } = odd.comparisons[0]!;
    expect(changes!.rows[0]!.cells.slice(1, 3)).toEqual([
      `${mean.variant!.toFixed(1)} J`,
      `${mean.baseline!.toFixed(1)} J`,
    ]);
    expect(variants!.rows).toHaveLength(2);
    expect(paperTables(syntheticAnalysis({ source: 'emulated' }).findings)[0]!.label).toContain('not a measurement');
    expect(paperTables(all.nothing!.findings)).toEqual([]);
  });
});

it('a table for a paper says where an interval is not one of 95 %', () => {
  const { findings } = syntheticAnalysis();
  const few = findings.comparisons.map((c) => ({ ...c, percent: { ...c.percent, confidence: 0.875 } }));
  expect(resultsLatex({ ...findings, comparisons: few })).toContain('at 87.5');
  expect(resultsLatex(findings)).not.toContain('at 9');
});

it('a table for a paper says which intervals of a suite allow for its selection', () => {
  const { findings } = suiteAnalysis(4, 12);
  expect(paperTables(findings)[0]!.label).toContain(
    'Intervals of found changes are wider, to allow for their selection.',
  );
  expect(paperTables(measured)[0]!.label).not.toContain('selection');
});

it('the p of several comparisons is named as adjusted, in table and paragraph, and that of one is not', () => {
  const heads = (findings: Findings) => paperTables(findings)[0]!.columns.map(({ head }) => head);
  expect(heads(all.gates!.findings)).toContain('p (Holm)');
  expect(paragraph(all.gates!.findings)).toContain('whose p we give, adjusted by Holm’s method; the interval');
  expect(heads(measured)).toContain('p');
  expect(paragraph(measured)).toContain('whose p we give; the interval');
  const few = measured.comparisons.map((c) => ({ ...c, p_holm: 0.04 }));
  const look = {
    number: 1,
    of: 2,
    most_blocks: 40,
    nominal_p: 0.012,
    repeated_p: 0.03,
    stopped_because: null,
  } as const;
  const early = { ...measured, comparisons: few.map((c) => ({ ...c, look })) };
  const later = { ...few[0]!, look: { ...look, nominal_p: 0.03 } };
  expect(paragraph({ ...early, comparisons: [...early.comparisons, later] })).not.toContain('a change needed');
  expect(paragraph(early)).toContain('adjusted by Holm’s method; a change needed an unadjusted p ≤ 0.012 at that');
});
