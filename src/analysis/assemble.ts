import { compare } from './compare.ts';
import { describeVariant } from './describe.ts';
import type { Comparison, RunResult, VariantFindings } from './findings.ts';

/** What is compared with what. */
export interface Question {
  readonly baseline: string;
  /** All of them, the baseline too. */
  readonly variants: readonly string[];
  /** The first is primary. */
  readonly channels: readonly string[];
  readonly marginPercent: number;
  readonly seed: number | null;
}

/** One variant by its runs on one channel: those compared, and those excluded with their reason. */
export function variantFindings(
  variant: Pick<VariantFindings, 'name' | 'kind' | 'image'>,
  runs: readonly RunResult[],
): VariantFindings {
  const own = runs.filter((run) => run.variant === variant.name);
  const good = own.filter(isGood);
  return {
    ...variant,
    runs: good.length,
    excluded: own
      .filter((run) => run.status === 'failed' || run.status === 'invalid')
      .map((run) => ({ run: run.run, reason: run.reason ?? run.status })),
    ...describeVariant(good),
  };
}

/** Every variant against the baseline, on every channel. */
export function comparisons(runs: readonly RunResult[], question: Question): Comparison[] {
  const { baseline, marginPercent, seed } = question;
  const others = question.variants.filter((variant) => variant !== baseline);
  return question.channels.flatMap((channel) => {
    const good = (variant: string) => runs.filter((r) => r.channel === channel && r.variant === variant).filter(isGood);
    return others.map((variant) =>
      compare(good(baseline), good(variant), { baseline, variant, channel, marginPercent, seed }),
    );
  });
}

/** Blocks in which each of so many variants has a valid run; the runs are of one channel. */
export function completedBlocks(runs: readonly RunResult[], variants: number): number {
  const good = runs.filter((run) => run.status === 'ok');
  return [...Map.groupBy(good, (run) => run.block).values()].filter(
    (block) => new Set(block.map((run) => run.variant)).size === variants,
  ).length;
}

export type GoodRun = RunResult & { readonly energyJ: number };

/** Compared: valid, and with an energy. */
export function isGood(run: RunResult): run is GoodRun {
  return run.status === 'ok' && run.energyJ !== null;
}
