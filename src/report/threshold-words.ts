import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import { plural } from '../text/plain.ts';
import { name, type Table } from './tables.ts';
import { plainText } from './words/compose.ts';
import { limitText, outcomeText, variantName } from './words/threshold.ts';

export function thresholdsOf({ thresholds }: Findings): readonly ThresholdResult[] {
  return thresholds ?? [];
}

/** Those that fail the job. */
export function failing(findings: Findings): ThresholdResult[] {
  return thresholdsOf(findings).filter(({ fails }) => fails);
}

/** Limits that stand in one sentence. */
const MOST_LIMITS = 10;

/** `+5 %, +20 J`: each once. */
export function limitList(results: readonly ThresholdResult[]): string {
  const limits = [...new Set(results.map(limitText))];
  return `${limits.slice(0, MOST_LIMITS).join(', ')}${limits.length > MOST_LIMITS ? ', …' : ''}`;
}

/** Of an experiment that was cut short, all at once; null: they were judged, or there are none. */
export function notJudged(findings: Findings): string | null {
  const all = thresholdsOf(findings);
  if (findings.experiment.complete || all.length === 0) return null;
  return `No threshold was judged (${limitList(all)}): the experiment was cut short.`;
}

const STATES: Readonly<Record<ThresholdResult['state'], string>> = { crossed: 'crossed', kept: 'kept', open: 'open' };

/** `Thresholds: 1 crossed, 2 kept.`; null: there are none. */
export function thresholdCount(findings: Findings): string | null {
  const all = thresholdsOf(findings);
  const counts = (['crossed', 'open', 'kept'] as const)
    .map((state) => [all.filter((t) => t.state === state).length, state] as const)
    .filter(([count]) => count > 0);
  if (counts.length === 0) return null;
  return `${plural(all.length, 'threshold')}: ${counts.map(([count, state]) => `${count} ${STATES[state]}`).join(', ')}.`;
}

/** In the order of their weight: what fails, what is open, what is kept. */
export function byWeight(results: readonly ThresholdResult[]): ThresholdResult[] {
  const weight = ({ fails, state }: ThresholdResult): number => (fails ? 0 : state === 'open' ? 1 : 2);
  return [...results].sort((a, b) => weight(a) - weight(b));
}

/** Every threshold with what it came to. */
export function thresholdTable(findings: Findings, results: readonly ThresholdResult[]): Table {
  return {
    head: ['>Limit', 'Variant', 'State', 'What it came to'],
    rows: results.map((result) => [
      limitText(result),
      name(plainText([variantName(result)])),
      `${STATES[result.state]}${result.fails ? ', fails' : ''}`,
      plainText(outcomeText(findings, result)),
    ]),
  };
}
