import type { Comparison } from '../findings/comparison.ts';
import type { Findings } from '../findings/findings.ts';
import { significant } from '../text/numbers.ts';
import { headlineBrief } from './brief.ts';
import { fenced, markdownName, markdownText, mermaidLabel, shellWord } from './escape.ts';
import { forestPlot } from './forest.ts';
import { distinctLabels } from './labels.ts';
import { alertBox, codeBlock, folded } from './markdown.ts';
import { failing } from './threshold-words.ts';
import { byInterest, isOnlyNoise, primaryChannel, primaryComparisons } from './verdict.ts';
import { plainText } from './words/compose.ts';
import { headline } from './words/headline.ts';
import { howParts, provenance, verdictIcon, warnings, whyText } from './words.ts';

/** The paragraphs of comment.md and summary.md, each as Markdown. `null`: there is nothing to say. */

export function titleSection(findings: Findings): string {
  const { experiment } = findings;
  const { verdict, short } = headline(findings);
  const icon = verdict === null ? '⚪' : verdictIcon(verdict);
  const { tag } = provenance(findings);
  const failed = failing(findings);
  const tags = [
    ...(tag === null ? [] : [tag]),
    ...(failed.length === 0
      ? []
      : [failed.some((t) => t.state === 'crossed') ? 'threshold crossed' : 'limit not kept']),
    ...(experiment.complete ? [] : ['partial experiment']),
  ];
  const brief = headlineBrief(findings);
  const words =
    brief === null
      ? markdownText(short)
      : [
          ...(brief.verdict === null ? [] : [`${markdownText(brief.verdict)}:`]),
          markdownName(brief.variant, 60),
          markdownText(brief.numbers),
        ].join(' ');
  return `### ${icon} ${markdownName(experiment.name, 80)}: ${words}${tags.map((t) => ` — ${t.toLowerCase()}`).join('')}`;
}

/** Model and emulator first, so that nobody reads a number before. */
export function provenanceSection(findings: Findings): string | null {
  const { warning } = provenance(findings);
  return warning === null
    ? null
    : alertBox(findings.meter.source === 'unknown' ? 'WARNING' : 'CAUTION', [`**${markdownText(warning)}**`]);
}

export function verdictSection(findings: Findings): string {
  const texts = headline(findings);
  const [sentence, rest] = [plainText(texts.sentence), plainText(texts.restBesideTable)];
  return `**${markdownText(sentence, 1000)}**${rest === '' ? '' : ` ${markdownText(rest, 1000)}`}`;
}

/** Runs, order, meter, and what this machine can't tell apart. */
export function howSection(findings: Findings): string {
  const channel = findings.meter.channels.length > 1 ? [`verdict by the channel ${primaryChannel(findings)}`] : [];
  return markdownText([...howParts(findings), ...visibleParts(findings), ...channel].join(' · '));
}

/** The smallest change that these runs could have seen: between the best and the worst comparison. */
export function visibleParts(findings: Findings): string[] {
  const primary = primaryComparisons(findings);
  const all = primary.map((c) => c.minimum_detectable_percent).filter((least) => least !== null);
  // The heading of a single comparison says it already.
  if (all.length === 0 || headlineBrief(findings) !== null) return [];
  const ends = [...new Set([Math.min(...all), Math.max(...all)].map((least) => significant(least, 2)))];
  return [`smallest visible change ${ends.join(' to ')} %`];
}

/** Reasons that stand in the open; more are folded. */
const MOST_WHY = 3;

export function whySection(comparisons: readonly Comparison[], most: number): string | null {
  const lines = byInterest(comparisons).flatMap((c) => {
    // Without a clear difference there is nothing to explain.
    const why = c.why.time_share === null ? null : whyText(c);
    if (why === null) return [];
    const text = markdownText(why, 600);
    return [comparisons.length === 1 ? `Why: ${text}.` : `- ${markdownName(c.variant)}: ${text}`];
  });
  if (lines.length === 0 || most === 0) return null;
  if (comparisons.length === 1) return lines[0]!;
  const more = lines.length > most ? [`- … and ${lines.length - most} more in the report`] : [];
  const list = [...lines.slice(0, most), ...more].join('\n');
  return lines.length > MOST_WHY ? folded('Why', list) : `Why:\n${list}`;
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
    meter: { type, address, other_meters: others = [] },
  } = findings;
  const looks = e.looks && ` --set ${shellWord(`repetitions={looks: [${e.looks.planned.join(', ')}]}`)}`;
  const repetitions = looks ?? (e.repetitions_planned === null ? '' : ` --repetitions ${e.repetitions_planned}`);
  const seed = e.seed === null ? '' : ` --seed ${e.seed}`;
  const meter =
    type === 'csv'
      ? ''
      : ` --meter ${shellWord([`${type}${address === null ? '' : `:${address}`}`, ...others].join(','))}`;
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
  const typical = primaryComparisons(findings).some((c) => c.blocks !== null)
    ? ' Δ is the typical change within a block (Hodges–Lehmann), which need not be that of the means.'
    : '';
  const words = `Differences are variant minus baseline: positive means that the variant used more.${typical}`;
  return `<sub>${words} joulediff ${markdownText(findings.experiment.joulediff_version, 20)}</sub>`;
}
