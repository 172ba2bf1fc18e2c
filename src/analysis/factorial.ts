import type { Contrast, Factorial, Step } from '../findings/factorial.ts';
import { holm } from '../stats/adjust.ts';
import { toPercent } from '../stats/log-ratio.ts';
import { moments } from '../stats/sums.ts';
import { pairedEstimate, tInterval, tTest } from '../stats/welch.ts';
import { type Contrasts, comparisons, isGood } from './assemble.ts';
import { withRoom } from './comparison/coarse.ts';
import { contradictionOfBlocks } from './comparison/contradictions.ts';
import { detectableRatio } from './comparison/detectable.ts';
import { type Interims, repeated, repeatedIntervals } from './comparison/interim.ts';
import { interval95, ratioPercent, toPercentInterval } from './comparison/percent.ts';
import { signedRankTest } from './comparison/tests.ts';
import { type Cells, type TwoByTwo, takeCells } from './factorial-cells.ts';
import type { RunResult } from './results.ts';
import { decideChecked, isOpen } from './verdict.ts';

/**
 * The two main differences and the interaction of an experiment with two factors, from complete blocks of four. With L = ln E of a cell:
 * main₁ = ((L₁₀ − L₀₀) + (L₁₁ − L₀₁))/2, main₂ likewise, interaction = (L₁₁ − L₁₀) − (L₀₁ − L₀₀), each block giving one of each (Fisher's 2²
 * factorial in randomized blocks). The three are judged together by Holm's method, apart from the comparisons. The simple contrasts that no
 * comparison with the baseline tells are judged together with those. The first channel of the question counts.
 */
export function factorialFindings(runs: readonly RunResult[], design: TwoByTwo, question: Contrasts): Factorial {
  const { marginPercent } = question;
  const channel = question.channels[0] as string;
  const cells = takeCells(runs.filter((run) => run.channel === channel).filter(isGood), design);
  const looks = question.looks ?? null;
  const [first, second, interaction] = judge(cells, marginPercent, looks) as [Contrast, Contrast, Contrast];
  return {
    channel,
    factors: [named(design.factors[0]), named(design.factors[1])],
    cells: [[...design.cells[0]], [...design.cells[1]]],
    blocks: cells.blocks,
    main: [first, second],
    interaction,
    steps: [stepOf(cells.steps[0], cells.rooms[3]), stepOf(cells.steps[1], cells.rooms[4])],
    simple: simpleContrasts(runs, design, { ...question, channels: [channel] }),
  };
}

const named = ({ name, levels: [a, b] }: TwoByTwo['factors'][number]): Factorial['factors'][number] => ({
  name,
  levels: [a, b],
});

/** Simple contrasts: both levels of each factor, with the other factor at its second level; those at the first are comparisons with the baseline. */
function simpleContrasts(runs: readonly RunResult[], { cells }: TwoByTwo, question: Contrasts): Factorial['simple'] {
  const [[, right], [left, corner]] = cells;
  const isAsked = (one: string) => question.pairs?.some((pair) => pair.baseline === one && pair.variant === corner);
  const also = [right, left].filter((one) => !isAsked(one)).map((baseline) => ({ baseline, variant: corner }));
  const judged = comparisons(runs, { ...question, also });
  const of = (one: string) => judged.find(({ baseline, variant }) => baseline === one && variant === corner);
  return [of(right), of(left)] as unknown as Factorial['simple'];
}

export type Measured = Omit<Contrast, 'minimum_detectable_percent' | 'p_holm' | 'verdict' | 'reason'>;

/**
 * One contrast, computed like a comparison: Hodges–Lehmann of the blocks' log contrasts with the exact signed-rank interval, and the mean
 * with its t interval. All values are null for no contrast. `looks`: interim analyses, which the signed-rank interval allows for.
 * `room`: its widening by the meter's steps.
 */
export function measureContrast(logs: readonly number[], looks: Interims | null = null, room = 0): Measured {
  const some = logs.length > 0 ? logs : null;
  const paired = some && pairedEstimate(some);
  const t = paired && tTest(paired);
  const headline = { ...ratioPercent(some), ...(some && looks && repeatedIntervals(some, looks)?.percent) };
  return {
    ...withRoom(headline, room),
    mean_log: some && toPercent(moments(some).mean),
    mean_log_ci95: paired && toPercentInterval(tInterval(paired, 0.95)),
    wilcoxon_signed_rank: some && signedRankTest(some),
    paired_t_log: t && { t: t.t, df: t.df, p: t.p },
  };
}

function judge(
  { main, interaction, obstacle, rooms }: Cells,
  marginPercent: number,
  looks: Interims | null,
): Contrast[] {
  const all = [...main, interaction].map((logs, i) => ({ logs, room: rooms[i] as number }));
  const measured = all.map(({ logs, room }) => measureContrast(logs, looks, room));
  const tests = measured.flatMap(({ wilcoxon_signed_rank: test }) => repeated(test?.p, looks) ?? []);
  const adjusted = tests.length === measured.length ? holm(tests) : [];
  return measured.map((contrast, i) => {
    const pHolm = adjusted[i] ?? null;
    const { logs, room } = all[i]!;
    const { verdict, reason } = decideChecked(contrast, marginPercent, obstacle, pHolm, {
      room,
      contradiction: () => contradictionOfBlocks(logs, marginPercent, all.length),
    });
    const least = isOpen(reason) ? detectableRatio(contrast.ci95, measured.length) : null;
    return { ...contrast, minimum_detectable_percent: least, p_holm: pHolm, verdict, reason };
  });
}

function stepOf(logs: readonly number[], room: number): Step | null {
  const percent = withRoom(ratioPercent(logs.length > 0 ? logs : null), room);
  return percent.estimate === null ? null : { estimate: percent.estimate, ci95: interval95(percent) };
}
