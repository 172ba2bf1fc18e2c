import type { Findings } from '../../findings/findings.ts';
import { duration, short, wholeText } from '../../text/numbers.ts';
import { type Block, note } from '../document/blocks.ts';
import { type Text, text } from '../document/text.ts';
import { unitOfWork } from '../per-execution.ts';
import { getStanding, primaryComparisons } from '../verdict.ts';
import { comparisonName } from '../words/change.ts';
import { provenance } from '../words/provenance.ts';

/** Energy and time of the measurement, and when a saving pays it back; null: there are no readings. */
export function measuringCost(findings: Findings): Block | null {
  const { cost, meter } = findings;
  if (cost === undefined || cost.unknown === 'no-readings') return null;
  const time = duration(cost.duration_s);
  if (cost.energy_j === null) {
    return note(`Measuring took ${time}; its energy is not known, because readings are missing.`);
  }
  const source = meter.measured ? '' : ` (${provenance(findings).short})`;
  return note(...text`Measuring took ${amount(cost.energy_j)} in ${time}${source}${payback(findings)}.`);
}

/** Clause on when a saving pays the measurement back; empty if no comparison saves energy, or a failed check makes it doubtful. */
function payback(findings: Findings): Text {
  const { saving = null, pays_back_runs: runs = null } = findings.cost ?? {};
  const comparisons = primaryComparisons(findings);
  const comparison = comparisons.find((c) => c.baseline === saving?.baseline && c.variant === saving.variant);
  if (runs === null || comparison === undefined || getStanding({ findings, comparison }) !== 'decrease') return [];
  const what: Text = comparisons.length === 1 ? ['the change'] : comparisonName(comparison, comparisons);
  // Two digits, since the saving is not known more precisely.
  const about = runs < 100 ? runs : Number(runs.toPrecision(2));
  return text`; ${what} pays that back after ${wholeText(about)} ${unitOfWork(findings)}${runs === 1 ? '' : 's'}`;
}

/** `190 kJ`: the energy of a whole experiment. */
function amount(joules: number): string {
  if (joules < 1e4) return `${short(joules)} J`;
  return joules < 1e7 ? `${short(joules / 1e3)} kJ` : `${short(joules / 1e6)} MJ`;
}
