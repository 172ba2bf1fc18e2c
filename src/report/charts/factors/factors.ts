import type { Analysis } from '../../../analysis/results.ts';
import { plain, plural } from '../../../text/plain.ts';
import { unitOfWork } from '../../per-execution.ts';
import type { Theme } from '../canvas/theme.ts';
import type { ChartSpec } from '../chart.ts';
import { startNote } from '../parts/axis.ts';
import { frameText, isNarrow } from '../parts/frame.ts';
import { type Combinations, factorCombinations } from './combinations.ts';
import { drawnPanels, factorsPicture, LONGEST_LEVEL, MAX_ACROSS, MAX_LINES } from './picture.ts';

/** The energy of a matrix's variants over the levels of one factor, a line for each level of another. `null` where there is no matrix of two factors. */
export function factorsChart(analysis: Analysis, theme: Theme): ChartSpec | null {
  const { findings } = analysis;
  const values = factorCombinations(analysis);
  if (values === null) return null;
  const title = isNarrow(theme) ? 'Mean energy (J)' : `Mean energy per ${unitOfWork(findings)} (J)`;
  const [panel] = drawnPanels([{ values, title, unit: 'J' }]);
  if (panel === undefined) return null;
  const caption = captionOf(values, 'mean energy') + startNote(panel.axis, 'energy axis');
  return factorsPicture(
    'energy-by-factors',
    frameText(findings, `energy ${byFactors(values)}`, caption),
    [panel],
    theme,
  );
}

export const byFactors = ({ across, lines }: Combinations): string =>
  `by ${plain(across.name, LONGEST_LEVEL)} and ${plain(lines.name, LONGEST_LEVEL)}`;

/** Caption for the points; `what` names the quantity that they are means of. */
export function captionOf(combinations: Combinations, what: string): string {
  const { across, lines, blocks } = combinations;
  const first = plain(across.name, LONGEST_LEVEL);
  return (
    `Point: ${what} of ${plural(blocks, 'complete block')} with its 95 % interval; a line for each level of ${plain(lines.name, LONGEST_LEVEL)}. Parallel lines: ${first} does the same in all of them. ` +
    `The intervals hold what differs from block to block, too; effects are judged within the blocks. ${selectionOf(combinations)}`
  );
}

/** Caption's sentences on what the values are averaged over, and which of them are drawn; empty: all are, each by itself. */
export function selectionOf({ across, lines, averaged, others, summaries }: Combinations): string {
  const first = plain(across.name, LONGEST_LEVEL);
  const second = plain(lines.name, LONGEST_LEVEL);
  const left = [
    across.levels.length > MAX_ACROSS ? `${MAX_ACROSS} of ${across.levels.length} levels of ${first}` : '',
    lines.levels.length > MAX_LINES ? `${MAX_LINES} of ${lines.levels.length} levels of ${second}` : '',
  ].filter(Boolean);
  return (
    (averaged === 0 ? '' : `Averaged over ${plural(averaged, 'combination')} of the other factors. `) +
    (others > 0 ? `Of ${others + 1} pairs of factors, the one whose interaction stands out most. ` : '') +
    (summaries.flat().includes(null) ? 'Lines have a gap where a combination is excluded. ' : '') +
    (left.length === 0 ? '' : `The first ${left.join(' and ')} are drawn. `)
  );
}
