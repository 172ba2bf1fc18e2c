// How long report.html takes to open in Chromium, beside the same page with every reading in plain JSON.
import type { Analysis } from '../../src/analysis/results.ts';
import { addToReport } from '../../src/parts/explain/report/report.ts';
import { packTraces } from '../../src/report/data/traces.ts';
import { reportHtml } from '../../src/report/html.ts';
import { ReportBrowser } from '../report/page/browser.ts';
import { bigAnalysis } from '../report/synthetic/big.ts';
import { withObserved } from '../report/synthetic/observed.ts';
import { suiteAnalysis } from '../report/synthetic/suite.ts';
import { type Figure, median, ms } from './figure.ts';

const OPENINGS = 5;
const GOAL = 'loaded in under 1000 ms, drawn in under 2000 ms, 3 MB';

const SAMPLED = { variants: 2, blocks: 40, readings: 100_000 };
const SIZES = [
  { what: '10⁵ samples, 2 × 40 runs', make: () => bigAnalysis(SAMPLED) },
  {
    what: '10⁶ samples, 10⁴ runs, 200 comparisons',
    make: () => bigAnalysis({ variants: 201, blocks: 50, readings: 1_000_000 }),
  },
  { what: 'a suite of 200 benchmarks, 30 blocks', make: () => suiteAnalysis(200, 30) },
];

/** The page as it would be without making its data smaller. */
function unreduced(html: string, analysis: Analysis): string {
  const data = (id: string, json: string, page: string): string =>
    page.replace(new RegExp(`(id="data-${id}">)[^<]*`), (_, before: string) => before + json);
  return data('bands', 'null', data('traces', JSON.stringify(packTraces(analysis, 1)), html));
}

/** So many samples, each with a stack of its own, of five runs of both variants. */
function withSamples(samples: number): Analysis {
  const analysis = withObserved(bigAnalysis(SAMPLED));
  const each = samples / (analysis.observed ?? []).length / 2;
  const observed = (analysis.observed ?? []).map((run, r) => ({
    ...run,
    phases: run.phases.map((phase) => ({
      ...phase,
      stacks: Array.from({ length: each }, (_, i) => ({
        frames: Array.from({ length: 12 }, (_, d) => ({
          name: `f${d}_${(i * (r + 7)) % 3 ** d}`,
          library: '/usr/bin/server',
        })),
        seconds: 0.002,
      })),
    })),
  }));
  return { ...analysis, observed };
}

/** Medians of the times from the start of the navigation until the page is loaded, and until the first chart is on the screen. */
async function opening(browser: ReportBrowser, html: string): Promise<string> {
  const loaded: number[] = [];
  const drawn: number[] = [];
  for (let i = 0; i < OPENINGS; i++) {
    const { page, reported } = await browser.openHtml(html);
    const [load, chart] = await page.evaluate<number[]>(`(async () => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      document.querySelector('figure .drawing').scrollIntoView();
      while (document.querySelector('canvas') === null) await frame();
      await frame();
      return [performance.getEntriesByType('navigation')[0].loadEventEnd, performance.now()];
    })()`);
    if (reported.length > 0) throw new Error(`the page told: ${reported.join('; ')}`);
    loaded.push(load!);
    drawn.push(chart!);
    await page.context().close();
  }
  return `loaded in ${ms(median(loaded) / 1000)}, drawn in ${ms(median(drawn) / 1000)}, ${(Buffer.byteLength(html) / 1e6).toFixed(2)} MB`;
}

export async function* figures(): AsyncGenerator<Figure> {
  const browser = await ReportBrowser.start();
  try {
    for (const { what, make } of SIZES) {
      const analysis = make();
      const html = reportHtml(analysis);
      const whole = unreduced(html, analysis);
      yield {
        what: `report.html of ${what}: opened and drawn in Chromium`,
        joulediff: await opening(browser, html),
        beside: `every reading in plain JSON: ${await opening(browser, whole)}`,
        goal: GOAL,
      };
    }
    const sampled = withSamples(1_000_000);
    const html = reportHtml(sampled, (await addToReport(sampled)).figure);
    yield {
      what: 'report.html with a flame graph of 10⁶ sampled stacks: opened and drawn in Chromium',
      joulediff: await opening(browser, html),
      beside: '',
      goal: GOAL,
    };
  } finally {
    await browser.stop();
  }
}
