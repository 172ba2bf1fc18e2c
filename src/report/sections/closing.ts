import type { Findings } from '../../findings/findings.ts';
import { RESULT_FILES } from '../../system/result-files.ts';
import { significant } from '../../text/numbers.ts';
import { distinctLabels } from '../../text/plain.ts';
import { type Block, type Code, type Details, details, note, paragraph } from '../document/blocks.ts';
import { fenced, mermaidLabel } from '../escape.ts';
import { unitOfWork } from '../per-execution.ts';
import { isOnlyNoise, primaryComparisons } from '../verdict.ts';
import { isImported, provenance } from '../words/provenance.ts';

/** Mermaid's own bars are nearly invisible on GitHub (#ECECFF) and Gitea (#EEE). This color is visible there, and on dark pages. */
const BAR = '#4c8bf5';

/** Bar chart of mean energies from zero, of at most `most` variants. Mermaid draws no intervals; the table has them. */
export function meansChart(findings: Findings, most: number): Code | null {
  const variants = findings.variants.filter((v) => v.energy_j !== null);
  if (variants.length < 2 || variants.length > most) return null;
  const names = variants.map((v) => v.name);
  const labels = distinctLabels(names, (n) => mermaidLabel(n));
  const compared = primaryComparisons(findings);
  const means = variants.map(({ name, energy_j: all }) => {
    // The mean of the runs that are compared, as in the table: a run of a block that was not finished is not among them.
    const mean =
      compared.find(({ variant }) => variant === name)?.mean_energy_j.variant ??
      compared.find(({ baseline }) => baseline === name)?.mean_energy_j.baseline;
    return Number((mean ?? all?.mean ?? 0).toPrecision(4));
  });
  if (means.every((mean) => mean === 0) || means.some((mean) => mean < 0 || (mean > 0 && mean < 1e-6))) return null;
  const { tag, short } = provenance(findings);
  return {
    kind: 'code',
    language: 'mermaid',
    lines: [
      `%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "${BAR}"}}}}%%`,
      'xychart-beta',
      `  title "Mean energy per ${unitOfWork(findings)} (J)${tag === null ? '' : `, ${short}`}"`,
      `  x-axis [${labels.map((label) => `"${mermaidLabel(label, 30)}"`).join(', ')}]`,
      `  y-axis "J" 0 --> ${significant(Math.max(...means) * 1.1, 3).replace(/,/g, '')}`,
      `  bar [${means.join(', ')}]`,
    ],
  };
}

/** How to reproduce the result, folded; null: the numbers come from an imported file. */
export function reproduce(findings: Findings): Details | null {
  if (isImported(findings)) return null;
  const { seed, commit } = findings.experiment;
  const file = RESULT_FILES.experiment;
  const commands = [
    ...(commit === undefined ? [] : [`git checkout ${commit.sha}`]),
    `joulediff ${isOnlyNoise(findings) ? 'noise' : 'run'} ${file}${seed === null ? '' : ` --seed ${seed}`}`,
  ];
  return details(
    ['How to reproduce'],
    paragraph(
      `The same plan in the same order, on your own machine: put ${file} of the result into the folder of your checkout that it was measured in, and name your meter there. Values that may be secret are masked with asterisks: fill them in again.${commit?.dirty ? ' Uncommitted changes are not in the result: without them, the measured files differ.' : ''}`,
    ),
    { kind: 'code', language: 'sh', lines: commands.map((line) => fenced(line)) },
    paragraph('The report of the downloaded data themselves: joulediff report experiment.db'),
  );
}

/** Explains what a positive difference means, and that a change is a Hodges–Lehmann estimate. */
export function differencesText(findings: Findings): string {
  const typical = primaryComparisons(findings).some((c) => c.blocks !== null)
    ? ' A change is the typical one within a block (Hodges–Lehmann estimate), which may differ from those of the medians and means.'
    : '';
  return `Differences are variant minus baseline: positive means that the variant used more.${typical}`;
}

/** Closing line of a document: how to read differences, and the version of joulediff. */
export function footer(findings: Findings): Block {
  return note(`${differencesText(findings)} joulediff ${findings.experiment.joulediff_version}`);
}
