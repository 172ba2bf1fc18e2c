import type { Findings } from '../findings/findings.ts';
import { failing } from '../report/verdict.ts';

/** A threshold that the user set was crossed. */
const CROSSED = 1;

/** Exit code of a command that has done its work. */
export function exitCodeOf(findings: Findings): number {
  return failing(findings).length > 0 ? CROSSED : 0;
}
