import type { Comparison, Findings } from '../analysis/findings.ts';
import { briefs } from './brief.ts';
import { fenced, markdownName, markdownText, mermaidLabel, shellWord } from './escape.ts';
import { forestPlot } from './forest.ts';
import { significant } from './format.ts';
import { distinctLabels } from './labels.ts';
import { alertBox, codeBlock, folded } from './markdown.ts';
import { byInterest, headline, isOnlyNoise } from './verdict.ts';
import { howParts, provenance, verdictIcon, warnings, whyText } from './words.ts';

/** The paragraphs of comment.md and summary.md, each as Markdown. `null`: there is nothing to say. */

export function titleSection(findings: Findings): string {
  const { experiment } = findings;
  const { verdict, short } = headline(findings);
  const icon = verdict === null ? '⚪' : verdictIcon(verdict);
  const { tag } = provenance(findings);
  const tags = [...(tag === null ? [] : [tag]), ...(experiment.complete ? [] : ['partial experiment'])];
  return `### ${icon} ${markdownName(experiment.name, 80)}: ${markdownText(short)}${tags.map((t) => ` — ${t.toLowerCase()}`).join('')}`;
}

/** Model and emulator first, so that nobody reads a number before. */
export function provenanceSection(findings: Findings): string | null {
  const { warning } = provenance(findings);
  return warning === null
    ? null
    : alertBox(findings.meter.source === 'unknown' ? 'WARNING' : 'CAUTION', [`**${markdownText(warning)}**`]);
}

/** The result in numbers alone, a line a comparison. */
export function briefSection(findings: Findings): string | null {
  const lines = briefs(findings).map(({ variant, numbers }) => `${markdownName(variant)} ${markdownText(numbers)}`);
  return lines.length === 0 ? null : lines.join('  \n');
}

export function verdictSection(findings: Findings): string {
  const { sentence, rest } = headline(findings);
  return `**${markdownText(sentence)}**${rest === '' ? '' : ` ${markdownText(rest)}`}`;
}

export function howSection(findings: Findings): string {
  return markdownText(howParts(findings).join(' · '));
}

export function whySection(comparisons: readonly Comparison[], most: number): string | null {
  const lines = byInterest(comparisons).flatMap((c) => {
    const why = whyText(c);
    return why === null ? [] : [comparisons.length === 1 ? `Why: ${why}.` : `- ${markdownName(c.variant)}: ${why}`];
  });
  if (lines.length === 0 || most === 0) return null;
  if (comparisons.length === 1) return lines[0]!;
  const more = lines.length > most ? [`- … and ${lines.length - most} more in the report`] : [];
  return ['Why:', ...lines.slice(0, most), ...more].join('\n');
}

export function warningsSection(findings: Findings, most: number): string | null {
  const all = warnings(findings);
  if (all.length === 0) return null;
  const lines = all.slice(0, most).map(({ text, advice }) => {
    return `- ${markdownText(text, 300)}${advice === null ? '' : ` ${markdownText(advice, 300)}`}`;
  });
  if (all.length > most) lines.push(`- … and ${all.length - most} more in the report.`);
  return alertBox('WARNING', lines);
}

export function forestSection(comparisons: readonly Comparison[], most: number): string | null {
  const lines = forestPlot(byInterest(comparisons).slice(0, most));
  return lines.length === 0 ? null : codeBlock('text', lines.join('\n'));
}

/** Mean energy by variant, from zero: mermaid draws no intervals, so they are in the table. */
export function mermaidSection(findings: Findings, most: number): string | null {
  const variants = findings.variants.filter((v) => v.energy_j !== null);
  if (variants.length < 2 || variants.length > most) return null;
  const labels = distinctLabels(
    variants.map((v) => v.name),
    (n) => mermaidLabel(n),
  );
  const means = variants.map((v) => Number((v.energy_j?.mean ?? 0).toPrecision(4)));
  if (means.some((mean) => mean < 0 || (mean > 0 && mean < 1e-6))) return null;
  const { tag } = provenance(findings);
  return codeBlock(
    'mermaid',
    [
      'xychart-beta',
      `  title "Mean energy per run (J)${tag === null ? '' : `, ${tag.toLowerCase().replace(/,/g, '')}`}"`,
      `  x-axis [${labels.map((label) => `"${mermaidLabel(label, 30)}"`).join(', ')}]`,
      `  y-axis "J" 0 --> ${significant(Math.max(...means) * 1.1, 3).replace(/,/g, '')}`,
      `  bar [${means.join(', ')}]`,
    ].join('\n'),
  );
}

/** Folded; null where the numbers come from a file that joulediff did not make. */
export function reproduceSection(findings: Findings): string | null {
  if (findings.meter.source === 'unknown') return null;
  const {
    experiment: e,
    meter: { address },
  } = findings;
  const looks = e.looks && ` --set ${shellWord(`repetitions={looks: [${e.looks.planned.join(', ')}]}`)}`;
  const repetitions = looks ?? (e.repetitions_planned === null ? '' : ` --repetitions ${e.repetitions_planned}`);
  const seed = e.seed === null ? '' : ` --seed ${e.seed}`;
  const meter =
    findings.meter.type === 'csv'
      ? ''
      : ` --meter ${shellWord(`${findings.meter.type}${address === null ? '' : `:${address}`}`)}`;
  const body = [
    'The same plan in the same order, on one’s own machine; then the report from the downloaded data:',
    codeBlock(
      'sh',
      [
        `joulediff ${isOnlyNoise(findings) ? 'noise' : 'run'} joulediff.yml${repetitions}${seed}${meter}`,
        'joulediff report experiment.db',
      ]
        .map((l) => fenced(l))
        .join('\n'),
    ),
  ].join('\n\n');
  return folded('How to reproduce', body);
}

export function footerSection(findings: Findings): string {
  const words = 'Differences are variant minus baseline: positive means that the variant used more.';
  return `<sub>${words} joulediff ${markdownText(findings.experiment.joulediff_version, 20)}</sub>`;
}
