import { factorialFindings } from '../../../src/analysis/factorial.ts';
import type { TwoByTwo } from '../../../src/analysis/factorial-cells.ts';
import type { Analysis } from '../../../src/analysis/results.ts';
import { cellName } from '../../../src/experiment/matrix-schema.ts';
import type { SyntheticVariant } from './analysis.ts';

type Two = readonly [string, string];

export interface SyntheticFactors {
  readonly first: { readonly name: string; readonly levels: Two };
  readonly second: { readonly name: string; readonly levels: Two };
}

export const factors: SyntheticFactors = {
  first: { name: 'revision', levels: ['base', 'head'] },
  second: { name: 'place', levels: ['native', 'container'] },
};

const makeTwoByTwo = ({ first, second }: SyntheticFactors): TwoByTwo => {
  const row = (level: string): Two => [cellName(level, second.levels[0]), cellName(level, second.levels[1])];
  return { factors: [first, second], cells: [row(first.levels[0]), row(first.levels[1])] };
};

/** The four variants: the container uses 3 % more, with the second level of the first factor 5 % more. */
export function fourVariants(given: SyntheticFactors = factors): SyntheticVariant[] {
  const means = [250, 257.5, 250.5, 263];
  return makeTwoByTwo(given)
    .cells.flat()
    .map((name, i) => ({
      name,
      meanJ: means[i]!,
      sdJ: 1.5,
      durationS: 12,
    }));
}

/** An analysis of the four variants with what their factors tell, and their revisions. */
export function withFactors({ findings, ...analysis }: Analysis, given: SyntheticFactors = factors): Analysis {
  const design = makeTwoByTwo(given);
  const question = {
    baseline: design.cells[0][0],
    variants: design.cells.flat(),
    channels: [...findings.meter.channels],
    marginPercent: 1,
    seed: 1,
  };
  const commit = (i: number): string => (i < 2 ? '0' : '1').repeat(40);
  return {
    ...analysis,
    findings: {
      ...findings,
      variants: findings.variants.map((variant, i) => ({
        ...variant,
        revision: { name: given.first.levels[i < 2 ? 0 : 1], commit: commit(i) },
      })),
      factorial: factorialFindings(analysis.runs, design, question),
    },
  };
}
