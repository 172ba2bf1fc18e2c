import type { Comparison } from '../../findings/comparison.ts';
import type { ExactInterval, Interval } from '../../findings/numbers.ts';
import {
  confidenceDown,
  fixed,
  MISSING,
  percent,
  percentInterval,
  percentWithInterval,
  pText,
  range,
  short,
  significant,
} from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { type Section, section, type Table, table } from '../document/blocks.ts';
import { name, plainText } from '../document/text.ts';
import { comparisonName, detectableText } from '../words/change.ts';

type Row = readonly [label: string, value: string | null];

/** All numbers of a comparison in the findings, the most important first. */
function rowsOf(c: Comparison): Row[] {
  const { percent: p, difference: d, tests: t, effect: e, sensitivity: s } = c;
  const withP = (name: string, value: number, p_: number): string => `${name} = ${short(value)}, ${pText(p_)}`;
  const signedRank = t.wilcoxon_signed_rank;
  const confidence = p.confidence && `, confidence ${c.look ? 'at least ' : ''}${confidenceDown(p.confidence)}`;
  return [
    [
      'Runs compared',
      `${c.n_variant} and ${c.n_baseline}${c.blocks === null ? ', without blocks' : ` in ${plural(c.blocks, 'block')}`}`,
    ],
    [
      'Hodges–Lehmann estimate of the change',
      p.estimate === null ? null : `${percentWithInterval(p.estimate, p.ci95)}${confidence ?? ''}`,
    ],
    ['… with its 90 % interval', p.ci90 && `${percentInterval(p.ci90)} %`],
    [
      'Hodges–Lehmann estimate in joules',
      c.joules?.estimate == null ? null : `${significant(c.joules.estimate)} J ${range(c.joules.ci95)}`,
    ],
    [
      'Change of means, of medians',
      p.of_means === null && p.of_medians === null ? null : `${percent(p.of_means)}, ${percent(p.of_medians)}`,
    ],
    ['Change by mean log ratio', p.mean_log === null ? null : percentWithInterval(p.mean_log, p.mean_log_ci95)],
    [
      'Difference of means (Welch interval)',
      d.of_means === null ? null : `${significant(d.of_means)} J ${range(d.welch_ci95)}`,
    ],
    [
      'Hodges–Lehmann shift',
      d.hodges_lehmann === null ? null : `${significant(d.hodges_lehmann)} J ${range(d.hodges_lehmann_ci95)}`,
    ],
    [
      'Wilcoxon signed-rank',
      signedRank &&
        `${withP('W₊', signedRank.w_plus, signedRank.p)} (${signedRank.n_zero} of ${signedRank.n_nonzero + signedRank.n_zero} zero)`,
    ],
    ['Adjusted for several comparisons (Holm)', c.p_holm === null ? null : pText(c.p_holm)],
    ['Paired t of logs', t.paired_t_log && withP(`t(${short(t.paired_t_log.df)})`, t.paired_t_log.t, t.paired_t_log.p)],
    ['Sign-flip permutation', t.sign_flip && pText(t.sign_flip.p)],
    ['Welch’s t', t.welch_t && withP(`t(${short(t.welch_t.df)})`, t.welch_t.t, t.welch_t.p)],
    [
      'Mann–Whitney U',
      t.mann_whitney && `${withP('U', t.mann_whitney.u, t.mann_whitney.p)} (${t.mann_whitney.method})`,
    ],
    ['Brunner–Munzel', t.brunner_munzel && withP('W', t.brunner_munzel.w, t.brunner_munzel.p)],
    ['Kruskal–Wallis', t.kruskal_wallis && withP(`H(${t.kruskal_wallis.df})`, t.kruskal_wallis.h, t.kruskal_wallis.p)],
    ['Equivalence (two one-sided tests)', t.tost && `±${short(t.tost.margin_percent)} %: ${pText(t.tost.p)}`],
    [
      'Cliff’s δ',
      e.cliffs_delta &&
        `${fixed(e.cliffs_delta.value, 3)} ${range(e.cliffs_delta.ci95, 3)} (${e.cliffs_delta.magnitude})`,
    ],
    ['Vargha–Delaney A', e.vargha_delaney_a === null ? null : fixed(e.vargha_delaney_a, 3)],
    ['Cohen’s d', e.cohens_d && `${fixed(e.cohens_d.value, 2)} ${range(e.cohens_d.ci95, 3)}`],
    ['Hedges’ g', e.hedges_g && `${fixed(e.hedges_g.value, 2)} ${range(e.hedges_g.ci95, 3)} (${e.hedges_g.magnitude})`],
    ['Smallest detectable change', detectableText(c.minimum_detectable_percent)],
    [
      'Without flagged runs',
      s.without_flagged && percentWithInterval(s.without_flagged.estimate, s.without_flagged.ci95),
    ],
    [
      'Without the first quarter',
      s.without_first_quarter && percentWithInterval(s.without_first_quarter.estimate, s.without_first_quarter.ci95),
    ],
    [
      'A few runs dominate the mean',
      s.tail_effect === null ? null : s.tail_effect ? 'yes: the mean tells a different story from most runs' : 'no',
    ],
  ];
}

