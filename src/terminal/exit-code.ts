import type { Findings } from '../findings/findings.ts';
import { failing } from '../report/threshold-words.ts';

/** A threshold that the user set was crossed. */
const CROSSED = 1;

/** Of a command that is through with its work. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
