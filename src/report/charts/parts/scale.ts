import type { ScaleOptionsByType } from 'chart.js';
import { fixed } from '../../../text/numbers.ts';
import { SIZE, type Theme } from '../canvas/theme.ts';
import type { Axis } from './axis.ts';

export type LinearOptions = Partial<ScaleOptionsByType<'linear'>>;

/** A scale of chart.js with our limits, ticks and style. */
export function linearScale(axis: Axis, title: string, theme: Theme): LinearOptions {
  const options = {
    type: 'linear',
    min: axis.min,
    max: axis.max,
    title: { display: true, text: title, color: theme.ink, font: { size: SIZE.text } },
    // chart.js starts its own ticks at `min` whenever the range is a whole number of steps, and so labels crooked numbers.
    afterBuildTicks: (scale: { ticks: { value: number }[] }) => {
      scale.ticks = axis.ticks.map((value) => ({ value }));
    },
    ticks: {
      maxRotation: 0,
      autoSkip: false,
      color: theme.muted,
      font: { size: SIZE.small },
      callback: (value: string | number) => fixed(Number(value), axis.decimals),
    },
    grid: { color: theme.grid, tickLength: 5 },
    border: { color: theme.muted },
  };
  return options as unknown as LinearOptions;
}
