import type { Analysis } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import { lowestInside } from '../../../stats/log-ratio.ts';
import { short, significant } from '../../../text/numbers.ts';
import { plain, plural } from '../../../text/plain.ts';
import { byInterest, getStanding, isChanged, primaryComparisons, type Standing, shownAs } from '../../verdict.ts';
import { changeText, verdictMark, verdictWord } from '../../words/change.ts';
import { variantLabels } from '../canvas/font.ts';
import { seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { fromBaseline, notDrawn } from '../parts/variant-runs.ts';
import { type Band, bandsRoom, zeroAndBands } from './bands.ts';
import { type DotRow, dotRowsChart, rowsExtent } from './dot-rows.ts';

const MAX = 40;
/** Maximum width of a band, in multiples of the data's range. */
const MAX_ROOM = 20;

/** The comparisons on the primary channel: change in percent with its interval, margin and noise floor. `null` without a change to show. */
export function forestChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const comparisons = byInterest(primaryComparisons(findings)).filter((c) => c.percent.estimate !== null);
  if (comparisons.length === 0) return null;
  const drawn = comparisons.slice(0, MAX);
  const rows = rowsOf(analysis, drawn);
  const bands = chartBands(analysis, rows);
  const caption =
    `Point: Hodges–Lehmann estimate of the difference${fromBaseline(drawn)}, positive where the variant used more${intervalText(drawn)}. ` +
    'A filled point means that a change is shown. ' +
    (drawn.length < comparisons.length
      ? `${MAX} of ${comparisons.length} comparisons are drawn, those that changed most. `
      : '') +
    notDrawn(
      primaryComparisons(findings).map((c) => ({ name: c.variant })),
      comparisons.map((c) => ({ name: c.variant })),
      'no change that is defined',
    );
  const [low, high] = rowsExtent(rows, 0, ...bands.flatMap((b) => (b.inAxis ? [-b.half, b.half] : [])));
  return dotRowsChart(
    {
      id: 'energy-change',
      text: frameText(findings, 'change of energy', caption.trim()),
      axis: axisAround(low, high),
      axisTitle: 'Energy of the variant minus that of the baseline (%)',
      rows,
      behind: { plugins: [zeroAndBands(bands, theme)], room: bandsRoom(bands) },
    },
    theme,
  );
}

function rowsOf(analysis: Analysis, drawn: readonly Comparison[]): DotRow[] {
  const { findings } = analysis;
  const { variants } = findings;
  const standing = (comparison: Comparison): Standing => getStanding({ findings, comparison });
  const names = [...new Set(drawn.map((c) => c.variant))];
  const labels = variantLabels(names);
  const several = new Set(drawn.map((c) => c.baseline)).size > 1;
  return drawn.map((c) => ({
    label: labels[names.indexOf(c.variant)]!,
    detail:
      (several ? `against ${plain(c.baseline, 30)}, ` : '') +
      (c.blocks === null ? `n = ${c.n_variant} and ${c.n_baseline}` : plural(c.blocks, 'block')),
    value: c.percent.estimate!,
    interval: c.percent.ci95,
    style: seriesStyle(
      Math.max(
        0,
        variants.findIndex((v) => v.name === c.variant),
      ),
    ),
    open: !isChanged(c) || standing(c) === 'untrusted',
    notes: [`${verdictMark(shownAs({ findings, comparison: c }))} ${verdictWord(standing(c))}`, changeText(c)],
  }));
}

/** Bands of the chart. One much wider than the data is clipped at the plot's edges. */
function chartBands(analysis: Analysis, rows: readonly DotRow[]): (Band & { readonly inAxis: boolean })[] {
  const { experiment, quality } = analysis.findings;
  const [low, high] = rowsExtent(rows, 0);
  const most = Math.max(-low, high);
  const margin = experiment.margin_percent;
  const floor = quality.noise_floor_percent ?? 0;
  const bands: Band[] = [
    { half: margin, low: lowestInside(margin), text: `margin ±${short(margin)} %`, kind: 'filled' },
    { half: floor, text: `noise floor ±${significant(floor, 2)} %`, kind: 'lined' },
  ];
  return bands
    .filter(({ half }) => half > 0)
    .map((band) => ({ ...band, inAxis: most === 0 || band.half <= MAX_ROOM * most }));
}

/** Note on intervals: few blocks reach less than 95 %; one block, or equal runs, give no interval. */
function intervalText(drawn: readonly Comparison[]): string {
  if (drawn.every((c) => c.percent.ci95 === null)) return '';
  const isLow = drawn.some((c) => c.percent.confidence !== null && c.percent.confidence < 0.95);
  return `; line: its 95 % interval${isLow ? ', at less confidence where its row says so' : ''}`;
}
