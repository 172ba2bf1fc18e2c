import type { Comparison } from '../findings/comparison.ts';
import {
  ClientCounter,
  Counter,
  EngineCounter,
  Resource,
  type ResourceComparison,
  ServiceCounter,
  type VariantCounter,
} from '../findings/resources.ts';
import { benjaminiHochberg } from '../stats/adjust.ts';
import { walshEstimate } from '../stats/hodges-lehmann.ts';
import { signedRank } from '../stats/signed-rank.ts';
import { summarize } from '../stats/summary.ts';
import { moments } from '../stats/sums.ts';
import { isGood } from './assemble.ts';
import { pairBlocks } from './comparison/pairing.ts';
import type { RunResult } from './results.ts';

/** False discovery rate among the differences that are called clear. */
const FALSE_DISCOVERIES = 0.05;
/** Minimum difference, as a share of the larger mean: a smaller one explains no energy, however certain it is. */
const MIN_SHARE = 0.05;

/** Minimum differences worth reporting, in each resource's unit. */
const MIN: Readonly<Record<Resource, number>> = {
  cpu_s: 0.03,
  user_s: 0.03,
  system_s: 0.03,
  throttled_s: 0.03,
  guest_cpu_s: 0.03,
  services_cpu_s: 0.03,
  client_cpu_s: 0.03,
  engine_cpu_s: 0.03,
  services_peak_memory_bytes: 2 ** 20,
  services_read_bytes: 2 ** 20,
  services_written_bytes: 2 ** 20,
  services_received_bytes: 2 ** 20,
  services_sent_bytes: 2 ** 20,
  peak_memory_bytes: 2 ** 20,
  read_bytes: 2 ** 20,
  written_bytes: 2 ** 20,
  received_bytes: 2 ** 20,
  sent_bytes: 2 ** 20,
  machine_received_bytes: 2 ** 20,
  machine_sent_bytes: 2 ** 20,
  minor_faults: 1000,
  major_faults: 10,
  switches_above_idle: 1000,
  engine_switches: 1000,
  machine_context_switches: 1000,
  cpu_stall_s: 0.03,
  memory_stall_s: 0.03,
  memory_full_stall_s: 0.03,
  io_stall_s: 0.03,
  io_full_stall_s: 0.03,
  machine_cpu_stall_s: 0.03,
  machine_memory_stall_s: 0.03,
  machine_memory_full_stall_s: 0.03,
  machine_io_stall_s: 0.03,
  machine_io_full_stall_s: 0.03,
  mean_frequency_hz: 1e7,
  frequency_after_hz: 1e7,
  temperature_after_c: 1,
};

/** Minimum number of blocks: a single one says nothing about chance. */
const MIN_BLOCKS = 2;

const amountIn = ({ resources, counters }: RunResult, resource: Resource): number | null => {
  if (resource === 'cpu_s') return resources?.cpuS ?? null;
  if (resource === 'peak_memory_bytes') return resources?.peakMemoryBytes ?? null;
  if (resource === 'read_bytes') return resources?.readBytes ?? null;
  if (resource === 'written_bytes') return resources?.writtenBytes ?? null;
  return counters?.find(({ counter }) => counter === resource)?.value ?? null;
};

const isOfOthers = (counter: Counter): boolean =>
  [ServiceCounter, ClientCounter, EngineCounter].some((own) => own.safeParse(counter).success);

/** Kernel counters of a variant's valid runs; absent if they were not read. */
export function variantCounters(runs: readonly Pick<RunResult, 'counters'>[]): {
  readonly counters?: VariantCounter[];
} {
  const all = runs.flatMap(({ counters = [] }) => counters);
  if (all.length === 0) return {};
  return {
    // Counters that don't apply are omitted, such as those of services where there are none.
    counters: Counter.options
      .filter((counter) => !isOfOthers(counter) || all.some((one) => one.counter === counter))
      .map((counter) => {
        const own = all.filter((one) => one.counter === counter);
        const values = own.flatMap(({ value }) => value ?? []);
        const missing = own.find((one) => one.missing !== null)?.missing ?? (own.length === 0 ? 'not-counted' : null);
        return { counter, runs: values.length, value: summarize(values), missing };
      }),
  };
}

/**
 * Adds the differences in resources to the comparisons on the primary channel, by the blocks where both values are known. All resources of
 * all comparisons share one false discovery rate (Benjamini and Hochberg 1995); the verdict's own rate is unaffected.
 */
export function withResources(
  comparisons: readonly Comparison[],
  runs: readonly RunResult[],
  channel: string,
): Comparison[] {
  const good = runs.filter((run) => run.channel === channel && isGood(run));
  const compared = comparisons.map((comparison) =>
    comparison.channel === channel ? differences(comparison, good) : [],
  );
  const adjusted = benjaminiHochberg(compared.flat().map(({ p }) => p));
  let next = 0;
  return comparisons.map((comparison, i) => {
    const resources = (compared[i] ?? []).map((one): ResourceComparison => {
      const q = adjusted[next++] ?? 1;
      return { ...one, q, clear: q <= FALSE_DISCOVERIES && isLarge(one) && isBeyondOpen(one) };
    });
    return resources.length === 0 ? comparison : { ...comparison, resources };
  });
}

type Difference = Omit<ResourceComparison, 'q' | 'clear'>;

function differences({ baseline, variant }: Comparison, runs: readonly RunResult[]): Difference[] {
  const of = (name: string) => runs.filter((run) => run.variant === name);
  const blocks = pairBlocks(of(baseline), of(variant)) ?? [];
  return Resource.options.flatMap((resource): Difference[] => {
    const pairs = blocks.flatMap(({ baseline: a, variant: b }) => {
      const [from, to] = [amountIn(a, resource), amountIn(b, resource)];
      return from === null || to === null ? [] : [[from, to, (a.openSwitches ?? 0) + (b.openSwitches ?? 0)] as const];
    });
    if (pairs.length < MIN_BLOCKS) return [];
    const change = pairs.map(([from, to]) => to - from);
    const [test, estimate] = [signedRank(change), walshEstimate(change)];
    // A resource that never differs is not tested.
    if (test === null || estimate === null || test.nNonzero === 0) return [];
    const { ci95 } = estimate;
    const hasOpen = resource === 'switches_above_idle';
    const open = hasOpen ? moments(pairs.map(([, , open]) => open)).mean : 0;
    return [
      {
        resource,
        blocks: pairs.length,
        baseline_mean: moments(pairs.map(([from]) => from)).mean,
        variant_mean: moments(pairs.map(([, to]) => to)).mean,
        difference: estimate.estimate,
        ci95: ci95 !== null && ci95.confidence >= 0.95 ? [ci95.interval[0] - open, ci95.interval[1] + open] : null,
        ...(hasOpen && { open }),
        p: test.p,
      },
    ];
  });
}

function isLarge({ resource, difference, baseline_mean: from, variant_mean: to }: Difference): boolean {
  const size = Math.abs(difference);
  return size >= MIN[resource] && size >= MIN_SHARE * Math.max(Math.abs(from), Math.abs(to));
}

/** Whether a difference exceeds its systematic uncertainty (`open`), which q does not include. */
function isBeyondOpen({ difference, ci95, open }: Difference): boolean {
  if (open === undefined) return true;
  return ci95 === null ? Math.abs(difference) > open : ci95[0] > 0 || ci95[1] < 0;
}
