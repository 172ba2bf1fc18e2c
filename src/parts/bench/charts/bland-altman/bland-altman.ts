import type { ChartConfiguration, Plugin } from 'chart.js';
import { drawLines } from '../../../../report/charts/canvas/pen.ts';
import { seriesStyle, type Theme } from '../../../../report/charts/canvas/theme.ts';
import type { ChartSpec } from '../../../../report/charts/chart.ts';
import { axisAround, computeExtent, linearScale, startNotes } from '../../../../report/charts/parts/axis.ts';
import { makeFrame } from '../../../../report/charts/parts/frame.ts';
import { pointsDataset } from '../../../../report/charts/parts/points.ts';
import { short } from '../../../../text/numbers.ts';
import { plain } from '../../../../text/plain.ts';
import type { MeterComparison } from '../../tools/compare.ts';

/** Limits of agreement in standard deviations: 95 % of normal differences lie within them. */
const LIMITS = 1.96;

/** Bland–Altman plot: difference of two meters against their mean, with the bias and the limits of agreement. */
export function blandAltmanChart(
  { windows, agreement: { biasW, sdW }, windowS }: MeterComparison,
  { first, better, subtitle }: { readonly first: string; readonly better: string; readonly subtitle: string },
  theme: Theme,
): ChartSpec {
  const levels = [biasW - LIMITS * sdW, biasW, biasW + LIMITS * sdW];
  const points = windows.map(({ readW, betterW }) => ({ x: (readW + betterW) / 2, y: readW - betterW }));
  const x = axisAround(...computeExtent(points.map((point) => point.x)));
  const y = axisAround(...computeExtent([...points.map((point) => point.y), ...levels, 0]));
  const what = 'two meters on one load';
  const caption =
    `Each point is a mean of ${short(windowS)} s after both had settled. Solid: the mean difference, ${short(biasW, 2)} W; dashed: 95 % of the differences lie ` +
    `between ${short(levels[0] as number, 2)} W and ${short(levels[2] as number, 2)} W where they are normal. ${startNotes([x, 'power axis'], [y, 'difference axis'])}`;
  const title = `${plain(first, 60)} against ${plain(better, 60)}: ${what}`;
  const frame = makeFrame({ title, what, subtitle, warning: null, caption: caption.trimEnd() }, theme);
  const config: ChartConfiguration<'scatter'> = {
    type: 'scatter',
    data: { datasets: [pointsDataset(points, seriesStyle(0), theme)] },
    options: {
      layout: { padding: { top: frame.top, bottom: frame.bottom, left: 12, right: 24 } },
      scales: {
        x: linearScale(x, 'Mean of both meters (W)', theme),
        y: linearScale(y, 'Difference (W)', theme),
      },
    },
    plugins: [frame.plugin, across(levels, theme)],
  };
  return {
    id: 'bland-altman',
    ...frame.spec,
    description: `${windows.length} differences, mean ${short(biasW, 2)} W, standard deviation ${short(sdW, 2)} W`,
    height: frame.top + frame.bottom + 340,
    config: config as ChartConfiguration,
  };
}

function across([low = 0, middle = 0, high = 0]: readonly number[], theme: Theme): Plugin {
  return {
    id: 'agreement',
    afterDatasetsDraw({ ctx, chartArea, scales }) {
      const at = (watts: number) => {
        const y = scales.y?.getPixelForValue(watts) ?? 0;
        return [[chartArea.left, y] as const, [chartArea.right, y] as const];
      };
      drawLines(ctx, [at(middle)], { color: theme.ink, width: 1.5 });
      drawLines(ctx, [at(low), at(high)], { color: theme.ink, width: 1, dash: [6, 4] });
    },
  };
}
