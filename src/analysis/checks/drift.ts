import type { Check } from '../../findings/checks.ts';
import { fixed, pText } from '../numbers.ts';
import { type CheckedRuns, machineSeries } from './checked-runs.ts';
import { direction, FALSE_ALARMS, lamp, size } from './lamp.ts';
import { serialDependence } from './serial.ts';

/**
 * Drift of the machine, whatever ran on it: arm-centred ln E in the order of the runs. Comparing inside blocks takes it out of the
 * difference, so that with blocks it is told, and without blocks it is a warning.
 */
export function machineDrift({ good, differences }: CheckedRuns): Check[] {
  const name = 'drift';
  const seen = serialDependence(machineSeries(good), FALSE_ALARMS);
  if (seen === null) return [];
  const blocked = differences !== null;
  const cure = blocked ? ' Comparing inside blocks takes it out of the difference.' : '';
  const words = seen.trends
    ? [
        `The machine drifted: its runs ${direction(seen.change)} by ${size(seen.change)} from the first to the last (Mann–Kendall ${pText(seen.trendP)}).${cure}`,
      ]
    : seen.correlated
      ? [`Neighbouring runs are alike, whatever ran (lag-1 correlation ${fixed(seen.lag1, 2)}).${cure}`]
      : [];
  const advice = blocked
    ? 'A longer warm-up or rest would make the interval narrower.'
    : 'Run the variants in randomized blocks: without them drift is part of the difference.';
  return [lamp(words, { name, dark: 'No drift of the machine to be seen.', advice, state: blocked ? 'ok' : 'warn' })];
}

/** Drift that blocks did not absorb: the differences themselves change with time, or depend on the one before. */
export function differenceDrift({ baseline, differences }: CheckedRuns): Check[] {
  if (differences === null) return [];
  const looked = differences.map(({ variant, blocks }) => {
    const alpha = FALSE_ALARMS / differences.length;
    const values = blocks.map(({ d }) => d);
    return { variant, seen: serialDependence(values, alpha) };
  });
  if (looked.every(({ seen }) => seen === null)) return [];
  const words = looked.flatMap(({ variant, seen }) => {
    if (seen?.trends) {
      return [
        `The difference between ${variant} and ${baseline} ${direction(seen.change)} by ${size(seen.change)} during the experiment (Mann–Kendall ${pText(seen.trendP)}).`,
      ];
    }
    if (!seen?.correlated) return [];
    return [
      `The differences between ${variant} and ${baseline} depend on the block before (lag-1 correlation ${fixed(seen.lag1, 2)}).`,
    ];
  });
  return [
    lamp(words, {
      name: 'drift of the difference',
      dark: 'No drift of the difference to be seen.',
      advice:
        'The blocks did not absorb all of what changed. That something differs can still be trusted, by the random order; how much, less. Measure again, on a quieter machine or after a longer warm-up.',
    }),
  ];
}
