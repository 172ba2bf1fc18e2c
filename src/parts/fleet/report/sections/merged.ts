import type { Merged } from '../../../../findings/merged.ts';
import type { Interval } from '../../../../findings/numbers.ts';
import { alert, details, list, note, type Part, paragraph, table } from '../../../../report/document/blocks.ts';
import { name, type Span } from '../../../../report/document/text.ts';
import { forestPlot } from '../../../../report/sections/forest-plot.ts';
import { fixed, percentWithInterval } from '../../../../text/numbers.ts';
import {
  differsWords,
  heterogeneityWords,
  intervalOf,
  leftOutWords,
  machinesWords,
  percentOf,
  pooledWords,
} from '../words/merged.ts';

/** A line of the forest. */
interface Line {
  readonly head: Span;
  readonly label: string;
  readonly estimate: number | null;
  readonly interval: Interval;
  readonly weight: number | null;
  readonly meter: string | null;
}

/** One comparison on several machines: in words, as a table, as a forest, and without each of them. */
export function mergedSection(merged: Merged, { width, isFolded }: { width?: number; isFolded: boolean }): Part {
  const differs = differsWords(merged);
  const lines = linesOf(merged);
  const numbers: Part = [
    table('Machines', lines, [
      { head: merged.by === 'machine' ? 'Machine' : 'Result', cell: ({ head }) => head },
      { head: 'Change in % (95 % CI)', numeric: true, cell: changeOf },
      { head: 'Weight', numeric: true, cell: ({ weight }) => (weight === null ? null : `${fixed(100 * weight, 1)} %`) },
      merged.differs.includes('meter') && { head: 'Meter', cell: ({ meter }) => (meter === null ? null : name(meter)) },
    ]),
    withoutEach(merged),
  ];
  return [
    paragraph(...machinesWords(merged), ` ${pooledWords(merged)}`),
    differs === null ? null : alert('warning', paragraph(differs)),
    { kind: 'code', language: 'text', lines: forestPlot(lines, width) },
    paragraph(heterogeneityWords(merged)),
    merged.left_out.length === 0 ? null : list(merged.left_out.map(leftOutWords)),
    isFolded ? details([`The numbers of each ${merged.by}`], numbers) : numbers,
    note(METHOD),
  ];
}

const METHOD =
  'Random effects by restricted maximum likelihood, interval by Hartung and Knapp with a floor; each row is a study, by the mean of its blocks’ log ratios.';

function linesOf({ machines, pooled, by }: Merged): Line[] {
  const measured = machines.map(({ name: label, percent, ci95, weight, meter }) => ({
    head: name(label),
    label,
    estimate: percentOf(percent),
    interval: intervalOf(ci95),
    weight,
    meter,
  }));
  const together = { estimate: percentOf(pooled.percent), interval: intervalOf(pooled.ci95) };
  const all = { head: { strong: ['All'] }, label: 'All', ...together, weight: null, meter: null };
  return [...measured, all, ...(machines.length === 2 || by === 'result' ? [] : [nextOf(pooled)])];
}

function nextOf({ percent, prediction95 }: Merged['pooled']): Line {
  const label = 'One not yet tried';
  return {
    head: label,
    label,
    estimate: percentOf(percent),
    interval: intervalOf(prediction95),
    weight: null,
    meter: null,
  };
}

const changeOf = ({ estimate, interval }: Pick<Line, 'estimate' | 'interval'>): string =>
  percentWithInterval(estimate, interval);

function withoutEach({ leave_one_out: left }: Merged): Part {
  if (left.length === 0) return null;
  return table('Without one machine each', left, [
    { head: 'Without', cell: ({ without }) => name(without) },
    {
      head: 'Change in % (95 % CI)',
      numeric: true,
      cell: ({ percent, ci95 }) => percentWithInterval(percentOf(percent), intervalOf(ci95)),
    },
  ]);
}
