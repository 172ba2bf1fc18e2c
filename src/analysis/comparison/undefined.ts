import type { Comparison } from '../../findings/comparison.ts';
import type { Undefined } from '../../findings/numbers.ts';
import type { Sample } from './sample.ts';

type Reported = Omit<Comparison, 'undefined_because'>;
/** A requirement of a statistic: returns the reason if it is not met. */
type Need = (sample: Sample, reported: Reported) => Undefined | null;

const runs: Need = ({ x, y }) => (x.length === 0 || y.length === 0 ? 'no-runs' : null);
const blocks: Need = ({ pairs }) => (pairs === null ? 'no-blocks' : null);
const completeBlock: Need = ({ pairs }) => (pairs?.length === 0 ? 'no-block' : null);
const positive: Need = ({ x, y }) => ([...x, ...y].every((energy) => energy > 0) ? null : 'not-positive');
const durations: Need = ({ baseline, variant }) =>
  [...baseline, ...variant].some((run) => run.durationS === null) ? 'no-durations' : null;
const bothOrders: Need = (_, { descriptive }) => (descriptive?.serial ? 'few-of-each-order' : 'no-order');
const flags: Need = (_, { descriptive }) => descriptive?.flagged_blocks_note ?? 'no-log-ratios';

/** Requirements of statistics that use the energies of all runs. */
const OF_RUNS = [runs, positive];
/** Requirements of statistics by block if there are blocks, else of all runs. */
const OF_EITHER = [runs, completeBlock, positive];
const OF_BLOCKS = [runs, blocks, completeBlock, positive];

type Part =
  | 'percent'
  | 'joules'
  | 'difference'
  | 'tests'
  | 'effect'
  | 'why'
  | 'sensitivity'
  | 'alternatives'
  | 'descriptive';

/** Requirements of each statistic, in the order of checking. Null: it is never null, or its null has a meaning. */
const NEEDS: { readonly [P in Part]: Readonly<Record<keyof NonNullable<Reported[P]>, readonly Need[] | null>> } = {
  percent: {
    estimate: OF_EITHER,
    ci95: OF_EITHER,
    ci90: OF_EITHER,
    confidence: OF_EITHER,
    of_means: OF_EITHER,
    of_medians: OF_EITHER,
    mean_log: OF_EITHER,
    mean_log_ci95: OF_EITHER,
  },
  joules: { estimate: [runs, completeBlock], ci95: [runs, completeBlock] },
  difference: { of_means: OF_RUNS, welch_ci95: OF_RUNS, hodges_lehmann: OF_RUNS, hodges_lehmann_ci95: OF_RUNS },
  tests: {
    wilcoxon_signed_rank: OF_BLOCKS,
    paired_t_log: OF_BLOCKS,
    sign_flip: OF_BLOCKS,
    welch_t: OF_RUNS,
    mann_whitney: OF_RUNS,
    brunner_munzel: OF_RUNS,
    kruskal_wallis: OF_RUNS,
    tost: OF_RUNS,
  },
  effect: {
    cliffs_delta: OF_RUNS,
    vargha_delaney_a: OF_RUNS,
    vargha_delaney_a_ci95: OF_RUNS,
    cohens_d: OF_RUNS,
    hedges_g: OF_RUNS,
  },
  why: {
    log_energy: OF_EITHER,
    log_time: [...OF_EITHER, durations],
    log_power: [...OF_EITHER, durations],
    time_share: null,
    power_share: null,
  },
  sensitivity: { without_flagged: null, without_first_quarter: OF_BLOCKS, tail_effect: OF_RUNS },
  alternatives: {
    walsh: OF_BLOCKS,
    shift_joules: OF_RUNS,
    signed_rank_pratt: OF_BLOCKS,
    mann_whitney_doubled: null,
    mean_log_sign_flip: OF_BLOCKS,
    ratio_of_means: null,
    tost: OF_RUNS,
    minimum_detectable: null,
    order_adjusted: null,
  },
  descriptive: {
    shapiro_wilk: OF_BLOCKS,
    flagged_blocks: [...OF_BLOCKS, flags],
    flagged_blocks_note: null,
    paired_t_joules: OF_BLOCKS,
    cohens_dz: OF_BLOCKS,
    rank_biserial: OF_BLOCKS,
    more_in_blocks: OF_BLOCKS,
    less_in_blocks: OF_BLOCKS,
    bootstrap: OF_EITHER,
    energy_time_pearson: [...OF_BLOCKS, durations],
    serial: [...OF_BLOCKS, bothOrders],
    order_effect: [...OF_BLOCKS, bothOrders],
  },
};

/** The reason for every statistic that is null. Empty if all are defined. */
export function whyUndefined(reported: Reported, sample: Sample): Record<string, Undefined> {
  const because: Record<string, Undefined> = {};
  for (const [part, statistics] of Object.entries(NEEDS)) {
    const values: Readonly<Record<string, unknown>> = reported[part as Part] ?? {};
    for (const [name, needs] of Object.entries(statistics)) {
      if (values[name] === null && needs !== null) because[`${part}.${name}`] = lacking(needs, reported, sample);
    }
  }
  if (reported.minimum_detectable_percent === null) {
    because.minimum_detectable_percent = lacking(OF_EITHER, reported, sample);
  }
  return because;
}

function lacking(needs: readonly Need[], reported: Reported, sample: Sample): Undefined {
  for (const need of needs) {
    const reason = need(sample, reported);
    if (reason !== null) return reason;
  }
  const { x, y, constant } = sample;
  if (constant) return 'no-variation';
  return x.length > 2000 || y.length > 2000 ? 'too-many' : 'too-few';
}
