import type { Descriptive } from '../../findings/alternatives.ts';
import { type Bootstrap, bootstrapPercent } from '../../stats/bootstrap.ts';
import { withInterval } from '../../stats/cohens-d.ts';
import { pearson } from '../../stats/correlation.ts';
import { FLAG_LIMIT, modifiedZ } from '../../stats/quantiles.ts';
import { serialStatistics } from '../../stats/serial.ts';
import { shapiroWilk } from '../../stats/shapiro-wilk.ts';
import { roundedSign, signedRank } from '../../stats/signed-rank.ts';
import { type Estimate, pairedEstimate, tTest } from '../../stats/welch.ts';
import { orderEffect } from './order.ts';
import type { Sample } from './sample.ts';

const RESAMPLES = 10_000;
/** Maximum runs for the bootstrap: it draws as often as there are runs in every resample, and would take seconds. */
const MAX_RESAMPLED = 2000;

/** Descriptive statistics of a comparison, which decide nothing. `ordered`: whether run numbers are in time order. */
export function descriptive(sample: Sample, seed: number, ordered: boolean): Descriptive {
  const { pairs, logRatios } = sample;
  const joules = pairs?.map((pair) => pair.variant.energyJ - pair.baseline.energyJ) ?? null;
  const paired = joules && pairedEstimate(joules);
  const flags = flaggedBlocks(sample);
  return {
    shapiro_wilk: logRatios && shapiroWilk(logRatios),
    flagged_blocks: flags,
    flagged_blocks_note: flags === null && logRatios !== null ? 'no-spread' : null,
    paired_t_joules: paired && { mean: paired.value, ...tTest(paired) },
    cohens_dz: paired && standardized(paired),
    rank_biserial: (logRatios && signedRank(logRatios)?.rankBiserial) ?? null,
    more_in_blocks: logRatios?.filter((d) => roundedSign(d) > 0).length ?? null,
    less_in_blocks: logRatios?.filter((d) => roundedSign(d) < 0).length ?? null,
    bootstrap: sample.constant ? null : resampled(sample, seed),
    energy_time_pearson: withinBlocks(sample),
    serial: ordered && logRatios !== null ? serialStatistics(inTime(sample)) : null,
    order_effect: ordered ? orderEffect(sample) : null,
  };
}

/** Blocks whose log ratio is far from the others', by the modified z; null where that is undefined. */
function flaggedBlocks({ pairs, logRatios }: Sample): Descriptive['flagged_blocks'] {
  if (pairs === null || logRatios === null) return null;
  const scores = modifiedZ(logRatios);
  return (
    scores?.flatMap((z, i) =>
      Math.abs(z) > FLAG_LIMIT ? [{ block: pairs[i]?.block as number, modified_z: z }] : [],
    ) ?? null
  );
}

/** d_z with its noncentral-t interval. */
function standardized({ value, se, df }: Estimate): Descriptive['cohens_dz'] {
  const scale = Math.sqrt(df + 1);
  return withInterval(value / (se * scale), scale, df);
}

/** Bootstrap of the change, by block if there are blocks. */
function resampled({ x, y, pairs }: Sample, seed: number): Descriptive['bootstrap'] {
  if (x.length > MAX_RESAMPLED || y.length > MAX_RESAMPLED) return null;
  const options = { seed, resamples: RESAMPLES };
  const found: Bootstrap | null = pairs
    ? bootstrapPercent(
        pairs.map((pair) => pair.baseline.energyJ),
        pairs.map((pair) => pair.variant.energyJ),
        true,
        options,
      )
    : bootstrapPercent(x, y, false, options);
  return found && { by: pairs ? 'block' : 'run', ...options, of_means_percent_ci95: found.ci95, se: found.se };
}

/**
 * Correlation of energy and time within blocks: of values minus the mean of their block. With two arms, these are ± half of the difference in each
 * block. Neither changes of whole blocks nor differences between arms affect it.
 */
function withinBlocks({ pairs }: Sample): Descriptive['energy_time_pearson'] {
  const known = pairs?.flatMap(({ baseline, variant }) =>
    baseline.durationS === null || variant.durationS === null
      ? []
      : [{ energy: variant.energyJ - baseline.energyJ, time: variant.durationS - baseline.durationS }],
  );
  if (known === undefined || known.length < (pairs?.length ?? 0)) return null;
  return pearson(
    known.map(({ energy }) => energy),
    known.map(({ time }) => time),
  );
}

/** The log ratios in the order in which their blocks ended. */
function inTime({ pairs, logRatios }: Sample): number[] {
  const ends = pairs?.map(({ baseline, variant }) => Math.max(baseline.run, variant.run)) ?? [];
  const places = ends.map((_, i) => i).sort((i, j) => (ends[i] as number) - (ends[j] as number));
  return places.map((i) => logRatios?.[i] as number);
}
