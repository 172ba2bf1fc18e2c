import type { Verdict } from '../findings/comparison.ts';
import type { Contrast } from '../findings/factorial.ts';
import type { Findings } from '../findings/findings.ts';
import { MISSING, pText, significant } from '../text/numbers.ts';
import { plural } from '../text/plain.ts';
import { markdownText } from './escape.ts';
import { markdownTable } from './markdown.ts';
import { type Cell, name, type Table } from './tables.ts';
import { plainText } from './words/compose.ts';
import { interactionText, mainText } from './words/factorial.ts';
import { verdictText } from './words/verdict.ts';
import { changeText, verdictWord } from './words.ts';

/** What an experiment with two factors tells beside its comparisons. `null`: it has none. */

type Numbers = Pick<Contrast, 'estimate' | 'ci95' | 'confidence' | 'p_holm' | 'minimum_detectable_percent' | 'verdict'>;

/** A row a contrast; with `words` its sentence in the last column. */
export function factorialTable(findings: Findings, words = false): Table | null {
  const { factorial } = findings;
  const said = sentencesOf(findings);
  if (!factorial || said === null) return null;
  const { factors, main, interaction, simple } = factorial;
  const row = (what: Cell, levels: Cell, c: Numbers, sentence: string, word = verdictWord(c.verdict)): Cell[] => [
    what,
    levels,
    changeText({ percent: c }),
    c.p_holm === null ? MISSING : pText(c.p_holm),
    c.minimum_detectable_percent === null ? MISSING : `${significant(c.minimum_detectable_percent, 2)} %`,
    word,
    ...(words ? [sentence] : []),
  ];
  return {
    head: ['Contrast', 'Of', '>Δ (95 % CI)', '>Holm', '>Detectable', 'Verdict', ...(words ? ['In words'] : [])],
    rows: [
      ...factors.map((f, i) =>
        row(name(f.name), name(`${f.levels[1]} against ${f.levels[0]}`), main[i]!, said.main[i]!),
      ),
      row(
        'Interaction',
        name(factors.map((f) => f.name).join(' × ')),
        interaction,
        said.interaction,
        INTERACTION[interaction.verdict],
      ),
      ...simple.map((c, i) =>
        row('Simple', name(`${c.variant} against ${c.baseline}`), { ...c, ...c.percent }, said.simple[i]!),
      ),
    ],
  };
}

/** Of a ratio of ratios. */
const INTERACTION: Readonly<Record<Verdict, string>> = {
  increase: 'higher ratio',
  decrease: 'lower ratio',
  'changed-within-margin': 'within margin',
  equivalent: 'equivalent',
  inconclusive: 'inconclusive',
};

/** What the numbers rest on, and what they are for. */
export function factorialNote({ factorial }: Findings): string {
  if (!factorial) return '';
  const [first, second] = factorial.factors;
  const rows = `A factor’s row is its difference averaged over the other factor; the interaction is the ratio of two ratios, ${second.levels.toReversed().join(' to ')} with ${first.levels[1]} over the same with ${first.levels[0]}.`;
  return `Secondary: the verdict rests on the comparisons. ${plural(factorial.blocks, 'block')} of all four variants. ${rows}`;
}

/** As Markdown: the interaction's sentence and the table; with `all` every sentence. */
export function factorialSection(findings: Findings, all = false): string | null {
  const { factorial } = findings;
  const table = factorialTable(findings);
  const said = sentencesOf(findings);
  if (!factorial || said === null || table === null) return null;
  return [
    `**Two factors.** ${markdownText(said.interaction, 900)}`,
    markdownTable(table),
    ...(all ? [[...said.main, ...said.simple].map((sentence) => `- ${markdownText(sentence, 900)}`).join('\n')] : []),
    `<sub>${markdownText(factorialNote(findings), 900)}</sub>`,
  ].join('\n\n');
}

/** For a terminal: a paragraph a sentence, the interaction first. */
export function factorialLines(findings: Findings): string[] {
  const said = sentencesOf(findings);
  if (said === null) return [];
  return [`Two factors: ${said.interaction}`, ...[...said.main, ...said.simple].map((sentence) => `- ${sentence}`)];
}

function sentencesOf({ factorial, experiment: { margin_percent: margin } }: Findings) {
  if (!factorial) return null;
  return {
    main: [0 as const, 1 as const].map((which) => plainText(mainText(factorial, which, margin))),
    interaction: plainText(interactionText(factorial, margin)),
    simple: factorial.simple.map((comparison) => plainText(verdictText(comparison, margin))),
  };
}