/** Maximum comparisons with all statistics side by side. */
const SIDE_BY_SIDE = 4;

/** All statistics of a few comparisons, or the tests of many. `all`: includes descriptive statistics. */
export function statistics(ordered: readonly Comparison[], all: boolean): Section | null {
  const compared = ordered.filter(({ n_baseline, n_variant }) => n_baseline + n_variant > 0);
  if (compared.length === 0) return null;
  const few = compared.length <= SIDE_BY_SIDE;
  return section('statistics', ['Statistics'], few ? statisticsTable(compared, all) : testsTable(compared));
}

/** Statistics as rows, with a column per comparison; empty rows are left out. */
export function statisticsTable(comparisons: readonly Comparison[], all = true): Table {
  const numbers = comparisons.map((c) => new Map([...rowsOf(c), ...(all ? sensitivityRows(c) : [])]));
  const labels = [...new Set(numbers.flatMap((column) => [...column.keys()]))];
  const known = labels.filter((label) => numbers.some((column) => (column.get(label) ?? null) !== null));
  const isSeveral = hasChannels(comparisons);
  return table('Statistics', known, [
    { head: 'Statistic', cell: (label) => label },
    ...comparisons.map((c, i) => ({
      head: name(`${plainText(comparisonName(c, comparisons))}${isSeveral ? ` [${c.channel}]` : ''}`),
      cell: (label: string) => numbers[i]?.get(label) ?? null,
    })),
  ]);
}

/** Table of statistical tests, with a row for each comparison. */
function testsTable(comparisons: readonly Comparison[]): Table {
  const p = (value: number | null | undefined): string | null =>
    value == null ? null : value < 0.001 ? '< 0.001' : value.toFixed(3);
  const effect = (found: { readonly value: number } | null): string | null => found && fixed(found.value, 2);
  return table('Statistics', comparisons, [
    hasChannels(comparisons) && { head: 'Channel', cell: (c) => name(c.channel) },
    { head: 'Variant', cell: (c) => name(c.variant) },
    { head: 'Baseline', cell: (c) => name(c.baseline) },
    { head: 'Blocks', numeric: true, cell: (c) => (c.blocks === null ? null : String(c.blocks)) },
    { head: 'Signed-rank p', numeric: true, cell: (c) => p(c.tests.wilcoxon_signed_rank?.p) },
    { head: 'Holm p', numeric: true, cell: (c) => p(c.p_holm) },
    { head: 'Welch p', numeric: true, cell: (c) => p(c.tests.welch_t?.p) },
    { head: 'Mann–Whitney p', numeric: true, cell: (c) => p(c.tests.mann_whitney?.p) },
    { head: 'Cliff’s δ', numeric: true, cell: (c) => effect(c.effect.cliffs_delta) },
    { head: 'Hedges’ g', numeric: true, cell: (c) => effect(c.effect.hedges_g) },
    { head: 'Smallest detectable change', numeric: true, cell: (c) => detectableText(c.minimum_detectable_percent) },
  ]);
}

function hasChannels(comparisons: readonly Comparison[]): boolean {
  return new Set(comparisons.map((c) => c.channel)).size > 1;
}

/** Sensitivity and descriptive statistics of a comparison, labeled as such. */
function sensitivityRows({ alternatives: b, descriptive: d }: Comparison): Row[] {
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
      'Smallest detectable change by t, of blocks and of arms',
      byPairs === null && byArms === null
        ? null
        : [byPairs, byArms].map((least) => detectableText(least) ?? MISSING).join(', '),
    ],
    [
      'Sensitivity: without the extra energy of the later run',
      adjusted && `${percentWithInterval(adjusted.estimate, adjusted.ci95)}, approximate`,
    ],
  ];
}

function descriptiveRows(d: NonNullable<Comparison['descriptive']>): Row[] {
  const { serial, order_effect: order, bootstrap: boot, energy_time_pearson: r } = d;
  const trend = serial?.mann_kendall && `Mann–Kendall ${pText(serial.mann_kendall.p)}`;
  const neighbors = serial?.lag1 == null ? null : `lag-1 ${fixed(serial.lag1, 2)}`;
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
    ['Descriptive: the differences in time', [trend, neighbors].filter((part) => part != null).join(', ') || null],
    [
      'Descriptive: extra energy of the later run',
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

function listed(intervals: readonly (readonly [name: string, interval: Interval | null])[]): string | null {
  const known = intervals.flatMap(([name, interval]) => (interval ? [`${name} ${percentInterval(interval)} %`] : []));
  return known.length === 0 ? null : known.join('; ');
}
