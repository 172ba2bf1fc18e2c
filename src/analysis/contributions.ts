import type { Comparison, Contribution } from '../findings/comparison.ts';
import type { Interval } from '../findings/numbers.ts';
import { meanChange } from '../stats/welch.ts';
import type { ChannelRecord } from '../store/records.ts';
import { type GoodRun, isGood } from './assemble.ts';
import { pairBlocks } from './comparison/pairing.ts';
import { isClear } from './comparison/why.ts';
import { REMAINDER_CHANNEL, wholeAndInside } from './remainder.ts';
import type { RunResult } from './results.ts';

/** A channel that lies inside another. */
export type ChannelPart = Pick<Contribution, 'channel' | 'part'>;

/**
 * Channels that together are the primary one and do not overlap. If processors and memory are measured separately, these two replace their
 * sum; cores and graphics are inside packages and never used. For the whole machine, the rest has no channel. Empty if no
 * channel is known to be a part: two plugs may feed two machines.
 */
export function channelParts(primary: ChannelRecord, channels: readonly ChannelRecord[]): ChannelPart[] {
  const split = channels.flatMap(({ channel, part }) =>
    part === 'package' || part === 'dram' ? [{ channel, part }] : [],
  );
  const isSplit = split.length === 2;
  if (primary.part === 'package-and-dram') return isSplit ? split : [];
  const pair = wholeAndInside(channels);
  if (pair === null || pair.whole.channel !== primary.channel) return [];
  const together = { channel: pair.inside.channel, part: 'package-and-dram' } as const;
  return [...(isSplit ? split : [together]), { channel: REMAINDER_CHANNEL, part: 'everything-else' }];
}

/** Contribution of each part to the difference of the means; null if there is no difference to divide. */
export function contributions(
  runs: readonly RunResult[],
  { baseline, variant, channel }: Pick<Comparison, 'baseline' | 'variant' | 'channel'>,
  parts: readonly ChannelPart[],
): Contribution[] | null {
  const all = [channel, ...parts.map((part) => part.channel)];
  const good = runs.filter(isGood).filter((run) => all.includes(run.channel));
  // Only runs with energies on all channels, so that the parts add up to the whole.
  const complete = new Set(
    [...Map.groupBy(good, (r) => r.run)].filter(([, r]) => r.length === all.length).map(([r]) => r),
  );
  const of = (name: string, on: string): GoodRun[] =>
    good.filter((run) => complete.has(run.run) && run.variant === name && run.channel === on);
  const differences = all.map((on) => difference(of(baseline, on), of(variant, on)));
  const [whole, ...others] = differences;
  if (!whole || others.some((part) => part === null)) return null;
  const clear = isClear({ mean: whole.value, ci95: whole.ci95 });
  return others
    .flatMap((found, i) => {
      if (found === null) return [];
      const share = clear ? found.value / whole.value : null;
      return [{ ...(parts[i] as ChannelPart), difference_j: found.value, ci95: found.ci95, share }];
    })
    .sort((a, b) => Math.abs(b.difference_j) - Math.abs(a.difference_j));
}

/** Difference of the means, joules: inside blocks where there are some. */
function difference(x: readonly GoodRun[], y: readonly GoodRun[]): { value: number; ci95: Interval | null } | null {
  const pairs = pairBlocks(x, y);
  if (x.length === 0 || y.length === 0 || pairs?.length === 0) return null;
  if (pairs !== null) return meanChange({ pairs: pairs.map((pair) => pair.variant.energyJ - pair.baseline.energyJ) });
  return meanChange({ x: x.map((run) => run.energyJ), y: y.map((run) => run.energyJ) });
}
