import type { Analysis } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { Findings } from '../../../findings/findings.ts';
import { fixed, quantity } from '../../../text/numbers.ts';
import { plain } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import { byInterest, primaryChannel } from '../../verdict.ts';
import { changeText } from '../../words/change.ts';
import { sourcesText } from '../../words/provenance.ts';
import { variantLabels } from '../canvas/font.ts';
import { seriesStyle, type Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { axisAround } from '../parts/axis.ts';
import { frameText } from '../parts/frame.ts';
import { fromBaseline, notDrawn } from '../parts/variant-runs.ts';
import { zeroAndBands } from './bands.ts';
import { type DotRow, dotRowsChart, rowsExtent } from './dot-rows.ts';

const MAX_ROWS = 36;

/**
 * Differences to the baseline on each channel, joules. Never stacked: the wall meter's energy includes the package counter's.
 * `null` with fewer than two channels to compare.
 */
export function channelsChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const comparisons = findings.comparisons.filter((c) => c.difference.of_means !== null);
  const channels = [...new Set(comparisons.map((c) => c.channel))];
  if (channels.length < 2) return null;
  const primary = primaryChannel(findings) ?? channels[0]!;
  const pairs = byInterest(comparisons.filter((c) => c.channel === primary));
  const drawn = pairs.slice(0, Math.max(1, Math.floor(MAX_ROWS / channels.length)));
  const rows = rowsOf(analysis, drawn, primary);
  if (rows.length === 0) return null;
  const caption =
    `Difference of the mean energies of the runs${fromBaseline(comparisons)}, with Welch’s 95 % interval; at the right, below it, in percent. ` +
    `The verdict rests on ${plain(primary, 40)}. One channel may include another (the wall meter sees everything that a processor’s counter sees), so their differences do not add up. ` +
    sourcesText(findings).replace(/.$/, '$& ') +
    (drawn.length < pairs.length ? `${drawn.length} of ${pairs.length} are drawn, those that changed most. ` : '') +
    notDrawn(
      findings.comparisons.map((c) => ({ name: c.variant })),
      pairs.map((c) => ({ name: c.variant })),
      'no comparison on the channels',
    );
  return dotRowsChart(
    {
      id: 'channels',
      text: frameText(findings, 'change of energy by channel', caption.trim()),
      axis: axisAround(...rowsExtent(rows, 0)),
      axisTitle: `Energy per ${unitOfWork(findings)}, variant minus baseline (J)`,
      rows,
      behind: { plugins: [zeroAndBands([], theme)], room: 0 },
    },
    theme,
  );
}

function rowsOf({ findings }: Analysis, drawn: readonly Comparison[], primary: string): DotRow[] {
  const names = [...new Set(drawn.map((c) => c.variant))];
  const headings = variantLabels(names);
  const several = new Set(findings.comparisons.map((c) => c.baseline)).size > 1;
  return drawn.flatMap(({ variant, baseline }) => {
    const heading = headings[names.indexOf(variant)]!;
    const place = findings.variants.findIndex((v) => v.name === variant);
    const own = findings.comparisons.filter(
      (c) => c.variant === variant && c.baseline === baseline && c.difference.of_means !== null,
    );
    const labels = variantLabels(own.map((c) => c.channel));
    return own.map((c, k): DotRow => {
      const { of_means: value, welch_ci95: interval } = c.difference;
      return {
        ...(k === 0 ? { heading: several ? `${heading} against ${plain(c.baseline, 40)}` : heading } : {}),
        label: labels[k]!,
        detail: formatDetail(findings, own, c, primary),
        value: value!,
        interval,
        style: seriesStyle(Math.max(0, place)),
        open: interval === null || (interval[0] <= 0 && interval[1] >= 0),
        notes: [joules(value!), changeText(c)],
      };
    });
  });
}

function joules(value: number): string {
  return `${value > 0 ? '+' : ''}${quantity(value, 'J', 3)}`;
}

/** Detail of a channel whose numbers have another source than the verdict's: the warning above the chart is about the verdict's. */
function formatDetail({ meter }: Findings, own: readonly Comparison[], c: Comparison, primary: string): string {
  if (c.channel === primary) return `n = ${c.n_variant} and ${c.n_baseline}`;
  const { channel_sources: sources = {} } = meter;
  const source = Object.hasOwn(sources, c.channel) ? sources[c.channel]! : null;
  return [shareText(own, c, primary), source === null ? '' : SOURCES[source]].filter(Boolean).join(', ');
}

const SOURCES = { measured: 'measured', modelled: 'estimated', emulated: 'emulated' } as const;

/** This channel's contribution to the difference on the primary channel. */
function shareText(own: readonly Comparison[], { channel }: Comparison, primary: string): string {
  const share = own.find((c) => c.channel === primary)?.contributions?.find((part) => part.channel === channel)?.share;
  return share === null || share === undefined ? '' : `${fixed(100 * share, 0)} % of ${plain(primary, 12)}’s`;
}
