import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { MISSING, quantity, significant } from '../text/numbers.ts';
import { type Cell, name, type Table } from './tables.ts';
import { meanEnergies, primaryChannel } from './verdict.ts';
import { changeText, channelText, effectText, verdictIcon, verdictWord } from './words.ts';

/** A row a comparison in so few columns that a comment shows them side by side. Other channels than the primary one are named. */
export function compactTable(findings: Findings, comparisons: readonly Comparison[]): Table {
  const channels = comparisons.some((c) => c.channel !== primaryChannel(findings));
  const rows = comparisons.map((c): Cell[] => [
    ...(channels ? [name(channelText(findings, c.channel))] : []),
    name(c.baseline),
    name(c.variant),
    energies(findings, c),
    changeText(c),
    effectText(c) ?? MISSING,
    `${verdictIcon(c.verdict)} ${verdictWord(c.verdict)}`,
  ]);
  const head = ['Baseline', 'Variant', '>Mean energy', '>Δ (95 % CI)', 'Effect size', 'Verdict'];
  return { head: channels ? ['Channel', ...head] : head, rows };
}

/** `249.7 → 257.8 J`: of the baseline, of the variant. */
function energies(findings: Findings, comparison: Comparison): string {
  const { baseline, variant } = meanEnergies(findings, comparison);
  if (baseline === null && variant === null) return MISSING;
  return `${baseline === null ? MISSING : significant(baseline)} → ${quantity(variant, 'J')}`;
}
