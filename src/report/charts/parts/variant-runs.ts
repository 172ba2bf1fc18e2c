import type { Analysis, RunResult } from '../../../analysis/results.ts';
import type { Comparison } from '../../../findings/comparison.ts';
import type { VariantFindings } from '../../../findings/variant.ts';
import { listed, plain } from '../../../text/plain.ts';
import { byInterest, primaryChannel, primaryComparisons } from '../../verdict.ts';
import { variantLabels } from '../canvas/font.ts';
import { type SeriesStyle, seriesStyle } from '../canvas/theme.ts';

/** A variant to be drawn. */
export interface ChosenVariant {
  readonly name: string;
  /** Name, shortened to fit. */
  readonly label: string;
  readonly style: SeriesStyle;
  readonly findings: VariantFindings;
}

export interface VariantRuns extends ChosenVariant {
  /** All runs on the primary channel, in the order of the analysis, whatever their status. */
  readonly runs: readonly RunResult[];
  /** Numbers of the runs that are outliers within their variant. */
  readonly flagged: ReadonlySet<number>;
}

/** Runs of at most `most` variants, and a note about those left out. */
export function variantRuns(analysis: Analysis, most?: number): { variants: VariantRuns[]; note: string } {
  const channel = primaryChannel(analysis.findings);
  const runs = analysis.runs.filter((run) => channel === null || run.channel === channel);
  const byVariant = Map.groupBy(runs, ({ variant }) => variant);
  const { variants, note } = chosenVariants(analysis, most);
  return {
    variants: variants.map((chosen) => ({
      ...chosen,
      runs: byVariant.get(chosen.name) ?? [],
      flagged: new Set(chosen.findings.flagged.map(({ run }) => run)),
    })),
    note,
  };
}

/** Maximum names of variants without data in a caption; for more, their number is given. */
const MAX_REPORTED = 4;

type Named = Pick<ChosenVariant, 'name'>;

/** Caption sentence about variants without data to draw; empty if all have data. `lacking`: `no valid run`. */
export function notDrawn(chosen: readonly Named[], drawn: readonly Named[], lacking: string): string {
  const has = new Set(drawn.map(({ name }) => name));
  const left = [...new Set(chosen.map(({ name }) => name))].filter((name) => !has.has(name));
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

interface Chosen {
  /** In the order of the findings. */
  readonly variants: readonly ChosenVariant[];
  /** Caption sentence about omitted variants; empty if all are drawn. */
  readonly note: string;
}

/** All variants, or if there are more than `most`, the baselines and those with the largest changes. */
export function chosenVariants(analysis: Analysis, most = MAX_ROWS): Chosen {
  const { variants, experiment, suite } = analysis.findings;
  const labels = variantLabels(variants.map((v) => v.name));
  const all = variants.map((findings, i) => ({
    name: findings.name,
    label: labels[i]!,
    style: seriesStyle(i),
    findings,
  }));
  if (all.length <= most) return { variants: all, note: '' };
  const comparisons = byInterest(primaryComparisons(analysis.findings));
  const ranked = new Set([
    ...comparisons.flatMap((c) => [c.baseline, c.variant]),
    experiment.baseline,
    ...variants.map((v) => v.name),
  ]);
  const names = new Set([...ranked].slice(0, most));
  return {
    variants: all.filter(({ name }) => names.has(name)),
    note: `${most} of ${all.length} variants are drawn: ${suite === undefined ? 'the baseline and those that changed most' : 'those that changed most, with what they are compared with'}. `,
  };
}
