import type { Analysis, RunResult } from '../../analysis/results.ts';
import { primaryChannel } from '../verdict.ts';
import { type Chosen, chosenVariants } from './chosen.ts';
import { variantLabels } from './font.ts';
import { type SeriesStyle, seriesStyle } from './theme.ts';

export interface VariantRuns {
  readonly name: string;
  /** The name as far as it fits. */
  readonly label: string;
  readonly style: SeriesStyle;
  /** On the primary channel, in the order of the analysis, whatever became of them. */
  readonly runs: readonly RunResult[];
  /** Numbers of the runs that stand out from their variant's others. */
  readonly flagged: ReadonlySet<number>;
}

/** The runs of at most `most` variants, and what to say of those left out. */
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
