import { createHash } from 'node:crypto';
import type { Analysis } from '../analysis/findings.ts';
import { chartSpecs } from './charts/charts.ts';
import { renderSvg } from './charts/svg.ts';
import { page } from './charts/theme.ts';
import { runsCsv } from './csv.ts';
import { escapeJsonForScript, htmlText } from './escape.ts';
import { findingsJson } from './findings-json.ts';
import { details, section, table } from './html/parts.ts';
import { STYLE } from './html/style.ts';
import { manyStatisticsTable, statisticsTable } from './statistics.ts';
import { checksTable, comparisonTable, conditionsTable, runTable, variantTable, whyTable } from './tables.ts';
import { byInterest, headline, primaryComparisons } from './verdict.ts';
import { howParts, provenance, verdictMark, warnings } from './words.ts';

/** Runs shown; every one of them is in the page's data. */
const MOST_RUNS = 2000;

/**
 * report.html: one file that needs nothing else and runs nothing. The findings and the runs lie in it as data
 * (`#findings` as JSON, `#runs` as a JSON string of runs.csv).
 */
export function reportHtml(analysis: Analysis): string {
  const { findings } = analysis;
  const style = createHash('sha256').update(STYLE).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  const { tag } = provenance(findings);
  const title = `${findings.experiment.name}: ${headline(findings).short}${tag === null ? '' : ` (${tag.toLowerCase()})`}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${[top(analysis), caveats(analysis), results(analysis), charts(analysis), more(analysis)].filter(Boolean).join('\n')}
</main>
<footer><p>Differences are variant minus baseline: positive means that the variant used more. joulediff ${htmlText(findings.experiment.joulediff_version)}</p></footer>
<script type="application/json" id="findings">${escapeJsonForScript(findingsJson(findings))}</script>
<script type="application/json" id="runs">${escapeJsonForScript(JSON.stringify(runsCsv(analysis.runs)))}</script>
</body>
</html>
`;
}

function top(analysis: Analysis): string {
  const { findings } = analysis;
  const { sentence, rest, short } = headline(findings);
  const { warning } = provenance(findings);
  return [
    `<p class="eyebrow">joulediff: energy of <bdi>${htmlText(findings.experiment.name)}</bdi></p>`,
    `<h1>${htmlText(short.charAt(0).toUpperCase() + short.slice(1))}</h1>`,
    warning === null ? '' : `<p class="box loud" role="note">${htmlText(warning)}</p>`,
    `<p><span class="sentence">${htmlText(sentence)}</span> ${htmlText(rest)}</p>`,
    `<p class="how">${htmlText(howParts(findings).join(' · '))}</p>`,
  ].join('\n');
}

function caveats({ findings }: Analysis): string {
  const all = warnings(findings);
  if (all.length === 0) return '';
  const items = all.map(({ text, advice }) => `<li>${htmlText(text)} ${advice === null ? '' : htmlText(advice)}</li>`);
  return `<div class="box" role="note"><ul>${items.join('\n')}</ul></div>`;
}

function results(analysis: Analysis): string {
  const ordered = byInterest(analysis.findings.comparisons);
  if (ordered.length === 0) return '';
  const why = whyTable(byInterest(primaryComparisons(analysis.findings)));
  return [
    section('Comparisons', table(comparisonTable(analysis.findings, ordered, verdictMark), 'Comparisons')),
    why.rows.length === 0 ? '' : section('Why', table(why, 'Why')),
  ].join('\n');
}

function charts(analysis: Analysis): string {
  const pictures = chartSpecs(analysis, page).map((spec) => ({ title: spec.title, svg: renderSvg(spec, page) }));
  if (pictures.length === 0) return section('Charts', '<p>No run gave readings that could be drawn.</p>');
  return section(
    'Charts',
    pictures
      .map(({ svg, title }) => `<figure tabindex="0" aria-label="${htmlText(title)}">\n${svg}</figure>`)
      .join('\n'),
  );
}

function more(analysis: Analysis): string {
  const { findings, runs } = analysis;
  const ordered = byInterest(findings.comparisons);
  const statistics = ordered.length <= 4 ? statisticsTable(ordered) : manyStatisticsTable(ordered);
  const note =
    runs.length > MOST_RUNS ? `<p>The first ${MOST_RUNS} of ${runs.length}; all of them are in runs.csv.</p>` : '';
  return [
    section('Variants', table(variantTable(findings), 'Variants')),
    ordered.length === 0 ? '' : details('Statistics', table(statistics, 'Statistics')),
    findings.quality.checks.length === 0 ? '' : details('Checks', table(checksTable(findings), 'Checks')),
    details('Machine, meter and conditions', table(conditionsTable(findings), 'Conditions')),
    details(`All ${runs.length} runs`, `${note}${table(runTable(runs.slice(0, MOST_RUNS)), 'Runs')}`),
  ].join('\n');
}
