import { renderSvg } from '../../../../report/charts/canvas/svg.ts';
import { page } from '../../../../report/charts/canvas/theme.ts';
import { pack } from '../../../../report/data/pack.ts';
import { renderHtml } from '../../../../report/document/html.ts';
import { htmlText } from '../../../../report/escape.ts';
import { dataElement, pageFrame } from '../../../../report/html/frame.ts';
import { fixed } from '../../../../text/numbers.ts';
import { plain, plural } from '../../../../text/plain.ts';
import { VERSION } from '../../../../version.ts';
import type { TrendSeries } from '../trend.ts';
import { bounded } from './bounds.ts';
import { axisNote, type Measure, trendChart } from './chart.ts';
import { cardOf, OVERVIEW_STYLE, overviewHtml, verdictOf } from './overview.ts';
import { experimentsTable, imagesTable, linesTable, rebuiltTable, stepsTable } from './tables.ts';
import { isLookedThrough, MAX_LINES, unitFor, type View } from './view.ts';

/** Maximum series with a static drawing; others are drawn when scrolled near. */
const MAX_DRAWN = 4;
/** Rows of its table that need no program, and of the others'. */
const FIRST_ROWS = 30;
const FEW_ROWS = 5;

const HISTORY_STYLE = `
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; align-items: center; }
legend { float: left; padding: 0; margin-right: 0.3rem; }
.controls label { display: inline-flex; gap: 0.4rem; align-items: center; min-height: 2.4rem; }
.place { color: var(--muted); font-size: 0.85rem; }
td a { white-space: nowrap; }
.waiting { min-height: 22rem; }
@media print { .waiting { min-height: 0; } }
`;

/**
 * history.html: one file that needs nothing else and reaches for nothing. The latest experiments, all steps and the first drawings are there without its
 * program; with it the charts answer, and every experiment can be looked at.
 */
export function historyHtml(all: readonly TrendSeries[]): string {
  const { places, placesLeft, experimentsLeft } = bounded(all);
  const names = [...new Set(all.map(({ experiment }) => experiment))];
  const title = names.length === 1 ? `History of ${names[0]}` : 'History of experiments';
  const { before, after } = pageFrame({
    title,
    program: 'history',
    style: `${HISTORY_STYLE}${OVERVIEW_STYLE}`,
    skipTo: 'charts',
    header: [
      `<p class="eyebrow">joulediff: <bdi>${htmlText(title)}</bdi></p>`,
      `<h1>${htmlText(verdictOf(places), 1000)}</h1>`,
      `<p>${htmlText(summary(all))}</p>`,
      ...leftOut(placesLeft, experimentsLeft),
    ].join('\n'),
    navigation: '<div id="controls" class="controls"></div>',
    main: [...(places.length > 1 ? [overviewHtml(places)] : []), ...places.map(seriesHtml)].join('\n'),
    footer: `A step is a lasting change of level that is more than scatter; the false-positive rate is about 1 %. joulediff ${VERSION}`,
  });
  const data = [
    dataElement('history', JSON.stringify(places.map(cardOf))),
    // Separate data elements, so that unviewed series are never unpacked.
    ...places.map((series) => dataElement(`place-${series.id}`, JSON.stringify(pack(series)))),
  ];
  return `${before}${data.join('')}${after}`;
}

function leftOut(places: number, experiments: number): string[] {
  const parts = [
    ...(places === 0 ? [] : [`${plural(places, 'combination')} of workload, machine and meter, measured longest ago`]),
    ...(experiments === 0 ? [] : [`${fixed(experiments, 0)} of the oldest experiments`]),
  ];
  return parts.length === 0
    ? []
    : [`<p class="note">Not on this page: ${parts.join('; ')}. They are in history.csv.</p>`];
}

function summary(allSeries: readonly TrendSeries[]): string {
  if (allSeries.length === 0) return 'Nothing has been kept yet.';
  const experiments = allSeries.reduce((sum, { startedAt }) => sum + startedAt.length, 0);
  const days = [...new Set(allSeries.flatMap(({ startedAt }) => startedAt.map((at) => at.slice(0, 10))))].sort();
  const apart =
    allSeries.length === 1
      ? ''
      : ' Each machine and meter has lines of its own, because their numbers can’t be compared.';
  const where =
    allSeries.length === 1
      ? 'on one machine and meter'
      : `in ${allSeries.length} combinations of workload, machine and meter`;
  return `${fixed(experiments, 0)} ${experiments === 1 ? 'experiment' : 'experiments'} ${where}, ${days[0]}${days.length > 1 ? ` to ${days.at(-1)}` : ''}.${apart}`;
}

