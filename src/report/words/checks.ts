import type { Check } from '../../findings/checks.ts';
import { type Text, text } from '../document/text.ts';
import { comparisonChecks } from './checks/comparison.ts';
import { driftChecks } from './checks/drift.ts';
import { csvChecks, experimentChecks } from './checks/experiment.ts';
import { meterChecks } from './checks/meter.ts';
import type { CheckTable, CheckWords } from './checks/table.ts';

/** A check in words: what was found, and what to do about it (null: nothing). */
export interface CheckTexts {
  readonly title: Text;
  readonly found: Text;
  readonly advice: Text | null;
  /** The finding as a short clause, without details. */
  readonly brief: Text;
}

const TABLE: CheckTable = {
  ...experimentChecks,
  ...meterChecks,
  ...driftChecks,
  ...comparisonChecks,
  ...csvChecks,
};

export function checkTexts(check: Check): CheckTexts {
  // The table maps each name to the function for its checks.
  const words = (TABLE[check.name] as (check: Check) => CheckWords)(check);
  const { title = [check.name], found, advice = null } = words;
  const { brief = text`the check of ${title} failed` } = words;
  return { title, found, advice, brief };
}
