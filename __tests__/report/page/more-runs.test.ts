// Class: unit.
import { expect, it } from '@jest/globals';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

// Its types are those of a browser, which tests don't have.
const MODULE: string = '../../../src/report/page/more-runs.ts';

it('counts lines, since a run has one for each channel', async () => {
  const button = { addEventListener: () => {}, setAttribute: () => {}, append: () => {}, textContent: '' };
  Object.assign(globalThis, { document: { createElement: () => button } });
  const { runs } = syntheticAnalysis();
  const lines = ['wall', 'cpu'].flatMap((channel) => runs.map((run) => ({ ...run, channel })));
  const body = { rows: { length: lines.length - 10 }, closest: () => null };
  const section = { querySelector: (what: string) => (what === 'tbody' ? body : null) };
  const { moreRuns } = await import(MODULE);
  moreRuns(section, lines);
  expect(button.textContent).toBe('Show 10 more of 10 lines left');
});
