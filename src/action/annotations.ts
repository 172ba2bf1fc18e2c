import * as core from '@actions/core';
import type { Check } from '../findings/checks.ts';
import type { Findings } from '../findings/findings.ts';
import type { ThresholdResult } from '../findings/goals.ts';
import { logLine } from '../forge/untrusted.ts';
import { plainText, sentences } from '../report/document/text.ts';
import { failing } from '../report/verdict.ts';
import { checkTexts } from '../report/words/checks.ts';
import { provenance } from '../report/words/provenance.ts';
import { limitText, thresholdText, variantName } from '../report/words/threshold.ts';
import { plain } from '../text/plain.ts';

interface Annotation {
  readonly title: string;
  readonly message: string;
}

/** Maximum error annotations: GitHub shows ten errors and ten warnings per step, and the step itself may need some. */
export const MAX_ERRORS = 9;
export const MAX_WARNINGS = 7;
/** Maximum characters of an annotation; the runner cuts messages after 4,096. */
const LONGEST = 2000;
const LONGEST_TITLE = 200;

/** Writes annotations for failing thresholds and check findings, which the job's page shows. It only writes to the log and fails nothing. */
export function annotate(findings: Findings): void {
  for (const { title, message } of limited(errorsOf(findings), MAX_ERRORS)) core.error(message, { title });
  for (const { title, message } of limited(listWarnings(findings), MAX_WARNINGS)) core.warning(message, { title });
}

function errorsOf(findings: Findings): Annotation[] {
  const { tag } = provenance(findings);
  const source = tag === null ? '' : ` (${tag.toLowerCase()})`;
  const thresholds = failing(findings).map((result) => ({
    title: `${titleOf(result)}${source}`,
    message: plainText(thresholdText(findings, result)),
  }));
  const checks = findings.quality.checks.filter(({ state }) => state === 'fail');
  return [
    ...thresholds,
    ...checks.map((check) => ({
      title: `Check failed: ${plainText(checkTexts(check).title)}`,
      message: textOf(check),
    })),
  ];
}

function titleOf(result: ThresholdResult): string {
  const what = result.state === 'crossed' ? 'Energy limit crossed' : 'Energy limit not shown to be kept';
  return `${what}: ${plainText([variantName(result)])}, ${limitText(result)}`;
}

function listWarnings({ quality }: Findings): Annotation[] {
  const checks = quality.checks.filter(({ state }) => state === 'warn');
  return checks.map((check) => ({ title: `Check: ${plainText(checkTexts(check).title)}`, message: textOf(check) }));
}

function textOf(check: Check): string {
  const { found, advice } = checkTexts(check);
  return plainText(sentences([found, advice ?? []]));
}

/** At most `most` annotations, each as one safe line, since names and details may come from files; the last gives the number of omitted ones. */
function limited(all: readonly Annotation[], most: number): Annotation[] {
  const shown = all.length > most ? all.slice(0, most - 1) : all;
  const safe = shown.map(({ title, message }) => ({
    title: logLine(plain(title, LONGEST_TITLE)),
    message: logLine(plain(message, LONGEST), LONGEST),
  }));
  const missing = all.length - shown.length;
  return missing === 0
    ? safe
    : [...safe, { title: 'More in the job summary', message: `${missing} more are in the job summary.` }];
}
