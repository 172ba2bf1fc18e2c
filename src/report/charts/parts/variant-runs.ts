import type { Analysis, RunResult } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import { listed, plain } from '../../../text/plain.ts';
import { byInterest, primaryChannel, primaryComparisons } from '../../verdict.ts';
import { variantLabels } from '../canvas/font.ts';
import { type SeriesStyle, seriesStyle } from '../canvas/theme.ts';

export interface VariantRuns {
  readonly name: string;
  /** Name, shortened to fit. */
  readonly label: string;
  readonly style: SeriesStyle;
  /** All runs on the primary channel, in the order of the analysis, whatever their status. */
  readonly runs: readonly RunResult[];
  /** Numbers of the runs that are outliers within their variant. */
  readonly flagged: ReadonlySet<number>;
}

/** Runs of at most `most` variants, and a note about those left out. */
export function variantRuns(analysis: Analysis, most?: number): { variants: VariantRuns[]; note: string } {
  const { variants } = analysis.findings;
  const channel = primaryChannel(analysis.findings);
  const byVariant = new Map<string, RunResult[]>(variants.map((v) => [v.name, []]));
  for (const run of analysis.runs) {
    if (channel === null || run.channel === channel) byVariant.get(run.variant)?.push(run);
  }
  const labels = variantLabels(variants.map((v) => v.name));
  const { places, note }: Chosen = chosenVariants(analysis, most);
  return {
    variants: places.map((place) => {
      const { name, flagged } = variants[place]!;
      const style = seriesStyle(place);
      const numbers = new Set(flagged.map((f) => f.run));
      return { name, label: labels[place]!, style, runs: byVariant.get(name) ?? [], flagged: numbers };
    }),
    note,
  };
}

/** Maximum names of variants without data in a caption; for more, their number is given. */
const MAX_REPORTED = 4;

/** Caption sentence about variants without data to draw; empty if all have data. `lacking`: `no valid run`. */
export function notDrawn(chosen: readonly string[], drawn: readonly string[], lacking: string): string {
  const left = [...new Set(chosen)].filter((name) => !drawn.includes(name));
  if (left.length === 0) return '';
  const names = left.slice(0, MAX_REPORTED).map((name) => plain(name, 40));
  const more = left.length - names.length;
  const all = listed([...names, ...(more === 0 ? [] : [`${more} more`])]);
  return `Not drawn: ${all}, which ${left.length === 1 ? 'has' : 'have'} ${lacking}. `;
}

/** Caption words such as ` from native` for the baseline of differences; empty if there are several baselines. */
export function fromBaseline(comparisons: readonly Pick<Comparison, 'baseline'>[]): string {
  const [only, ...others] = new Set(comparisons.map(({ baseline }) => baseline));
  return only === undefined || others.length > 0 ? '' : ` from ${plain(only, 40)}`;
}

/** Maximum rows: a taller picture would be unreadable and take hundreds of megabytes to draw. */
const MAX_ROWS = 24;

export interface Chosen {
  /** Indices of the drawn variants in `findings.variants`, in their order. */
  readonly places: readonly number[];
  /** Caption sentence about omitted variants; empty if all are drawn. */
  readonly note: string;
}

/** All variants, or if there are more than `most`, the baselines and those with the largest changes. */
export function chosenVariants(analysis: Analysis, most = MAX_ROWS): Chosen {
  const { variants } = analysis.findings;
  const all = [...variants.keys()];
  if (variants.length <= most) return { places: all, note: '' };
  const comparisons = byInterest(primaryComparisons(analysis.findings));
  const ranked = new Set([
    ...comparisons.flatMap((c) => [c.baseline, c.variant]),
    analysis.findings.experiment.baseline,
    ...variants.map((v) => v.name),
  ]);
  const names = new Set([...ranked].slice(0, most));
  return {
    places: all.filter((i) => names.has(variants[i]!.name)),
    note: `${most} of ${variants.length} variants are drawn: ${analysis.findings.suite === undefined ? 'the baseline and those that changed most' : 'those that changed most, with what they are compared with'}. `,
  };
}
