// Class: unit.
import { expect, it } from '@jest/globals';
import { trendChart } from '../../../../../src/parts/fleet/history/page/chart.ts';
import { historyHtml } from '../../../../../src/parts/fleet/history/page/page.ts';
import { unitFor } from '../../../../../src/parts/fleet/history/page/view.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { renderSvg } from '../../../../../src/report/charts/canvas/svg.ts';
import { page, seriesStyle } from '../../../../../src/report/charts/canvas/theme.ts';
import { failed, line } from '../records.ts';

const VIEW = { variants: null, latest: null, unit: 'joules' } as const;
const experiments = line({ count: 20 }).map((record, i) =>
  i === 7 ? failed(record, 'native', 'container') : i === 15 ? failed(record, 'container') : record,
);

/** Centers of the crosses that are drawn in this color, left to right: two strokes of opposite slope through one place. */
function crosses(svg: string, color: string): (readonly [x: number, y: number])[] {
  const paths = [...svg.matchAll(/<path [^>]*>/g)]
    .map(([tag]) => tag)
    .filter((tag) => tag.includes(`stroke="${color}"`));
  return paths.flatMap((tag) => {
    const path = /\sd="([^"]*)"/.exec(tag)?.[1] ?? '';
    const numbers = [...path.matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => Number(number));
    const strokes = Array.from({ length: Math.floor(numbers.length / 4) }, (_, i) => numbers.slice(4 * i, 4 * i + 4));
    const middle = ([x = 0, y = 0, x2 = 0, y2 = 0]: number[]) => [(x + x2) / 2, (y + y2) / 2] as const;
    return strokes.flatMap((stroke, i) => {
      const before = strokes[i - 1];
      const isCross = i % 2 === 1 && before !== undefined && `${middle(before)}` === `${middle(stroke)}`;
      return isCross ? [middle(stroke)] : [];
    });
  });
}

function drawn(measure: 'differences' | 'energies', latest: number | null = null) {
  const [series] = trendOf(experiments);
  const spec = trendChart('x', series!, measure, { ...VIEW, latest }, page);
  const svg = renderSvg(spec!, page);
  const byLine = [0, 1].map((i) => crosses(svg, seriesStyle(i).color));
  return { byLine, spec: spec! };
}

it('a failure is a cross above the axis at its experiment, in the color of its variant', () => {
  const { byLine, spec } = drawn('energies');
  const [container, native] = byLine[0]!.length === 2 ? byLine : byLine.toReversed();
  expect([container!.length, native!.length]).toEqual([2, 1]);
  // The same experiment: one above the other.
  expect(new Set([container![0]![0], native![0]![0]]).size).toBe(1);
  expect(Math.abs(container![0]![1] - native![0]![1])).toBeGreaterThan(8);
  // Eight experiments lie between both failures, of nineteen between the first and the last.
  const { width, height } = spec;
  expect((container![1]![0] - container![0]![0]) / width).toBeGreaterThan((8 / 20) * 0.6);
  expect(container![0]![1]).toBeGreaterThan(height / 2);
  expect(spec.description).toMatch(/container: latest [^.]*\.\d+ J, [^.]*, 2 failures/);
});

it('a difference has one where either side failed, and none before the first experiment that is shown', () => {
  expect(drawn('differences').byLine.flat()).toHaveLength(2);
  expect(drawn('energies', 10).byLine.flat()).toHaveLength(1);
});

it('the page explains the crosses, has them in its table, and shows no place where everything failed', () => {
  const html = historyHtml(trendOf(experiments));
  expect(html).toContain('A cross above the axis');
  expect(html).toMatch(/<td[^>]*>failed<\/td>/);
  expect(unitFor(trendOf(experiments)[0]!)).toBe('joules');
  expect(historyHtml(trendOf(line({ count: 3 })))).not.toContain('A cross above the axis');
  expect(trendOf(line({ count: 2 }).map((record) => failed(record, 'native')))).toEqual([]);
});

it('dates are those of the measurements, whose first and last may stand anywhere after a backfill', () => {
  // The first experiment is of the oldest commit, which was measured last, minutes after the second.
  const measured = ['2026-02-01T08:10:00Z', '2026-02-01T08:00:00Z', '2026-01-05T08:00:00Z', '2026-01-20T08:00:00Z'];
  const records = line({ count: 4 }).map((record, i) => {
    return { ...record, started_at: measured[i]!, committed_at: record.started_at };
  });
  const [, span] = /<p>4 experiments on one machine and meter, ([^<]*)<\/p>/.exec(historyHtml(trendOf(records)))!;
  expect(span).toBe('2026-01-05 to 2026-02-01.');
  const [series] = trendOf(records);
  const axisOf = (from: readonly string[]) => {
    const spec = trendChart('x', { ...series!, startedAt: [...from] }, 'energies', VIEW, page);
    const ticks = spec!.config.options!.scales!.x!.ticks!.callback as (value: number) => string[];
    return [0, 1].map((at) => ticks(at)[1]);
  };
  expect(axisOf(measured)).toEqual(['02-01 08:10', '02-01 08:00']);
  const weeksApart = ['2026-03-01', '2026-02-01', '2026-01-05', '2025-01-20'].map((day) => `${day}T08:00:00Z`);
  expect(axisOf(weeksApart)).toEqual(['2026-03-01', '2026-02-01']);
});

it('the axis says by what the experiments are ordered: older commits may have been measured later', () => {
  const [series] = trendOf(experiments);
  const title = (startedAt: readonly string[]) => {
    const { config } = trendChart('x', { ...series!, startedAt }, 'energies', VIEW, page)!;
    return JSON.stringify(config.options?.scales?.x);
  };
  expect(title(series!.startedAt)).toContain('in the order in which they were measured');
  expect(title(series!.startedAt.toReversed())).toContain('in the order of their commits');
});
