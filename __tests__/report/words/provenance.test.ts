// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { analyzeStore } from '../../../src/analysis/analyze.ts';
import { commentMarkdown } from '../../../src/report/comment.ts';
import { findingsJson } from '../../../src/report/findings-json.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { summaryMarkdown } from '../../../src/report/summary.ts';
import { terminalReport } from '../../../src/report/terminal.ts';
import { blocksText } from '../../../src/report/words/provenance.ts';
import { withSimulatedStore } from '../../analysis/simulated-store.ts';
import { wallMeter } from '../../store/fixtures.ts';
import { render, visible } from '../render.ts';

const blocks = Array.from({ length: 8 }, (_, i) => [
  { variant: 'native', lengthS: 31 + (i % 3), loadW: 65 },
  { variant: 'container', lengthS: 33 + (i % 2), loadW: 64 + (i % 3) },
]);
const [channel] = wallMeter.channels;
const model = {
  ...wallMeter,
  type: 'estimate',
  source: 'modelled' as const,
  channels: [{ ...channel!, channel: 'estimate' }],
};
const analyzed = (meters: readonly (typeof wallMeter)[]) => withSimulatedStore({ blocks, meters }, analyzeStore);

const texts = (analysis: ReturnType<typeof analyzed>): string[] =>
  [
    visible(render(commentMarkdown(analysis.findings))),
    visible(render(summaryMarkdown(analysis.findings, analysis.runs))),
    terminalReport(analysis, { color: false }),
    visible(reportHtml(analysis).replace(/<script.*<\/script>/s, '')),
  ].map((text) => text.replace(/[\s\u00a0\u2060]+/g, ' '));

it('says that no block is whole, not that none of many is', () => {
  const { findings } = analyzed([wallMeter]);
  const stopped = { ...findings.experiment, repetitions_completed: 0, complete: false };
  expect(blocksText({ ...findings, experiment: stopped })).toBe('no whole randomized block');
});

describe('a model beside an instrument', () => {
  const analysis = analyzed([wallMeter, model]);

  it('is told from it wherever its numbers stand', () => {
    expect(analysis.findings.meter).toMatchObject({ source: 'measured', channel_sources: { estimate: 'modelled' } });
    for (const text of texts(analysis)) {
      expect(text).toMatch(/estimate (\(|is )estimated by a model, not measured/);
      expect(text).not.toMatch(/wall (\(|is )estimated/);
    }
    expect(JSON.parse(findingsJson(analysis.findings)).meter.channel_sources).toEqual({ estimate: 'modelled' });
  });

  it('has columns of its own name among the statistics', () => {
    expect(texts(analysis)[1]).toMatch(/Statistic container \[wall\] container \[estimate\]/);
  });
});

describe('an instrument beside another', () => {
  it('is not marked', () => {
    const second = { ...wallMeter, channels: [{ ...channel!, channel: 'plug' }] };
    const analysis = analyzed([wallMeter, second]);
    expect(analysis.findings.meter).not.toHaveProperty('channel_sources');
    for (const text of texts(analysis)) expect(text).not.toMatch(/not measured \)|estimated by a model|undefined/);
  });
});

describe('executions in a run', () => {
  const batched = (executions: number) => {
    const simulated = blocks.map((runs) => runs.map((run) => ({ ...run, executions })));
    return texts(withSimulatedStore({ blocks: simulated }, analyzeStore));
  };

  it('are said where energies are those of several', () => {
    for (const text of batched(27_870).slice(0, 3))
      expect(text).toContain(' · 27,870 executions of the command in each run, all numbers per execution · ');
  });

  it('are left out where a run is one', () => {
    for (const text of batched(1)) expect(text).not.toMatch(/executions of the command in each run/);
  });
});