function seriesHtml(series: TrendSeries, number: number): string {
  const warning = sourceWarning(series);
  const lines = renderHtml([linesTable(series)]);
  const body = [
    `<p class="place">Machine: <bdi>${htmlText(machineText(series))}</bdi><br>Meter: <bdi>${htmlText(meterText(series))}</bdi></p>`,
    warning === null ? '' : `<p class="box loud" role="note">${htmlText(warning)}</p>`,
    ...listMeasures(series).map((measure) => figureHtml(series, number, measure)),
    lines === '' ? '' : `<div class="lines">${lines}</div>`,
    renderHtml([stepsTable(series), imagesTable(series), rebuiltTable(series)]),
    `<details class="experiments">\n<summary>${plural(series.startedAt.length, 'experiment')} as a table</summary>\n${renderHtml([experimentsTable(series, number < MAX_DRAWN ? FIRST_ROWS : FEW_ROWS)])}\n</details>`,
  ];
  const id = `place-${series.id}`;
  const heading = `<h2 id="${id}-heading">${htmlText(headingOf(series))}</h2>`;
  return `<section id="${id}" aria-labelledby="${id}-heading">\n${heading}\n${body.filter(Boolean).join('\n')}\n</section>`;
}

const UNDRAWN = '<p class="note static">This chart is drawn by the script of the page.</p>';

/** What is drawn of a place; the difference first, which slow changes of the machine leave alone. */
function listMeasures({ differences }: TrendSeries): readonly Measure[] {
  return differences.length === 0 ? ['energies'] : ['differences', 'energies'];
}

function figureHtml(series: TrendSeries, number: number, measure: Measure): string {
  const view: View = { variants: null, latest: null, unit: unitFor(series) };
  const spec =
    number < MAX_DRAWN
      ? trendChart(`place-${series.id}-${measure}`, series, measure, view, { ...page, bare: true })
      : null;
  const note = spec === null ? '' : axisNote(spec, measure, view);
  return [
    `<figure data-measure="${measure}">`,
    `<h3>${measure === 'differences' ? 'Difference in energy' : 'Energy'}</h3>`,
    `<div class="drawing${spec === null ? ' waiting' : ''}">${spec === null ? UNDRAWN : renderSvg(spec, page)}</div>`,
    `<figcaption>${captionHtml(series, measure)} <span>${note}</span></figcaption>\n</figure>`,
  ].join('\n');
}

function headingOf({ experiment, machine }: TrendSeries): string {
  return `${experiment} on ${machine.hostname}`;
}

function machineText({ machine }: TrendSeries): string {
  const { hostname, model, cpu, cpus, virtualization } = machine;
  const virtual = virtualization === null || virtualization === 'none' ? null : `virtual: ${virtualization}`;
  const parts = [model, cpu, `${cpus} logical CPUs`, virtual].filter((part) => part !== null);
  return `${plain(hostname, 60)} (${parts.map((part) => plain(part, 100)).join(', ')})`;
}

function meterText({ meter }: TrendSeries): string {
  const at = meter.address === null ? '' : ` at ${plain(meter.address, 120)}`;
  return `${plain(meter.type, 60)}${at}, channel ${plain(meter.channel, 40)}`;
}

/** Null only for an instrument. */
export function sourceWarning({ meter }: TrendSeries): string | null {
  if (meter.source === 'measured') return null;
  return meter.source === 'modelled'
    ? `Energy here is estimated by a model (${plain(meter.type, 40)}), not measured. Do not quote it as energy use.`
    : `Energy here comes from an emulated meter (${plain(meter.type, 40)}). It says nothing about energy use.`;
}

/** So many have room on any screen. */
const FEW = 50;

function captionHtml(series: TrendSeries, measure: Measure): string {
  const lines = measure === 'differences' ? series.differences : series.lines;
  const point =
    measure === 'differences'
      ? 'Each point is the difference that one experiment found between the variant and its baseline, with its 95 % interval where the experiment is long enough for one; above 0 the variant used more.'
      : 'Each point is the mean energy in one experiment, with its 95 % interval.';
  const grouped =
    series.startedAt.length > FEW
      ? ' Where there are more experiments than room, a point is the mean of several neighbors, and its line reaches from their lowest interval to their highest.'
      : '';
  const steps = lines.some((line) => line.steps.length > 0)
    ? ' Dashed vertical lines mark steps; the shading shows how uncertain their place is.' +
      (measure === 'differences'
        ? ' The size of a step compares the ratios to the baseline: from +10 % to +21 % is +10 %.'
        : '')
    : '';
  const rebuilt = lines.some((line) => line.rebuilt.length > 0)
    ? ' A triangle on the axis, with a dotted line: an image was rebuilt under its tag.'
    : '';
  const failures = lines.some((line) => line.failed.length > 0)
    ? ' A cross above the axis: the variant or its baseline failed in that experiment, so it has no point.'
    : '';
  const open = series.failedChecks.some((failed) => failed.length > 0)
    ? ' An open point can’t be trusted: a check failed in that experiment.'
    : '';
  const level = lines.some(isLookedThrough)
    ? ` The long lines are medians${steps === '' ? '' : ' between steps'}.`
    : '';
  const left =
    lines.length > MAX_LINES
      ? ` Of ${lines.length} lines, or of those that are chosen above, the ${MAX_LINES} that moved most are drawn.`
      : '';
  return htmlText(`${point}${left}${open}${grouped}${level}${steps}${rebuilt}${failures}`, 2000);
}
