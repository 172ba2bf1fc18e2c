import type { VariantFindings } from '../findings/variant.ts';
import { summarize } from '../stats/summary.ts';
import type { RunResult } from './results.ts';

/**
 * What the valid runs of one variant used; null where it was not recorded, or could be read in none. A container may be gone
 * before its accounts were read, which has nothing to do with what it used: `resources_runs` are those that are known.
 */
export function variantResources(runs: readonly RunResult[]): Pick<VariantFindings, 'resources' | 'resources_runs'> {
  const used = runs.map(({ resources }) => resources ?? null).filter((of) => of !== null);
  if (used.length === 0) return { resources_runs: 0, resources: null };
  const summary = (of: (used: NonNullable<RunResult['resources']>) => number | null) => {
    return summarize(used.map(of).filter((value) => value !== null));
  };
  const known = used.filter((of) => Object.values({ ...of, unread: null }).some((value) => value !== null));
  return {
    resources_runs: known.length,
    resources: {
      cpu_s: summary(({ cpuS }) => cpuS),
      peak_memory_bytes: summary(({ peakMemoryBytes }) => peakMemoryBytes),
      read_bytes: summary(({ readBytes }) => readBytes),
      written_bytes: summary(({ writtenBytes }) => writtenBytes),
    },
  };
}
