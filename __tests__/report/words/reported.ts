import type { Check } from '../../../src/findings/checks.ts';
import { plainText } from '../../../src/report/document/text.ts';
import { checkTexts } from '../../../src/report/words/checks.ts';

/** A check as its reader has it. */
export interface ReportedCheck {
  readonly name: string;
  readonly state: Check['state'];
  readonly detail: string;
  readonly advice: string | null;
}

export function reportedCheck(check: Check): ReportedCheck {
  const { title, found, advice } = checkTexts(check);
  return {
    name: plainText(title),
    state: check.state,
    detail: plainText(found),
    advice: advice === null ? null : plainText(advice),
  };
}
