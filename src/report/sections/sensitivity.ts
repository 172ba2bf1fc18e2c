import type { Comparison } from '../../findings/comparison.ts';
import type { ExactInterval, Interval } from '../../findings/numbers.ts';
import {
  confidenceDown,
  fixed,
  percent,
  percentInterval,
  percentWithInterval,
  pText,
  range,
  short,
  significant,
} from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';

type Row = readonly [label: string, value: string | null];

/** What stands beside the statistics of a comparison: sensitivity and descriptive, and said to be such. */
export function sensitivityRows({ alternatives: b, descriptive: d }: Comparison): Row[] {
  return [...(b ? otherMethods(b) : []), ...(d ? descriptiveRows(d) : [])];
}

function otherMethods(b: NonNullable<Comparison['alternatives']>): Row[] {
  const { log_delta_ci95: delta, fieller_ci95: fieller, paired_fieller_ci95: paired } = b.ratio_of_means;
  const { paired_t_percent: byPairs, two_sample_percent: byArms } = b.minimum_detectable;
  const tost = b.tost && `above −margin ${pText(b.tost.p_lower)}, below +margin ${pText(b.tost.p_upper)}`;
  const adjusted = b.order_adjusted;
  return [
    ['Sensitivity: signed-rank with zeros ranked (Pratt)', b.signed_rank_pratt && pText(b.signed_rank_pratt.p)],
    ['Sensitivity: Mann–Whitney by doubling a tail', b.mann_whitney_doubled && pText(b.mann_whitney_doubled.p)],
    ['Sensitivity: mean log ratio by sign flips', exact(b.mean_log_sign_flip)],
    [
      'Sensitivity: change of means, intervals',
      listed([
        ['log-delta', delta],
        ['Fieller', fieller],
        ['Fieller by blocks', paired],
      ]),
    ],
    ['Sensitivity: equivalence, both sides', tost],
    [
      'Sensitivity: detectable by t, blocks and arms',
      byPairs === null && byArms === null ? null : `${least(byPairs)}, ${least(byArms)}`,
    ],
    [
      'Sensitivity: less the surcharge of the later run',
      adjusted && `${percentWithInterval(adjusted.estimate, adjusted.ci95)}, approximate`,
    ],
  ];
}

function descriptiveRows(d: NonNullable<Comparison['descriptive']>): Row[] {
  const { serial, order_effect: order, bootstrap: boot, energy_time_pearson: r } = d;
  const trend = serial?.mann_kendall && `Mann–Kendall ${pText(serial.mann_kendall.p)}`;
  const neighbours = serial?.lag1 == null ? null : `lag-1 ${fixed(serial.lag1, 2)}`;
  return [
    [
      'Descriptive: Shapiro–Wilk of the differences',
      d.shapiro_wilk && `W = ${fixed(d.shapiro_wilk.w, 3)}, ${pText(d.shapiro_wilk.p)}`,
    ],
    ['Descriptive: difference of a block', d.paired_t_joules && joules(d.paired_t_joules)],
    [
      'Descriptive: d_z of the differences',
      d.cohens_dz && `${fixed(d.cohens_dz.value, 2)} ${range(d.cohens_dz.ci95, 3)}`,
    ],
    ['Descriptive: rank-biserial correlation', d.rank_biserial === null ? null : fixed(d.rank_biserial, 3)],
    [
      'Descriptive: bootstrap of the change of means',
      boot &&
        `${percentInterval(boot.of_means_percent_ci95)} % (percentile, ${boot.resamples} by ${boot.by}, seed ${boot.seed})`,
    ],
    ['Descriptive: r(energy, time) within blocks', r && `${fixed(r.r, 2)} ${range(r.ci95, 2)}`],
    ['Descriptive: the differences in time', [trend, neighbours].filter((part) => part != null).join(', ') || null],
    [
      'Descriptive: surcharge of the later run',
      order && `${percent(order.later_percent)}${order.p === null ? '' : `, Mann–Whitney ${pText(order.p)}`}`,
    ],
    [
      'Descriptive: flagged blocks',
      d.flagged_blocks_note === null ? flagged(d.flagged_blocks) : 'the MAD of the log ratios is zero',
    ],
  ];
}

function joules({
  mean,
  ci95,
  t,
  df,
  p,
}: NonNullable<NonNullable<Comparison['descriptive']>['paired_t_joules']>): string {
  return `${significant(mean)} J ${range(ci95)}, t(${short(df)}) = ${short(t)}, ${pText(p)}`;
}

function flagged(blocks: NonNullable<Comparison['descriptive']>['flagged_blocks']): string | null {
  if (blocks === null || blocks.length === 0) return null;
  const most = 10;
  const more = blocks.length > most ? ` and ${blocks.length - most} more` : '';
  return `${plural(blocks.length, 'block')}: ${blocks
    .slice(0, most)
    .map(({ block }) => block)
    .join(', ')}${more}`;
}

function exact(found: ExactInterval | null): string | null {
  return found && `${percentInterval(found.interval)} %, confidence ${confidenceDown(found.confidence)}`;
}

function least(value: number | null): string {
  return value === null ? '–' : `${significant(value, 2)} %`;
}

function listed(intervals: readonly (readonly [name: string, interval: Interval | null])[]): string | null {
  const known = intervals.flatMap(([name, interval]) => (interval ? [`${name} ${percentInterval(interval)} %`] : []));
  return known.length === 0 ? null : known.join('; ');
}
