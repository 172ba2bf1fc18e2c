import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeHistory } from '../../src/parts/fleet/history/files.ts';
import { historyHtml } from '../../src/parts/fleet/history/page/page.ts';
import { sqliteStore } from '../../src/parts/fleet/history/stores/sqlite.ts';
import { type TrendSeries, trendOf } from '../../src/parts/fleet/history/trend.ts';
import { escapeJsonForScript } from '../../src/report/escape.ts';
import { line } from '../parts/fleet/history/records.ts';
import { ReportBrowser } from '../report/page/browser.ts';
import { type Figure, median, ms } from './figure.ts';

const EXPERIMENTS = 10_000;
/** In as many places, each of a thousand. */
const PLACES = 100;
const TIMES = 5;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The same numbers by chart.js alone, every experiment with its interval. */
const EVERY_POINT = `
import { Chart, LinearScale, PointElement, ScatterController } from 'chart.js';
Chart.register(LinearScale, PointElement, ScatterController);
const [place] = JSON.parse(document.getElementById('data').textContent);
const canvas = document.createElement('canvas');
canvas.width = 1000; canvas.height = 360;
const datasets = place.lines.map((line) => ({ data: line.at.map((x, i) => ({ x, y: line.values[i], low: line.lows[i], high: line.highs[i] })) }));
const intervals = { id: 'intervals', beforeDatasetsDraw: ({ ctx, scales }) => {
  for (const { data } of datasets) for (const { x, low, high } of data) {
    ctx.beginPath();
    ctx.moveTo(scales.x.getPixelForValue(x), scales.y.getPixelForValue(low));
    ctx.lineTo(scales.x.getPixelForValue(x), scales.y.getPixelForValue(high));
    ctx.stroke();
  }
} };
document.body.append(canvas);
new Chart(canvas, { type: 'scatter', data: { datasets }, options: { animation: false, responsive: false }, plugins: [intervals] });
const rows = place.startedAt.toReversed().map((date, i) => '<tr><td>' + date + '</td>' + place.lines.map((line) => '<td>' + line.values.at(-1 - i) + '</td>').join('') + '</tr>');
document.body.insertAdjacentHTML('beforeend', '<table>' + rows.join('') + '</table>');
document.documentElement.dataset.ready = 'yes';
`;

async function everyPointHtml(places: readonly TrendSeries[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: EVERY_POINT, resolveDir: root },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'ascii',
  });
  const script = outputFiles[0]!.text.replaceAll('</script', '<\\/script');
  return `<!doctype html><meta charset="utf-8"><body><script type="application/json" id="data">${escapeJsonForScript(JSON.stringify(places))}</script><script>${script}</script>`;
}

/** Seconds from asking for the page to what a reader waits for, drawn on the screen. */
async function opened(browser: ReportBrowser, html: string, awaited = 'canvas'): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < TIMES; i++) {
    const { page } = await browser.openHtml(html);
    await page.locator(awaited).first().waitFor({ state: 'attached' });
    // Two frames: what was drawn is shown. Both are on the page's own clock, which starts with its loading.
    times.push(
      (await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))',
      )) as number,
    );
    await page.context().close();
  }
  return median(times) / 1000;
}

/** The page of a long history, and keeping one experiment in it. */
export async function* figures(folder: string): AsyncGenerator<Figure> {
  const browser = await ReportBrowser.start();
  try {
    const records = line({ count: EXPERIMENTS, steps: { 2500: 2, 7000: -1 }, rebuilt: [5000] });
    const places = trendOf(records);
    const ours = await opened(browser, historyHtml(places));
    const every = await opened(browser, await everyPointHtml(places));
    yield {
      what: `history.html of ${EXPERIMENTS} experiments opened, to its first chart`,
      joulediff: ms(ours),
      beside: `every point and row drawn: ${ms(every)}`,
      goal: 'under 2000 ms',
    };
    const many = Array.from({ length: PLACES }, (_, i) =>
      line({
        count: 1000,
        seed: i + 1,
        experiment: `workload-${i % 25}`,
        hostname: `host-${i}`,
        steps: { 600: (i % 7) - 3 },
      }),
    ).flat();
    const overview = historyHtml(trendOf(many));
    yield {
      what: `history.html of ${many.length} experiments of ${PLACES} workloads and machines opened, to its overview`,
      joulediff: ms(await opened(browser, overview, 'html[data-ready] .places')),
      beside: `${(Buffer.byteLength(overview) / 1e6).toFixed(1)} MB`,
      goal: 'under 2000 ms',
    };
    const drawMs = performance.now();
    await writeHistory({ records, notes: new Map() }, folder);
    const drawn = (performance.now() - drawMs) / 1000;
    yield {
      what: `history.html and history.csv of ${EXPERIMENTS} experiments made`,
      joulediff: ms(drawn),
      beside: '',
      goal: '',
    };
    const store = sqliteStore(join(folder, 'history.db'));
    for (const record of records.slice(0, 200)) await store.add(record);
    const addMs = performance.now();
    for (const record of records.slice(200, 300)) await store.add(record);
    const added = (performance.now() - addMs) / 100 / 1000;
    yield { what: 'one experiment kept in a SQLite file', joulediff: ms(added), beside: '', goal: '' };
  } finally {
    await browser.stop();
  }
}
