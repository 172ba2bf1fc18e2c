// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { renderSvg } from '../../../../src/report/charts/canvas/svg.ts';
import { paper, seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { chartSpec } from '../../../../src/report/charts/charts.ts';
import { fourVariants } from '../../synthetic/factorial.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { boxes } from '../boxes.ts';

const PHONE = 358;
const variants = fourVariants();

/** Every point of what is drawn in a variant's color below its name: its line and its band, without the sample of the line beside the name. */
function curve(svg: string, color: string): { x: number; y: number }[] {
  return [...svg.matchAll(/<path d="([^"]*)"([^>]*)>/g)]
    .filter(([, path = '', style = '']) => style.includes(color) && path.length > 60)
    .flatMap(([, path = '']) =>
      [...path.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) })),
    );
}

describe('names of panels on a phone', () => {
  it.each([4, 6])('stand above the curves of %i variants', (count) => {
    const many = Array.from({ length: count }, (_, i) => ({ ...variants[i % 4]!, name: `image-${i}` }));
    const spec = chartSpec('power-over-time', richAnalysis({ variants: many }), { ...paper, width: PHONE })!;
    const svg = renderSvg(spec, paper);
    const drawn = boxes(svg).filter(({ text }) => /^image-\d$/.test(text));
    expect(drawn.length).toBeGreaterThanOrEqual(4);
    for (const { text, bottom } of drawn) {
      const points = curve(svg, seriesStyle(Number(text.at(-1))).color);
      expect(points.length).toBeGreaterThan(20);
      expect([text, Math.min(...points.map(({ y }) => y)) > bottom]).toEqual([text, true]);
    }
  });
});
