// Class: world, browser.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { historyHtml } from '../../../../../src/parts/fleet/history/page/page.ts';
import type { HistoryRecord } from '../../../../../src/parts/fleet/history/record.ts';
import { trendOf } from '../../../../../src/parts/fleet/history/trend.ts';
import { percentWithInterval } from '../../../../../src/text/numbers.ts';
import {
  cells,
  painted,
  ReportBrowser,
  readThrough,
  tornFromCharts,
  until,
  widths,
} from '../../../../report/page/browser.ts';
import { line } from '../records.ts';

const stepped = line({ count: 130, seed: 3, steps: { 60: 2, 95: -1.6 }, rebuilt: [30, 95] });
const places = [
  ...line({ count: 40, seed: 4 }),
  ...line({ count: 30, seed: 5, hostname: 'bench-02', variants: { native: 121, container: 190 } }),
  ...line({ count: 20, seed: 6, source: 'modelled', experiment: 'demo' }),
];
const NASTY = '</script><script>alert(3)</script><img src=x onerror=alert(4)>';
const hostile = line({
  count: 40,
  steps: { 20: 8 },
  seed: 9,
  experiment: '<img src=x onerror=alert(1)>',
  hostname: '"><script>alert(2)</script>',
  variants: { native: 5, [NASTY]: 5.2 },
}).map(
  (record): HistoryRecord => ({ ...record, repository: 'javascript:alert(5)', report: 'https://x/"onclick="alert(6)' }),
);
const lone = line({ count: 1 }).map(
  (record): HistoryRecord => ({
    ...record,
    commit: null,
    report: null,
    repository: null,
    comparisons: [],
    variants: record.variants.map((variant) => ({ ...variant, ci95: null, facts: {} })),
  }),
);

/** Only the container of these changes, so that its difference does. */
const ofContainer = (experiment: string, seed: number, percent: number): HistoryRecord[] =>
  line({ count: 40, seed, experiment }).map((record, i) => {
    const factor = i < 20 ? 1 : 1 + percent / 100;
    const times = (value: number): number => 100 * ((1 + value / 100) * factor - 1);
    return {
      ...record,
      comparisons: record.comparisons.map((each) => ({
        ...each,
        percent: times(each.percent!),
        ci95: [times(each.ci95![0]), times(each.ci95![1])],
      })),
    };
  });
const many = [...ofContainer('better', 14, -8), ...ofContainer('calm', 15, 0), ...ofContainer('worse', 16, 8)];

const ENERGIES = '[data-measure="energies"]';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await ReportBrowser.start();
});
afterAll(() => browser.stop());

const open = (records: readonly HistoryRecord[], options = {}) =>
  browser.openHtml(historyHtml(trendOf(records)), options);

