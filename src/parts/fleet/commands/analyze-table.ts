import { basename } from 'node:path';
import type { Analysis } from '../../../analysis/results.ts';
import { InputError } from '../../../errors.ts';
import type { Threshold } from '../../../experiment/experiment.ts';
import { thresholdOf } from '../../../experiment/goals.ts';
import { parseYaml } from '../../../experiment/yaml.ts';
import { percent } from '../../../input/quantities.ts';
import { quote } from '../../../input/words.ts';
import type { TableOptions } from '../../../terminal/terminal.ts';
import { analyzeCsv } from '../analysis/csv/analyze.ts';

const DEFAULT_MARGIN_PERCENT = 1;
/** As in an experiment file. */
const MAX_MARGIN_PERCENT = 50;

/** An analysis of the text of a CSV of runs. Throws InputError. */
export function analyzeTable(path: string, text: string, { baseline, margin, failOn }: TableOptions): Analysis {
  const marginPercent = parseMargin(margin);
  const name = basename(path).replace(/\.csv$/i, '');
  const goals = { failOn: failOn.map(parseThreshold) };
  const analysis = analyzeCsv(text, { file: path, name, baseline: baseline ?? null, marginPercent, goals });
  const compared = [...new Set(analysis.findings.comparisons.map(({ variant }) => variant))];
  const unknown = goals.failOn.find(({ variant }) => variant !== null && !compared.includes(variant));
  if (unknown === undefined) return analysis;
  throw new InputError(`--fail-on names ${quote(unknown.variant ?? '')}, which is compared with no baseline.`, {
    advice: `Compared are: ${compared.slice(0, 10).join(', ') || 'none'}${compared.length > 10 ? ', …' : ''}.`,
  });
}

/** Read as in an experiment file, where a variant may be named by a number. Throws InputError. */
function parseThreshold(text: string): Threshold {
  const given = text.trim();
  const threshold = thresholdOf(given.startsWith('{') ? parseYaml(given, '--fail-on', ['fail-on']).value : given);
  if (threshold !== null) return threshold;
  throw new InputError(
    `--fail-on ${quote(text)} is not a threshold; it must be a limit with its unit, such as 5% or "20 J", or { above: 5%, variant: container }.`,
  );
}

function parseMargin(given: string | undefined): number {
  if (given === undefined) return DEFAULT_MARGIN_PERCENT;
  const margin = percent(given);
  if (margin > 0 && margin <= MAX_MARGIN_PERCENT) return margin;
  throw new InputError(`--margin ${given} is not a percentage above 0 and up to ${MAX_MARGIN_PERCENT}.`, {
    advice: given.startsWith('-')
      ? 'A margin has no sign, because it applies in both directions: for example --margin 1%.'
      : 'For example --margin 1%.',
  });
}
