import type { Plugin } from 'chart.js';
import { fixed } from '../../text/numbers.ts';
import type { CountClass } from './count-classes.ts';
import { fontOf } from './font.ts';
import { isNarrow } from './frame.ts';
import { fontCss, SIZE, type Theme } from './theme.ts';

const SWATCH = 22;
/** Pixels above the plot that the legend needs. */
export function legendRoom(theme: Theme): number {
  return isNarrow(theme) ? 60 : 42;
}

export interface ColouredClass extends CountClass {
  readonly colour: string;
}

/** The colours with the counts that they stand for, above the plot. */
export function countLegend(classes: readonly ColouredClass[], title: string, theme: Theme): Plugin {
  const texts = classes.map(({ from, to }) => (from === to ? fixed(from, 0) : `${fixed(from, 0)}–${fixed(to, 0)}`));
  const step = Math.max(SWATCH, ...texts.map((t) => fontOf('regular').width(t, SIZE.small) + 10));
  return {
    id: 'count-legend',
    afterDraw: ({ ctx, chartArea }) => {
      const narrow = isNarrow(theme);
      const y = chartArea.top - legendRoom(theme) + (narrow ? 22 : 4);
      ctx.save();
      ctx.font = fontCss(SIZE.small);
      ctx.textBaseline = 'middle';
      ctx.textAlign = 'left';
      ctx.fillStyle = theme.muted;
      ctx.fillText(title, chartArea.left, narrow ? y - 12 : y + 6);
      const start = chartArea.left + (narrow ? 0 : fontOf('regular').width(title, SIZE.small) + 12);
      ctx.textAlign = 'center';
      for (const [i, { colour }] of classes.entries()) {
        ctx.fillStyle = colour;
        ctx.fillRect(start + i * step, y, step, 12);
        ctx.fillStyle = theme.muted;
        ctx.fillText(texts[i]!, start + (i + 0.5) * step, y + 21);
      }
      ctx.restore();
    },
  };
}
