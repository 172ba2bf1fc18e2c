import type { Comparison } from '../../findings/comparison.ts';
import type { Undefined } from '../../findings/numbers.ts';
import type { Sample } from './sample.ts';

/** Parts of a comparison that hold statistics. */
const PARTS = [
  'percent',
  'difference',
  'tests',
  'effect',
  'why',
  'sensitivity',
  'alternatives',
  'descriptive',
] as const;
/** Whose null says something by itself: nothing was flagged, nothing is material, there is nothing to share out. */
const TELLING = /flagged_blocks_note|order_adjusted|mann_whitney_doubled|without_flagged|_share$/;
const BY_BLOCKS =
  /^(tests\.(wilcoxon|paired|sign)|alternatives\.(walsh|signed_rank|mean_log)|descriptive\.|sensitivity\.without)/;

/** For every statistic that is null: why, in a few words. Empty where all are defined. */
export function whyUndefined(told: Omit<Comparison, 'undefined_because'>, sample: Sample): Record<string, Undefined> {
  const paths = PARTS.flatMap((part) =>
    Object.entries(told[part] ?? {}).flatMap(([key, value]) => (value === null ? [`${part}.${key}`] : [])),
  ).filter((path) => !TELLING.test(path));
  if (told.minimum_detectable_percent === null) paths.push('minimum_detectable_percent');
  return Object.fromEntries(paths.map((path) => [path, reasonOf(path, told, sample)]));
}

function reasonOf(
  path: string,
  told: Omit<Comparison, 'undefined_because'>,
  { x, y, pairs, constant, baseline, variant }: Sample,
): Undefined {
  if (x.length === 0 || y.length === 0) return 'no-runs';
  if (BY_BLOCKS.test(path) && pairs === null && path !== 'descriptive.bootstrap') return 'no-blocks';
  if (pairs?.length === 0 && (BY_BLOCKS.test(path) || /^(percent|why|minimum)/.test(path))) {
    return 'no-block';
  }
  if (![...x, ...y].every((energy) => energy > 0)) return 'not-positive';
  if (/log_time|log_power|energy_time/.test(path) && [...baseline, ...variant].some((run) => run.durationS === null)) {
    return 'no-durations';
  }
  if (path === 'descriptive.order_effect' || path === 'descriptive.serial') {
    return told.descriptive?.serial ? 'few-of-each-order' : 'no-order';
  }
  if (path === 'descriptive.flagged_blocks') return told.descriptive?.flagged_blocks_note ?? 'no-log-ratios';
  if (constant) return 'no-variation';
  if (x.length > 2000 || y.length > 2000) return 'too-many';
  return 'too-few';
}
