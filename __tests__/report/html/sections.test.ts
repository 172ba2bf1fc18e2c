// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { chartSpec } from '../../../src/report/charts/charts.ts';
import { drawCharts } from '../../../src/report/charts/draw.ts';
import { renderHtml } from '../../../src/report/document/html.ts';
import { chartSections } from '../../../src/report/html/sections.ts';
import { syntheticAnalysis } from '../synthetic/analysis.ts';

describe('charts of the page', () => {
  it('lose one that can’t be drawn, say so in its place, and keep the others', () => {
    const analysis = syntheticAnalysis();
    const whole = chartSections(analysis);
    const sections = chartSections(analysis, (data, theme) =>
      drawCharts(data, theme, (id, ...rest) => {
        if (id === 'energy-violin') throw new RangeError('no <place>');
        return chartSpec(id, ...rest);
      }),
    );
    expect(sections.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
    const failed = renderHtml(sections.filter(({ id }) => id === 'energy-violin'));
    expect(failed).toContain('Energy violin');
    expect(failed).toContain('This chart could not be drawn (<code>no &lt;place&gt;</code>).');
    expect(failed).not.toContain('<figure');
    expect(sections.filter(({ id }) => id !== 'energy-violin')).toEqual(
      whole.filter(({ id }) => id !== 'energy-violin'),
    );
  });
});
