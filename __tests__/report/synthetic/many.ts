import type { Analysis } from '../../../src/analysis/results.ts';

/**
 * The analysis of an experiment with as many variants as there are names: those that were analyzed beside the baseline, again and again.
 * A document must hold as much as if each had been measured, and a test need not wait for the statistics of all.
 */
export function withMany({ findings, runs, traces }: Analysis, names: readonly string[]): Analysis {
  const { baseline } = findings.experiment;
  const others = findings.variants.filter(({ name }) => name !== baseline);
  const model = (i: number): string => others[i % others.length]!.name;
  /** What stands of the baseline, and for each name what stands of its model. */
  const again = <T, V>(all: readonly T[], variantOf: (item: T) => string | null, put: (item: T, name: string) => V) => [
    ...all.filter((item) => variantOf(item) === baseline),
    ...names.flatMap((name, i) =>
      all.filter((item) => variantOf(item) === model(i)).map((item) => ({ ...item, ...put(item, name) })),
    ),
  ];
  const ofVariant = <T extends { readonly variant: string | null }>(all: readonly T[]): T[] =>
    again(
      all,
      ({ variant }) => variant,
      (_, variant) => ({ variant }),
    );
  return {
    traces,
    runs: ofVariant(runs).map((run, i) => ({ ...run, run: i + 1 })),
    findings: {
      ...findings,
      variants: again(
        findings.variants,
        ({ name }) => name,
        (_, name) => ({ name }),
      ),
      comparisons: ofVariant(findings.comparisons).map((c) => ({ ...c, family_size: names.length })),
      ...(findings.thresholds && { thresholds: ofVariant(findings.thresholds) }),
      ...(findings.costs && {
        costs: {
          ...findings.costs,
          variants: ofVariant(findings.costs.variants),
          differences: ofVariant(findings.costs.differences),
        },
      }),
    },
  };
}
