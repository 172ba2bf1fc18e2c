import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { confidenceText, decimalsFor, fixed, percent, significant } from '../text/numbers.ts';
import { byInterest, primaryComparisons } from './verdict.ts';
import { noChangeWords } from './words/headline.ts';

/** The result of one comparison in one line, its variant apart, because each document sets a name in its own way. */
export interface Brief {
  readonly variant: string;
  /** `+3.1 % (95 % CI 2.2 … 4.0); noise floor ±0.9 %; smallest visible change 1.2 %`, as far as it is known. */
  readonly numbers: string;
}

/** With more comparisons the table is the shorter way to say it. */
const MOST = 3;

/** The results on the primary channel, those of most interest first; empty where there is no estimate, and where there are many. */
export function briefs(findings: Findings): Brief[] {
  const known = byInterest(primaryComparisons(findings)).filter((c) => c.percent.estimate !== null);
  if (known.length > MOST) return [];
  return known.map((c) => ({
    variant: c.variant,
    numbers: [change(c), noiseFloor(findings), visible(c)].filter((part) => part !== null).join('; '),
  }));
}

/**
 * The heading of a single comparison: `container +3.1 % (95 % CI 2.2 … 4.0); noise floor ±0.9 %; smallest visible change 1.2 %`, and its
 * verdict first where that is no change; null: there is no estimate, or there are several comparisons. The variant apart, as above.
 */
export function headlineBrief(findings: Findings): (Brief & { readonly verdict: string | null }) | null {
  const [only, ...others] = primaryComparisons(findings);
  if (only === undefined || others.length > 0) return null;
  const [brief] = briefs(findings);
  if (brief === undefined) return null;
  return { ...brief, verdict: noChangeWords(only, findings.experiment.margin_percent) };
}

function change({ percent: { estimate, ci95, confidence } }: Comparison): string {
  if (ci95 === null) return percent(estimate);
  const decimals = decimalsFor(ci95);
  const [low, high] = ci95.map((end) => fixed(end, decimals));
  return `${percent(estimate, ci95)} (${confidenceText(confidence, 0.95)} CI ${low} … ${high})`;
}

function noiseFloor({ quality: { noise_floor_percent: floor } }: Findings): string | null {
  return floor === null ? null : `noise floor ±${significant(floor, 2)} %`;
}

function visible({ minimum_detectable_percent: least }: Comparison): string | null {
  return least === null ? null : `smallest visible change ${significant(least, 2)} %`;
}
