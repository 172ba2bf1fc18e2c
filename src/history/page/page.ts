import { createHash } from 'node:crypto';
import { renderSvg } from '../../report/charts/canvas/svg.ts';
import { page } from '../../report/charts/canvas/theme.ts';
import { pack } from '../../report/data/pack.ts';
import { escapeJsonForScript, htmlText } from '../../report/escape.ts';
import { section } from '../../report/html/parts.ts';
import { readPageScript } from '../../report/html/script.ts';
import { STYLE } from '../../report/html/style.ts';
import { fixed } from '../../text/numbers.ts';
import { plural } from '../../text/plain.ts';
import { VERSION } from '../../version.ts';
import type { TrendPlace } from '../trend.ts';
import { trendChart } from './chart.ts';
import { experimentsHtml, rebuiltHtml, stepsHtml } from './tables.ts';
import { unitFor } from './view.ts';
import { captionHtml, machineText, meterText, sourceWarning } from './words.ts';

/** Places with a drawing that needs no program; the others are drawn when the reader comes near. */
const MOST_DRAWN = 4;

const HISTORY_STYLE = `
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; align-items: center; }
legend { float: left; padding: 0; margin-right: 0.3rem; }
.controls label { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 2.4rem; }
.place { color: var(--muted); font-size: 0.85rem; }
section[hidden] { display: none; }
td a { white-space: nowrap; }
`;

/**
 * history.html: one file that needs nothing else and reaches for nothing. The latest experiments, all steps and the first drawings are there without its
 * program; with it the charts answer, and every experiment can be looked at.
 */
export function historyHtml(places: readonly TrendPlace[]): string {
  const script = readPageScript('history');
  const style = `${STYLE}${HISTORY_STYLE}`;
  const [styleHash, scriptHash] = [style, script].map((text) => createHash('sha256').update(text).digest('base64'));
  const policy = `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const names = [...new Set(places.map(({ experiment }) => experiment))];
  const title = names.length === 1 ? `History of ${names[0]}` : 'History of experiments';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${htmlText(title)}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the charts</a>
<header>
<p class="eyebrow">joulediff: energy over the commits</p>
<h1><bdi>${htmlText(title)}</bdi></h1>
<p>${htmlText(summary(places))}</p>
</header>
<div id="controls" class="controls"></div>
<main id="main" tabindex="-1">
${places.map(placeHtml).join('\n')}
</main>
<footer><p>A step is a change of level that is more than scatter: at most about 1 line in 100 without any shows one. joulediff ${htmlText(VERSION)}</p></footer>
<script type="application/json" id="data-history">${escapeJsonForScript(JSON.stringify(pack(places)))}</script>
<script>${script}</script>
</body>
</html>
`;
}

function summary(places: readonly TrendPlace[]): string {
  if (places.length === 0) return 'Nothing was kept yet.';
  const experiments = places.reduce((sum, { startedAt }) => sum + startedAt.length, 0);
  const times = places.flatMap(({ startedAt }) => [startedAt[0]!, startedAt.at(-1)!]).sort();
  const apart =
    places.length === 1 ? '' : ' Each machine and meter has lines of its own, for their numbers can’t be compared.';
  return `${fixed(experiments, 0)} ${experiments === 1 ? 'experiment' : 'experiments'} in ${plural(places.length, 'place')}, ${times[0]!.slice(0, 10)} to ${times.at(-1)!.slice(0, 10)}.${apart}`;
}

function placeHtml(place: TrendPlace, number: number): string {
  const warning = sourceWarning(place);
  const drawing = number < MOST_DRAWN ? drawingOf(place, number) : '';
  const body = [
    `<p class="place">Machine: <bdi>${htmlText(machineText(place))}</bdi><br>Meter: <bdi>${htmlText(meterText(place))}</bdi></p>`,
    warning === null ? '' : `<p class="box loud" role="note">${htmlText(warning)}</p>`,
    `<figure data-place="${number}">\n<div class="drawing">${drawing}</div>\n<figcaption>${captionHtml(place)}</figcaption>\n</figure>`,
    stepsHtml(place),
    rebuiltHtml(place),
    `<details data-experiments="${number}">\n<summary>${plural(place.startedAt.length, 'experiment')} as a table</summary>\n${experimentsHtml(place)}\n</details>`,
  ];
  return section({ id: `place-${number}`, title: headingOf(place), body: body.filter(Boolean).join('\n') });
}

function headingOf({ experiment, machine }: TrendPlace): string {
  return `${experiment} on ${machine.hostname}`;
}

function drawingOf(place: TrendPlace, number: number): string {
  const view = { variants: null, latest: null, unit: unitFor(place) };
  const spec = trendChart(`trend-${number}`, place, view, { ...page, bare: true });
  return spec === null ? '' : renderSvg(spec, page);
}
