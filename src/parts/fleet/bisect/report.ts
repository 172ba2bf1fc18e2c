import { join } from 'node:path';
import { interval95, ratioPercent } from '../../../analysis/comparison/percent.ts';
import { alert, type Heading, list, note, type Part, paragraph, table } from '../../../report/document/blocks.ts';
import { renderMarkdown } from '../../../report/document/markdown.ts';
import { renderTerminal, type TerminalOptions } from '../../../report/document/terminal.ts';
import { code, joined, name, type Text, text } from '../../../report/document/text.ts';
import { provenanceAlert } from '../../../report/sections/top.ts';
import { primaryComparisons } from '../../../report/verdict.ts';
import { changeText } from '../../../report/words/change.ts';
import { meterText } from '../../../report/words/provenance.ts';
import { fixed, percentWithInterval } from '../../../text/numbers.ts';
import { plain, plural } from '../../../text/plain.ts';
import { type Bisection, isChange } from './bisect.ts';
import { type Commit, short } from './commits.ts';
import { CERTAINTY } from './next-step.ts';
import type { Observation } from './posterior.ts';

/** Commits that are listed where the answer is open. */
const MAX_LISTED = 12;
const MAX_SUBJECT = 60;

/** As plain text with a line end at its end. `folder`: of the bisection, as a reader names it. */
export const bisectTerminal = (found: Bisection, folder: string, options: TerminalOptions): string =>
  renderTerminal(document(found, folder), options);

export const bisectMarkdown = (found: Bisection, folder: string): string => renderMarkdown(document(found, folder));

function document(found: Bisection, folder: string): Part[] {
  return [
    provenanceAlert(found.findings),
    title(found),
    ...answer(found),
    trust(found),
    measured(found),
    skipped(found),
    paragraph('Report of the comparison that shows it: ', name(join(folder, found.evidence, 'report.html'))),
    note(...method(found)),
  ];
}

/** `+1.1 % (+0.8 to +1.4)`: by the comparison that shows the step by itself. */
function changeOf({ findings, believed }: Bisection): { readonly words: string; readonly verb: string } {
  const [comparison] = primaryComparisons(findings);
  return {
    words: comparison === undefined ? '–' : changeText(comparison),
    verb: (believed?.posterior.step ?? 0) < 0 ? 'lowered' : 'raised',
  };
}

function title(found: Bisection): Heading {
  const { outcome, believed, range } = found;
  const { words, verb } = changeOf(found);
  const heading = (of: Text): Heading => ({ kind: 'heading', level: 1, text: of });
  const [from, to] = [range.commits[0], range.commits.at(-1)].map((commit) => name(short((commit as Commit).sha)));
  if (outcome === 'no-step') return heading(text`No step was found from ${from!} to ${to!}: ${words}`);
  if (outcome === 'open' || believed === null) return heading(text`The step from ${from!} to ${to!} is not found yet`);
  const { commits } = believed.suspects;
  if (commits.length > 1) return heading(text`One of ${String(commits.length)} commits ${verb} the energy: ${words}`);
  return heading(text`${name(short(shaOf(found, commits[0] as number)))} ${verb} the energy: ${words}`);
}

const shaOf = ({ range }: Bisection, position: number): string => range.commits[position]?.sha as string;

function answer(found: Bisection): Part[] {
  const { outcome, believed, findings, range } = found;
  if (believed === null) {
    const [comparison] = primaryComparisons(findings);
    const last = String(range.commits.length - 1);
    return [
      paragraph(
        comparison?.verdict === 'equivalent'
          ? `The ends are equivalent, so none of the ${last} commits is searched. Steps up and down again between them would not be seen.`
          : `The ends don’t differ clearly, so none of the ${last} commits is searched. More time or a quieter machine may show a smaller step.`,
      ),
    ];
  }
  const { suspects, credible, posterior } = believed;
  if (outcome === 'found') {
    const sure = `${fixed(Math.min(99.9, 100 * suspects.probability), 1)} %`;
    const one = suspects.commits.length === 1;
    return [
      list(suspects.commits.map((of) => commitText(found, of))),
      paragraph(
        `Probability that ${one ? 'this commit did' : 'one of these did'} it, if one commit did: ${sure}.`,
        one ? '' : ' What lies between them could not be built or run.',
      ),
      unclear(found),
      other(found),
    ];
  }
  const shown = credible.slice(0, MAX_LISTED);
  const percent = (of: number): string => `${fixed(100 * (posterior.probability[of] as number), 0)} %`;
  return [
    paragraph(
      `With ${fixed(100 * CERTAINTY, 0)} % probability it is one of ${plural(credible.length, 'commit')}; the likeliest:`,
    ),
    list(shown.map((of) => joined([commitText(found, of), [percent(of)]], ', '))),
    paragraph('To go on: the same command with ', code('--resume'), '.'),
  ];
}

