import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATOR } from '../../system/output-folder.ts';
import { escapeJsonForScript, htmlText } from '../escape.ts';
import { STYLE } from './style.ts';

export interface PageContent {
  readonly title: string;
  /** Its script. */
  readonly program: PageName;
  /** Additional style beside the common one of all pages. */
  readonly style?: string;
  /** Target of the skip link: `results`. */
  readonly skipTo: string;
  /** HTML of the page: in its header, between header and main part, and in the main part. */
  readonly header: string;
  readonly navigation: string;
  readonly main: string;
  readonly footer: string;
}

/**
 * HTML of a self-contained page, whose content security policy allows only its own style and script. In two parts, with
 * the data between them.
 */
export function pageFrame(page: PageContent): { before: string; after: string } {
  const script = readPageScript(page.program);
  const style = `${STYLE}${page.style ?? ''}`;
  const [styleHash, scriptHash] = [style, script].map((text) => createHash('sha256').update(text).digest('base64'));
  const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const before = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(page.title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the ${htmlText(page.skipTo)}</a>
<header>
${page.header}
</header>
${page.navigation}
<main id="main" tabindex="-1">
${page.main}
</main>
<footer><p>${htmlText(page.footer)}</p></footer>
`;
  return { before, after: `<script>${script}</script>\n</body>\n</html>\n` };
}

/** Element with data for the page's script. */
export function dataElement(id: string, json: string): string {
  return `<script type="application/json" id="data-${id}">${escapeJsonForScript(json)}</script>\n`;
}

const built = new Map<PageName, string>();

/** Pages that have a script. */
export type PageName = 'report' | 'history';

/**
 * Script of a page. In the bundle it is in `assets/`; in the source tree it is built at the first call.
 * Throws when the installation is incomplete.
 */
function readPageScript(name: PageName): string {
  const known = built.get(name);
  if (known !== undefined) return known;
  const bundled = join(import.meta.dirname, 'assets', `${name}-page.js`);
  const script = existsSync(bundled) ? readFileSync(bundled, 'utf8') : build(name);
  built.set(name, script);
  return script;
}

function build(name: PageName): string {
  const builder = join(import.meta.dirname, '..', '..', '..', '.esbuild', 'page.mjs');
  return execFileSync(process.execPath, [builder, name], { encoding: 'utf8', maxBuffer: 16 * 2 ** 20 });
}
