import type { RunResult, VariantFindings } from './findings.ts';
import { summarize } from './stats/summary.ts';

/** What the valid runs of one variant used; nothing where it was not recorded, null where it could not be read in every run. */
export function variantResources(runs: readonly RunResult[]): Pick<VariantFindings, 'resources'> {
  const used = runs.map(({ resources }) => resources ?? null).filter((of) => of !== null);
  if (used.length === 0) return {};
  const summary = (of: (used: NonNullable<RunResult['resources']>) => number | null) => {
    const values = used.map(of).filter((value) => value !== null);
    return values.length < runs.length ? null : summarize(values);
  };
  return {
    resources: {
      cpu_s: summary(({ cpuS }) => cpuS),
      peak_memory_bytes: summary(({ peakMemoryBytes }) => peakMemoryBytes),
      read_bytes: summary(({ readBytes }) => readBytes),
      written_bytes: summary(({ writtenBytes }) => writtenBytes),
    },
  };
}
