import { basename } from 'node:path';
import type { Analysis } from '../../../analysis/results.ts';
import { InputError } from '../../../errors.ts';
import { parseThreshold } from '../../../experiment/goals.ts';
import { percent } from '../../../input/quantities.ts';
import type { TableOptions } from '../../../terminal/terminal.ts';
import { analyzeCsv } from '../analysis/csv/analyze.ts';

const DEFAULT_MARGIN_PERCENT = 1;
/** As in an experiment file. */
const MAX_MARGIN_PERCENT = 50;

/** An analysis of the text of a CSV of runs. Throws InputError. */
export function analyzeTable(path: string, text: string, { baseline, margin, failOn }: TableOptions): Analysis {
  const marginPercent = parseMargin(margin);
  const name = basename(path).replace(/\.csv$/i, '');
  const goals = { failOn: failOn.map((limit) => parseThreshold(limit, '--fail-on')) };
  return analyzeCsv(text, { file: path, name, baseline: baseline ?? null, marginPercent, goals });
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
