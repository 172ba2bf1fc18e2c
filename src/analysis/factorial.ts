import type { FactorialDesign } from '../experiment/experiment.ts';
import { isGood } from './assemble.ts';
import { type Cells, takeCells } from './factorial/cells.ts';
import { type Measured, measureContrast } from './factorial/contrast.ts';
import { interactionSentence, mainSentence } from './factorial/sentence.ts';
import type { Contrast, Factorial, RunResult } from './findings.ts';
import { holm } from './stats/adjust.ts';
import { type Decision, decide } from './verdict.ts';

export interface FactorialQuestion {
  readonly design: FactorialDesign;
  /** The primary one. */
  readonly channel: string;
  readonly marginPercent: number;
}

/** A contrast with what is said about it. */
export interface Judged {
  readonly contrast: Omit<Contrast, 'sentence'>;
  readonly decision: Decision;
}

/**
 * The two main differences and the interaction of an experiment with two factors, from complete blocks of four. With L = ln E of a cell:
 * main₁ = ((L₁₀ − L₀₀) + (L₁₁ − L₀₁))/2, main₂ likewise, interaction = (L₁₁ − L₁₀) − (L₀₁ − L₀₀), each block giving one of each (Fisher's 2²
 * factorial in randomized blocks). The three are judged together by Holm's method, apart from the comparisons.
 */
export function factorialFindings(
  runs: readonly RunResult[],
  { design, channel, marginPercent }: FactorialQuestion,
): Factorial {
  const cells = takeCells(runs.filter((run) => run.channel === channel).filter(isGood), design);
  const measured = [cells.main[0], cells.main[1], cells.interaction].map(measureContrast);
  const [first, second, interaction] = judge(measured, cells, marginPercent) as [Judged, Judged, Judged];
  const about = { design, cells, marginPercent, interacts: isChange(interaction) };
  return {
    channel,
    factors: design.factors,
    cells: design.cells,
    blocks: cells.blocks,
    main: [
      { ...first.contrast, sentence: mainSentence(first, 0, about) },
      { ...second.contrast, sentence: mainSentence(second, 1, about) },
    ],
    interaction: { ...interaction.contrast, sentence: interactionSentence(interaction, about) },
  };
}

/**
 * What is compared beside the comparisons with the baseline, which hold the other two of these already: the second level of each factor
 * with its first, where the other factor has its second.
 */
export function simpleContrasts({ cells }: FactorialDesign): { baseline: string; variant: string }[] {
  const [[, left], [top, corner]] = cells;
  return [left, top].map((baseline) => ({ baseline, variant: corner }));
}

function judge(measured: readonly Measured[], { obstacle }: Cells, marginPercent: number): Judged[] {
  const tests = measured.flatMap(({ wilcoxon_signed_rank: test }) => (test === null ? [] : [test.p]));
  const adjusted = tests.length === measured.length ? holm(tests) : [];
  return measured.map((contrast, i) => {
    const pHolm = adjusted[i] ?? null;
    const decision = decide(contrast, marginPercent, obstacle, pHolm);
    return { contrast: { ...contrast, p_holm: pHolm, verdict: decision.verdict }, decision };
  });
}

function isChange({ decision: { verdict } }: Judged): boolean {
  return verdict !== 'inconclusive' && verdict !== 'equivalent';
}
