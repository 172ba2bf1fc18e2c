import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { bytes, percentWithInterval, quantity } from '../text/numbers.ts';
import { plain } from '../text/plain.ts';

/** A workload may have fifty phases; all of them are in the report. */
const MOST = 12;

/** One line a phase of a comparison, for the terminal: mean energies, and the change by blocks. Empty without phases. */
export function phaseLines({ phases = [], phases_not_compared: left = [] }: Comparison): string[] {
  const lines = phases.slice(0, MOST).map(({ phase, mean_energy_j: mean, percent, short, outside }) => {
    const change = percent.estimate === null ? 'no percent' : percentWithInterval(percent.estimate, percent.ci95);
    const name = outside ? phase : `“${plain(phase, 40)}”`;
    const rough = short && !outside ? '; short: its energy is rough' : '';
    return `${name}: ${quantity(mean.variant, 'J')} against ${quantity(mean.baseline, 'J')}, ${change}${rough}`;
  });
  if (phases.length > MOST) lines.push(`and ${phases.length - MOST} more`);
  const told = left
    .slice(0, MOST)
    .map(({ phase, reason }) => `“${plain(phase, 40)}” is not compared: ${plain(reason, 200)}`);
  return [...lines, ...told];
}

/** One line a variant: what its runs used beside energy. Empty where nothing is known. */
export function resourceLines({ variants }: Findings): string[] {
  return variants.flatMap(({ name, resources }) => {
    if (!resources) return [];
    const { cpu_s: cpu, peak_memory_bytes: peak, read_bytes: read, written_bytes: written } = resources;
    const parts = [
      cpu && `${quantity(cpu.mean, 's')} of processor time`,
      peak && `${bytes(peak.median)} of memory at the peak`,
      read && `${bytes(read.median)} read`,
      written && `${bytes(written.median)} written`,
    ].filter((part) => part !== null);
    return parts.length === 0 ? [] : [`${plain(name, 40)}: ${parts.join(', ')}`];
  });
}