function commitText({ range }: Bisection, position: number): Text {
  const { sha, subject } = range.commits[position] as Commit;
  return text`${name(short(sha))} ${name(plain(subject, MAX_SUBJECT))}`;
}

/** Note: the commit was identified from all runs together, so its own comparison need not show the change. */
function unclear({ findings }: Bisection): Part {
  if (isChange(findings)) return null;
  return alert(
    'warning',
    paragraph(
      'Compared by themselves, the commit and the one before it do not differ clearly: all runs together name it.',
    ),
  );
}

/** Note if the neighbors show a smaller change than the ends: then another commit contributed. */
function other(found: Bisection): Part {
  const [comparison] = primaryComparisons(found.findings);
  const [low, high] = (comparison && interval95(comparison.percent)) ?? [];
  const whole = change(found.observations, 0, found.range.commits.length - 1)?.estimate ?? Number.NaN;
  if (low === undefined || high === undefined || !(whole < low || whole > high)) return null;
  return alert(
    'warning',
    paragraph(
      `From the good end to the bad one it is ${percentWithInterval(whole, null)}, which this commit alone does not explain: look for another step on either side of it.`,
    ),
  );
}

function trust({ untrusted, steps }: Bisection): Part {
  if (untrusted.length === 0) return null;
  return alert(
    'warning',
    paragraph(
      `Checks failed in ${untrusted.length} of ${plural(steps.length, 'step')} (${untrusted.join(', ')}), so this may be wrong. Their reports say which.`,
    ),
  );
}

interface Row {
  readonly position: number;
  readonly blocks: number;
  readonly change: string;
}

function measured(found: Bisection): Part {
  const { observations, believed } = found;
  const positions = [...new Set(observations.map(({ commit }) => commit))]
    .filter((of) => of > 0)
    .toSorted((a, b) => a - b);
  const rows = positions.map((position): Row => {
    const against = change(observations, 0, position);
    return {
      position,
      blocks: against?.blocks ?? 0,
      change: against === null ? '–' : changeText({ percent: against }),
    };
  });
  return table(
    'Commits that were measured',
    rows,
    [
      { head: 'Commit', cell: ({ position }) => name(short(shaOf(found, position))) },
      {
        head: 'Subject',
        spare: 1,
        cell: ({ position }) => name(plain(found.range.commits[position]?.subject ?? '', MAX_SUBJECT)),
      },
      { head: 'Against the good end (95 % CI)', numeric: true, cell: (row) => row.change },
      { head: 'Blocks', numeric: true, spare: 2, cell: ({ blocks }) => String(blocks) },
    ],
    ({ position }) => believed?.suspects.commits.includes(position) ?? false,
  );
}

/** Change between two commits in percent, from blocks with both, as of a comparison; null: no such block. */
function change(observations: readonly Observation[], before: number, after: number) {
  const blocks = Map.groupBy(observations, ({ block }) => block);
  const differences = [...blocks.values()].flatMap((runs) => {
    const [a, b] = [before, after].map((of) => runs.find(({ commit }) => commit === of)?.logEnergy);
    return a === undefined || b === undefined ? [] : [b - a];
  });
  return differences.length === 0 ? null : { ...ratioPercent(differences), blocks: differences.length };
}

function skipped(found: Bisection): Part {
  const { skipped } = found;
  if (skipped.size === 0) return null;
  const lines = [...skipped].map(
    ([of, reason]) => text`${commitText(found, of)}: ${plain(reason.split('\n')[0] ?? '', 200)}`,
  );
  return [paragraph(`Skipped, since ${skipped.size === 1 ? 'it' : 'they'} could not be built or run:`), list(lines)];
}

function method({ range, steps, observations, findings }: Bisection): Text {
  return [
    `${plural(range.commits.length - 1, 'commit')}, ${plural(steps.length, 'step')}, ${plural(observations.length, 'run')}; ${meterText(findings)}. ` +
      'A linear model of log energies with block effects and one step, under each commit in turn; runs scatter as Student’s t. ' +
      'A change that is not due to one commit, such as a slow drift over many, is outside this model.',
  ];
}
