import type { Analysis } from '../analysis/results.ts';
import type { Findings } from '../findings/findings.ts';
import { DATA_IDS, pageData } from './data/page-data.ts';
import { htmlInline, renderHtml } from './document/html.ts';
import { htmlText } from './escape.ts';
import { findingsJson } from './findings-json.ts';
import { dataElement, pageFrame } from './html/frame.ts';
import { type Group, pageSections } from './html/sections.ts';
import type { PageFigure } from './part.ts';
import { analysisPerExecution } from './per-execution.ts';
import { foldedWarnings } from './sections/checks.ts';
import { countText } from './sections/thresholds.ts';
import { cards, estimateLine, how, provenanceAlert, verdictDetail, verdictHeading } from './sections/top.ts';
import { failing } from './verdict.ts';
import { headline } from './words/headline.ts';
import { provenance } from './words/provenance.ts';

/** Maximum size of the page, bytes. */
const MAX_BYTES = 2_900_000;

/** Maximum visible warnings; the others are folded, so that the results stay near the top. */
const MAX_WARNINGS = 4;

/**
 * report.html, a single file. Tables and drawings work without a script; the script makes charts interactive, shows single runs, and saves the
 * embedded data (`#findings` is JSON, the rest is packed). `added`: the figure of a part.
 */
export function reportHtml(analysis: Analysis, added: PageFigure | null = null): string {
  const { findings } = analysis;
  // Throws if the findings can't be represented in JSON.
  findingsJson(findings);
  const { tag } = provenance(findings);
  const { first, groups } = pageSections(analysis, added?.block ?? null);
  const { before, after } = pageFrame({
    title: `${findings.experiment.name}: ${headline(findings).short}${tag === null ? '' : ` (${tag.toLowerCase()})`}`,
    program: 'report',
    skipTo: 'results',
    header: `${header(analysis)}\n${renderHtml([first])}`,
    navigation: `<nav aria-label="Contents">\n${groups.map(contents).join('\n')}\n</nav>`,
    main: renderHtml(groups.flatMap(({ sections }) => sections)),
    footer: `Differences are variant minus baseline: positive means that the variant used more. joulediff ${findings.experiment.joulediff_version}`,
  });
  const data = pageData(
    { ...analysis, ...(added && { profile: added.data }) },
    MAX_BYTES - Buffer.byteLength(before) - Buffer.byteLength(after),
  );
  return `${before}${DATA_IDS.map((id) => dataElement(id, data[id])).join('')}${after}`;
}

function contents({ title, sections }: Group): string {
  const links = sections.map((part) => `<li><a href="#${part.id}">${htmlInline(part.title)}</a></li>`);
  return `<div><p>${title}</p>\n<ul aria-label="${title}">\n${links.join('\n')}\n</ul></div>`;
}

/** The result, and the warnings needed to judge it. */
function header(analysis: Analysis): string {
  const { findings, runs } = analysisPerExecution(analysis);
  return [
    `<p class="eyebrow">joulediff: energy of <bdi>${htmlText(findings.experiment.name)}</bdi></p>`,
    renderHtml([
      verdictHeading(findings),
      provenanceAlert(findings, runs),
      estimateLine(findings),
      verdictDetail(findings),
    ]),
    failureLink(findings),
    renderHtml([cards(findings)]),
    `<p class="how">${htmlInline(how(findings))}</p>`,
    renderHtml([foldedWarnings(findings, MAX_WARNINGS)]),
  ].join('\n');
}

/** Thresholds that fail the job are named before their numbers; their own section has all of them. */
function failureLink(findings: Findings): string {
  if (failing(findings).length === 0) return '';
  return `<p><a href="#thresholds">This fails the job</a>: ${htmlText(countText(findings))}.</p>`;
}
