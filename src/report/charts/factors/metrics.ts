import type { Analysis } from '../../../analysis/results.ts';
import type { Findings } from '../../../findings/findings.ts';
import { plain } from '../../../text/plain.ts';
import type { Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { startNote } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { type Combinations, factorCombinations } from './combinations.ts';
import { byFactors, captionOf } from './factors.ts';
import { drawnPanels, factorsPicture, LONGEST_LEVEL, MAX_ACROSS } from './picture.ts';

const MAX_METRICS = 6;

/**
 * What the workload printed, a panel for each metric: over the levels of one factor of a matrix with a line for each level of another, else over the
 * variants. `null` without metrics.
 */
export function metricsChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const metrics = printedMetrics(findings);
  const found = metrics.flatMap(({ name, unit }) => {
    const values = factorCombinations(analysis, ({ metrics: printed }) => printed?.[name] ?? null);
    const title = `${plain(name, LONGEST_LEVEL)} (${plain(unit, LONGEST_LEVEL)})`;
    return [{ values: values ?? overVariants(analysis, name), isMatrix: values !== null, title, unit }];
  });
  const isMatrix = found.some((panel) => panel.isMatrix);
  // Panels share one x axis, so metrics over factors and metrics over variants can’t stand above each other.
  const panels = drawnPanels(found.filter((panel) => panel.isMatrix === isMatrix).slice(0, MAX_METRICS));
  const [first] = panels;
  if (first === undefined) return null;
  const { values } = first;
  const many = values.across.levels.length > MAX_ACROSS ? `The first ${MAX_ACROSS} variants are drawn. ` : '';
  const left = metrics.length > panels.length ? `${panels.length} of ${metrics.length} metrics are drawn. ` : '';
  const how = isMatrix
    ? captionOf(values, 'mean')
    : `Point: mean of the runs that printed it, with its 95 % interval. ${many}`;
  const caption = how + left + (panels.length === 1 ? startNote(first.axis, 'axis') : 'The axes need not start at 0.');
  const what = `what the workload printed ${isMatrix ? byFactors(values) : 'by variant'}`;
  return factorsPicture('printed-metrics', frameText(findings, what, caption, 'workload'), panels, theme);
}

/** Each metric that a variant has, in the order of the experiment. */
export function printedMetrics({ variants }: Findings): { readonly name: string; readonly unit: string }[] {
  const all = variants.flatMap(({ metrics = [] }) => metrics.map(({ name, unit }) => [name, unit] as const));
  return [...new Map(all)].map(([name, unit]) => ({ name, unit }));
}

function overVariants({ findings: { variants } }: Analysis, metric: string): Combinations {
  const summaryAt = (place: number) => variants[place]?.metrics?.find(({ name }) => name === metric)?.value ?? null;
  return {
    across: { name: 'Variant', levels: variants.map(({ name }) => name) },
    lines: { name: '', levels: [''] },
    averaged: 0,
    others: 0,
    blocks: 0,
    summaries: variants.map((_, place) => [summaryAt(place)]),
  };
}
