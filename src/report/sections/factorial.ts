import type { Verdict } from '../../findings/comparison.ts';
import type { Contrast, Factorial } from '../../findings/factorial.ts';
import type { Findings } from '../../findings/findings.ts';
import { pText } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { type Cell, list, note, type Part, paragraph, type Table, table } from '../document/blocks.ts';
import { name, type Text } from '../document/text.ts';
import { failedChecks, getMark } from '../verdict.ts';
import { changeText, detectableText } from '../words/change.ts';
import { interactionText, mainText } from '../words/factorial.ts';
import { beforeClaims } from '../words/headline.ts';
import { verdictText } from '../words/verdict.ts';

/** Results of a 2 × 2 design in addition to its comparisons; null: there is none. The interaction is always given in words. */
export function factorial(findings: Findings, contrasts: 'as table' | 'in words' | 'as table and in words'): Part {
  const { factorial: found, experiment } = findings;
  if (!found) return null;
  const margin = experiment.margin_percent;
  const others: Text[] = [
    mainText(found, 0, margin),
    mainText(found, 1, margin),
    ...found.simple.map((comparison) => verdictText(comparison, margin)),
  ];
  return [
    paragraph({ strong: ['Two factors.'] }, ' ', ...beforeClaims(findings), ...interactionText(found, margin)),
    contrasts === 'in words' ? null : contrastTable(found, findings),
    contrasts === 'as table' ? null : list(others),
    note(basis(found)),
  ];
}

interface Row extends Pick<Contrast, 'estimate' | 'ci95' | 'confidence' | 'p_holm' | 'minimum_detectable_percent'> {
  readonly contrast: Cell;
  readonly levels: string;
  readonly verdict: Verdict;
  readonly word?: string;
}

function contrastTable({ factors, main, interaction, simple, channel }: Factorial, findings: Findings): Table {
  const untrusted = failedChecks(findings, channel).length > 0;
  const rows: Row[] = [
    ...factors.map((f, i) => ({
      ...main[i]!,
      contrast: name(f.name),
      levels: `${f.levels[1]} against ${f.levels[0]}`,
    })),
    {
      ...interaction,
      contrast: 'Interaction',
      levels: factors.map((f) => f.name).join(' × '),
      word: INTERACTION[interaction.verdict],
    },
    ...simple.map((c) => ({ ...c, ...c.percent, contrast: 'Simple', levels: `${c.variant} against ${c.baseline}` })),
  ];
  return table('Contrasts', rows, [
    { head: 'Contrast', cell: (row) => row.contrast },
    { head: 'Levels', cell: (row) => name(row.levels) },
    { head: 'Δ (95 % CI)', numeric: true, cell: (row) => changeText({ percent: row }) },
    { head: 'Holm', numeric: true, spare: 1, cell: (row) => (row.p_holm === null ? null : pText(row.p_holm)) },
    {
      head: 'Smallest detectable change',
      numeric: true,
      spare: 2,
      cell: ({ minimum_detectable_percent: least }) => detectableText(least),
    },
    {
      head: 'Verdict',
      cell: ({ verdict, word }) =>
        untrusted
          ? { verdict: 'untrusted' }
          : { verdict: getMark(findings, verdict, channel), ...(word !== undefined && { word }) },
    },
  ]);
}

/** Words for the verdict on a ratio of ratios. */
const INTERACTION: Readonly<Record<Verdict, string>> = {
  increase: 'higher ratio',
  decrease: 'lower ratio',
  'changed-within-margin': 'within margin',
  equivalent: 'equivalent',
  inconclusive: 'inconclusive',
  failed: 'failed',
};

/** Data that the contrasts are based on, and their purpose. */
function basis({ factors: [first, second], blocks }: Factorial): string {
  const rows = `A factor’s row is its difference averaged over the other factor; the interaction is the ratio of two ratios, ${second.levels.toReversed().join(' to ')} with ${first.levels[1]} over the same with ${first.levels[0]}.`;
  return `Secondary: the verdict rests on the comparisons. ${plural(blocks, 'block')} of all four variants. ${rows}`;
}
