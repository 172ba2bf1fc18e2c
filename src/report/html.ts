import { createHash } from 'node:crypto';
import type { Analysis } from '../analysis/results.ts';
import { DATA_IDS, pageData } from './data/page-data.ts';
import { escapeJsonForScript, htmlText } from './escape.ts';
import { findingsJson } from './findings-json.ts';
import { figures } from './html/figures.ts';
import { section } from './html/parts.ts';
import { readPageScript } from './html/script.ts';
import { pageSections } from './html/sections.ts';
import { STYLE } from './html/style.ts';
import { top } from './html/top.ts';
import { headline } from './words/headline.ts';
import { provenance } from './words.ts';

/** Bytes that the whole page may have. */
const MOST_BYTES = 2_900_000;

/**
 * report.html: one file that needs nothing else and reaches for nothing. Its tables and drawings are there without a script; with it
 * the charts answer, every run can be looked at, and the data that lie in it (`#findings` is JSON, the rest packed) can be saved.
 */
export function reportHtml(analysis: Analysis): string {
  const { findings } = analysis;
  // Throws for what no JSON can hold.
  findingsJson(findings);
  const script = readPageScript('report');
  const [styleHash, scriptHash] = [STYLE, script].map((text) => createHash('sha256').update(text).digest('base64'));
  const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const { tag } = provenance(findings);
  const title = `${findings.experiment.name}: ${headline(findings).short}${tag === null ? '' : ` (${tag.toLowerCase()})`}`;
  const sections = pageSections(analysis, figures(analysis));
  const contents = sections.map(({ id, title }) => `<li><a href="#${id}">${htmlText(title)}</a></li>`);

  const before = `<!doctype html>
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
<a class="skip" href="#main">Skip to the results</a>
<header>
${top(analysis)}
</header>
<nav aria-label="Contents">
<ul>
${contents.join('\n')}
</ul>
</nav>
<main id="main" tabindex="-1">
${sections.map(section).join('\n')}
</main>
<footer><p>Differences are variant minus baseline: positive means that the variant used more. joulediff ${htmlText(findings.experiment.joulediff_version)}</p></footer>
`;
  const after = `<script>${script}</script>
</body>
</html>
`;
  const data = pageData(analysis, MOST_BYTES - Buffer.byteLength(before) - Buffer.byteLength(after));
  const scripts = DATA_IDS.map(
    (id) => `<script type="application/json" id="data-${id}">${escapeJsonForScript(data[id])}</script>\n`,
  );
  return `${before}${scripts.join('')}${after}`;
}