describe('history.html in a browser', () => {
  it.each(
    Object.entries({ stepped, places, hostile, lone, large: line({ count: 10_000, seed: 7, steps: { 4000: 2 } }) }),
  )(
    'of %s draws its charts in silence, on a desk and on a phone',
    async (_, records) => {
      const { page, reported, asked } = await open(records);
      for (const width of [1100, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await readThrough(page);
        const canvases = await painted(page);
        const measures = trendOf(records).map(({ differences }) => (differences.length === 0 ? 1 : 2));
        expect(canvases).toHaveLength(measures.reduce((sum, count) => sum + count, 0));
        for (const { label, pixels, colors } of canvases)
          expect([label, pixels > 1000, colors > 3]).toEqual([label, true, true]);
        const { page: wide, window } = await widths(page);
        expect(wide).toBeLessThanOrEqual(window);
      }
      expect([reported, asked]).toEqual([[], []]);
      await page.context().close();
    },
    120_000,
  );

  it('has every number of the records in its table, a hundred experiments at a time', async () => {
    const { page } = await open(stepped);
    await readThrough(page);
    await page.locator('details summary').click();
    await until(page, "document.querySelectorAll('details tbody tr').length === 100");
    const first = await cells(page, 'Experiments');
    expect(first[0]!.slice(0, 3)).toEqual(['Measured (UTC)', 'Commit', 'container against native (%)']);
    expect(first[0]!.slice(3)).toEqual(['native (J)', 'container (J)', 'Remarks', 'Report']);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await until(page, "document.querySelectorAll('details tbody tr').length === 30");
    const rows = [...first.slice(1), ...(await cells(page, 'Experiments')).slice(1)];
    expect(rows).toHaveLength(130);
    for (const [i, row] of rows.reverse().entries()) {
      const { started_at, commit, variants, comparisons } = stepped[i]!;
      expect(row.slice(0, 2)).toEqual([started_at.slice(0, 16).replace('T', ' '), commit!.slice(0, 8)]);
      const [{ percent, ci95: range }] = comparisons as [HistoryRecord['comparisons'][number]];
      const reported = row[2]!
        .replaceAll('−', '-')
        .match(/[\d.-]+/g)!
        .map(Number);
      for (const [k, value] of [percent!, ...range!].entries()) expect(reported[k]).toBeCloseTo(value, 1);
      for (const [k, { energy_j, ci95 }] of variants.entries()) {
        const numbers = row[3 + k]!.match(/[\d.]+/g)!.map(Number);
        expect(numbers).toEqual([energy_j, ...ci95!].map((value) => Number(value.toPrecision(5))));
      }
    }
    expect(rows[60]![5]).toMatch(/native: step of \+\d/);
    expect(rows[30]![5]).toBe('image debian:12 rebuilt');
    await page.context().close();
  });

  it('leads through every experiment below a long table of rebuilt images', async () => {
    const rebuilt = Array.from({ length: 40 }, (_, i) => 3 * i + 3);
    const { page, reported } = await open(line({ count: 130, rebuilt }));
    await readThrough(page);
    await page.getByText('10 more').click();
    const images = await cells(page, 'Images rebuilt under the same tag, continued');
    expect(images).toHaveLength(1 + 10);
    await page.getByText('130 experiments as a table').click();
    await until(page, "document.querySelectorAll('[aria-label=Experiments] tbody tr').length === 100");
    expect(await cells(page, 'Images rebuilt under the same tag, continued')).toEqual(images);
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('finds a line in the table of all lines on a phone', async () => {
    const names = Array.from({ length: 14 }, (_, i) => `a benchmark with a rather long name ${i}`);
    const records = line({ count: 10, variants: Object.fromEntries(names.map((name) => [name, 100])) });
    const { page } = await open(
      records.map((record) => ({ ...record, comparisons: [] })),
      { viewport: { width: 390, height: 800 } },
    );
    await readThrough(page);
    await page.getByText('All 14 lines').click();
    await page.getByLabel('Search the rows of this table').fill('name 13');
    const rows = page.locator('.lines tbody tr:visible');
    await until(page, "document.querySelector('.lines [aria-live]').textContent === '1 of 14 rows'");
    expect(await rows.count()).toBe(1);
    await page.context().close();
  });

  it('shows the difference first, and the commits below it', async () => {
    const { page } = await open(stepped, { javaScriptEnabled: false });
    expect(await page.locator('figure h3').allTextContents()).toEqual(['Difference in energy', 'Energy']);
    for (const drawing of await page.locator('figure svg').all()) {
      const texts = await drawing.locator('text').allTextContents();
      expect(texts).toContain(stepped.at(-1)!.commit!.slice(0, 8));
      expect(texts).toContain('01-10 17:00');
    }
    const difference = await page.locator('figure svg').first().locator('text').allTextContents();
    expect(difference).toContain('Difference from native (%)');
    expect(difference).toContain(`latest ${percentWithInterval(stepped.at(-1)!.comparisons[0]!.percent, null)}`);
    await page.context().close();
  });

  it.each([
    [1, 'Only 1 experiment so far: the search for steps needs 8 without failed checks.'],
    [5, 'Only 5 experiments so far: the search for steps needs 8 without failed checks.'],
    [8, 'No step was found.'],
  ])('of %d experiments says whether it looked for steps', async (count, reported) => {
    const { page } = await open(line({ count }), { javaScriptEnabled: false });
    expect(await page.locator('section > .note').allTextContents()).toEqual([reported]);
    await page.context().close();
  });

  it('links every commit and report, and tells steps and rebuilt images', async () => {
    const { page } = await open(stepped, { javaScriptEnabled: false });
    const links = await page
      .locator('details tbody a')
      .evaluateAll((all) => all.map((a) => (a as unknown as { href: string }).href));
    const latest = stepped.slice(-30).reverse();
    expect(links).toEqual(
      latest.flatMap(({ commit, report }) => [`https://github.com/octo/demo/commit/${commit}`, report]),
    );
    const steps = await cells(page, 'Steps found');
    expect(steps.slice(1).map((row) => row[1])).toEqual(expect.arrayContaining(['native', 'container']));
    const [short] = steps.slice(1).filter((row) => row[1] === 'native' && row[2]!.startsWith('+'));
    expect(short![3]).toBe(`${stepped[59]!.commit!.slice(0, 8)} → ${stepped[60]!.commit!.slice(0, 8)}`);
    expect((await cells(page, 'Images rebuilt under the same tag')).slice(1)).toHaveLength(2);
    // Without its program the drawings are there, and no dead control.
    expect(await page.locator('figure svg:visible').count()).toBe(2);
    expect(await page.locator('button, select, input').count()).toBe(0);
    await page.context().close();
  });

  it('says of a model that it is one, and keeps places apart', async () => {
    const { page } = await open(places);
    expect(await page.locator('section:not(#overview) h2').allTextContents()).toEqual([
      'sort on bench-01',
      'sort on bench-02',
      'demo on bench-01',
    ]);
    expect(await page.locator('section .loud').count()).toBe(1);
    expect(await page.locator('section').nth(3).locator('.loud').textContent()).toContain('not measured');
    await page.context().close();
  });

  it('shows what is chosen: an experiment, a variant, the latest, percent', async () => {
    const { page, reported } = await open(places);
    await readThrough(page);
    const controls = page.locator('#controls');
    await controls.getByLabel('Experiment').selectOption('demo');
    await until(
      page,
      "[...document.querySelectorAll('section:not(#overview)')].filter((s) => s.offsetParent !== null).length === 1",
    );
    await controls.getByLabel('Experiment').selectOption('all');
    const label = `document.querySelector('${ENERGIES} canvas').getAttribute('aria-label')`;
    await until(page, `/40 experiments\\. native: latest .*container: latest/.test(${label})`);
    await controls.getByLabel('container').uncheck();
    await until(page, `!/container/.test(${label})`);
    await controls.getByLabel('Show').selectOption('30');
    await until(page, `/30 experiments/.test(${label})`);
    const picture = `document.querySelector('${ENERGIES} canvas').toDataURL()`;
    await page.evaluate(`window.before = ${picture}`);
    await controls.getByLabel('Energy in').selectOption('percent');
    await until(page, `${picture} !== window.before`);
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('shows all places in small pictures, worst first, each a link to its own', async () => {
    const { page } = await open(many, { javaScriptEnabled: false });
    const names = await page.locator('.places b').allTextContents();
    expect(names).toEqual(['worse', 'calm', 'better']);
    const texts = await page.locator('.places strong').allTextContents();
    expect(texts[0]).toMatch(/^\+\d.* since the first level$/);
    expect([texts[1], texts[2]]).toEqual(['no step in the difference', expect.stringMatching(/^−\d/)]);
    const links = await page
      .locator('.places a')
      .evaluateAll((all) => all.map((a) => (a as unknown as { hash: string }).hash));
    for (const [i, link] of links.entries()) {
      expect(await page.locator(`${link} h2`).textContent()).toBe(`${names[i]} on bench-01`);
    }
    await page.context().close();
  });

  it('has what is chosen in its address: sent to others, gone back from, found again', async () => {
    const { page, reported } = await open(many);
    const shown = () => page.locator('.places li:visible b').allTextContents();
    const controls = page.locator('#controls');
    await controls.getByLabel('Order').selectOption('name');
    expect(await shown()).toEqual(['better', 'calm', 'worse']);
    await controls.getByLabel('Find').fill('be');
    await until(page, "location.hash === '#find=be&order=name'");
    expect(await shown()).toEqual(['better', 'calm', 'worse']);
    await controls.getByLabel('Find').fill('bet');
    await until(page, "location.hash === '#find=bet&order=name'");
    expect(await shown()).toEqual(['better']);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await shown()).toEqual(['better']);
    expect(await controls.getByLabel('Find').inputValue()).toBe('bet');
    // All letters are one way back: to what stood before them.
    await page.goBack();
    await until(page, "location.hash === '#order=name'");
    await page.goForward();
    await until(page, "location.hash === '#find=bet&order=name'");

    // The link to the main part is no setting.
    await page.locator('a.skip').focus();
    await page.keyboard.press('Enter');
    await until(page, "document.activeElement.id === 'main'");
    await until(page, "location.hash === '#find=bet&order=name'");
    expect([await shown(), await controls.getByLabel('Find').inputValue()]).toEqual([['better'], 'bet']);

    // The keyboard opens a place, and the way back leads to the overview as it was.
    await page.locator('.places li:visible a').first().focus();
    await page.keyboard.press('Enter');
    await until(page, "document.activeElement.textContent === 'better on bench-01'");
    expect(await page.evaluate('location.hash')).toMatch(/^#find=bet&order=name&place=place-[0-9a-f]+$/);
    await page.goBack();
    await until(page, "location.hash === '#find=bet&order=name'");
    await controls.getByLabel('Find').fill('nowhere');
    await until(page, "document.getElementById('none').checkVisibility()");
    await controls.getByRole('button', { name: 'Show everything' }).click();
    await until(page, "location.hash === ''");
    expect(await shown()).toEqual(['worse', 'calm', 'better']);
    await page.goBack();
    await until(page, "document.getElementById('none').checkVisibility()");
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('is walked through with the keyboard', async () => {
    const { page } = await open(stepped);
    await readThrough(page);
    await page.locator('canvas').first().focus();
    await page.keyboard.press('End');
    const last = stepped.at(-1)!;
    await until(
      page,
      `document.querySelector('[aria-live]').textContent.includes('commit ${last.commit!.slice(0, 8)}')`,
    );
    await page.context().close();
  });

  it('makes nothing of markup in names, and no link of what is no web address', async () => {
    const { page, reported } = await open(hostile);
    await readThrough(page);
    await page.locator('details summary').click();
    expect(await page.locator('main img, main script, main a').count()).toBe(0);
    expect(await page.locator('.eyebrow').textContent()).toBe('joulediff: History of <img src=x onerror=alert(1)>');
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('prints in light, its drawings and its tables', async () => {
    const { page, reported } = await open(places, { colorScheme: 'dark' });
    await readThrough(page);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.locator('#controls').isVisible()).toBe(false);
    expect(await page.locator('figure svg:visible').count()).toBe(6);
    expect(await page.getByRole('note').count()).toBe(1);
    expect(await tornFromCharts(page)).toEqual([]);
    expect((await page.pdf()).length).toBeGreaterThan(20_000);
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('prints what is chosen', async () => {
    const { page } = await open(stepped);
    await readThrough(page);
    await page.locator('#controls').getByLabel('container').uncheck();
    await until(page, `!/container/.test(document.querySelector('${ENERGIES} canvas').getAttribute('aria-label'))`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.drawing > svg:visible').count()).toBe(0);
    expect(await page.locator(`${ENERGIES} canvas`).isVisible()).toBe(true);
    await page.context().close();
  });

  it('prints the charts that were never scrolled to', async () => {
    const six = Array.from({ length: 6 }, (_, i) => line({ count: 20, seed: i, experiment: `sort ${i}` })).flat();
    const { page } = await open(six);
    expect(await page.locator('canvas').count()).toBeLessThan(12);
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('canvas').count()).toBe(12);
    await page.context().close();
  });
});

it('says so when nothing was kept yet', () => {
  expect(historyHtml([])).toContain('Nothing has been kept yet.');
});

it('gives the same bytes for the same records', () => {
  expect(historyHtml(trendOf([...places].reverse()))).toBe(historyHtml(trendOf(places)));
});
