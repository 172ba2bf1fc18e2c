// Class: world, browser.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../src/analysis/results.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { drawnIds } from '../charts/drawn.ts';
import { everyAnalysis, hostileNames } from '../fixtures.ts';
import { bigAnalysis } from '../synthetic/big.ts';
import { richAnalysis } from '../synthetic/rich.ts';
import { brokenNames, painted, ReportBrowser, readThrough, tornFromCharts, until, widths } from './browser.ts';

const every = everyAnalysis();
const all: Record<string, Analysis> = {
  ...Object.fromEntries(
    ['measured', 'modelled', 'constant', 'single', 'lone', 'twelve', 'hostile', 'bare', 'nothing'].map((name) => [
      name,
      every[name]!,
    ]),
  ),
  rich: richAnalysis(),
  'rich and emulated': richAnalysis({ source: 'emulated' }),
};
let browser: ReportBrowser;

beforeAll(async () => {
  browser = await ReportBrowser.start();
});
afterAll(() => browser.stop());

describe('report.html in a browser', () => {
  it.each(
    Object.entries(all),
  )('of %s draws all its charts in silence, on a desk and on a phone', async (_, analysis) => {
    const { page, reported, asked } = await browser.open(analysis);
    const figures = drawnIds(analysis).length + (analysis.traces.length > 0 ? 1 : 0);
    for (const width of [1100, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await readThrough(page);
      const canvases = await painted(page);
      expect(canvases).toHaveLength(figures);
      for (const { label, pixels, colors } of canvases) {
        expect([label, pixels > 1000, colors > 3]).toEqual([label, true, true]);
      }
      const { page: wide, window } = await widths(page);
      expect(wide).toBeLessThanOrEqual(window);
    }
    expect(reported).toEqual([]);
    expect(asked).toEqual([]);
    await page.context().close();
  });

  it('draws anew in the colors of the hour', async () => {
    const { page, reported } = await browser.open(all.rich!, { colorScheme: 'light' });
    await readThrough(page);
    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const picture = "document.querySelector('#energy-violin canvas').toDataURL()";
    await page.evaluate(`window.before = ${picture}`);
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await until(page, `${picture} !== window.before`);
    await until(page, "getComputedStyle(document.body).backgroundColor === 'rgb(20, 23, 28)'");
    await page.emulateMedia({ colorScheme: 'light' });
    await until(page, `${picture} === window.before`);
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('shows drawings, tables and no dead controls without its program', async () => {
    const { page, reported, asked } = await browser.open(all.rich!, { javaScriptEnabled: false });
    const drawings = page.locator('figure[data-chart] svg');
    expect(await drawings.count()).toBe(drawnIds(all.rich!).length);
    for (const drawing of await drawings.all()) expect(await drawing.isVisible()).toBe(true);
    expect(await page.locator('button, select, canvas').count()).toBe(0);
    expect(await page.locator('#single-run .static').isVisible()).toBe(true);
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(20);
    expect([reported, asked]).toEqual([[], []]);
    await page.context().close();
  });

  it('prints everything, in light, without controls', async () => {
    const { page, reported } = await browser.open(all.rich!, { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await page.waitForSelector('#statistics details[open]');
    await until(page, "getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'");
    for (const part of ['nav', '.controls', 'button', 'select']) {
      for (const element of await page.locator(part).all()) expect(await element.isVisible()).toBe(false);
    }
    for (const drawing of await page.locator('figure[data-chart] svg').all())
      expect(await drawing.isVisible()).toBe(true);
    expect(await page.locator('#runs tbody tr').first().isVisible()).toBe(true);
    expect(await tornFromCharts(page)).toEqual([]);
    await page.emulateMedia({ media: 'screen' });
    await page.waitForSelector('#statistics details:not([open])', { state: 'attached' });
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.startsWith('%PDF')).toBe(true);
    expect((pdf.match(/\/Type \/Page\b/g) ?? []).length).toBeGreaterThan(4);
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it.each(['factors', 'twelve'])('breaks no short name of %s at the beginning of a row, on a phone', async (name) => {
    const { page } = await browser.open(every[name]!, { viewport: { width: 390, height: 844 } });
    await page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    expect(await brokenNames(page, 16)).toEqual([]);
    expect((await widths(page)).page).toBe(390);
    await page.context().close();
  });

  it('shows hostile names as the texts that they are', async () => {
    const { page, reported, asked } = await browser.open(all.hostile!);
    await readThrough(page);
    await page.locator('#run-variant').selectOption({ index: 3 });
    expect(await page.locator('img, iframe, object, embed, base, form, link').count()).toBe(0);
    expect(await page.locator('script:not([type])').count()).toBe(1);
    const text = String(await page.evaluate('document.body.innerText'));
    for (const name of hostileNames.filter((n) => /^[\x20-\x7e]+$/.test(n))) expect(text).toContain(name);
    expect([reported, asked]).toEqual([[], []]);
    await page.context().close();
  });

  it('runs no other program and reaches for nothing, whatever comes into it', async () => {
    const { page } = await browser.open(all.measured!);
    const outcome = await page.evaluate(`(async () => {
      const broken = [];
      addEventListener('securitypolicyviolation', (e) => broken.push(e.effectiveDirective));
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x.png"><p onclick="1" style="color: red">x</p>');
      const fetched = await fetch('http://127.0.0.1:9/').then(() => true, () => false);
      while (new Set(broken).size < 5) await new Promise((done) => setTimeout(done, 50));
      return { intruder: window.intruder ?? false, fetched, broken: [...new Set(broken)].sort() };
    })()`);
    expect(outcome).toEqual({
      intruder: false,
      fetched: false,
      broken: ['connect-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr'],
    });
    await page.context().close();
  });

  it('of a million readings, ten thousand runs and two hundred comparisons stays small, and says what it left out', async () => {
    const analysis = bigAnalysis({ variants: 201, blocks: 50, readings: 1_000_000 });
    const html = reportHtml(analysis);
    expect(Buffer.byteLength(html)).toBeLessThan(3_000_000);
    const { page, reported, asked } = await browser.openHtml(html);
    await readThrough(page);
    for (const { label, pixels } of await painted(page)) expect([label, pixels > 1000]).toEqual([label, true]);
    expect(await page.locator('#single-run figcaption').textContent()).toMatch(/^One in \d+ readings of this run/);
    expect(await page.locator('#power-hexagons figcaption').textContent()).toMatch(
      /Drawn: one in \d+ of 10\d+ readings/,
    );
    expect(await page.locator('#data').textContent()).toMatch(/\d+ of 10\d+ readings/);
    const more = page.locator('#runs button');
    await page.locator('#runs summary').click();
    await more.click();
    await until(page, "document.querySelectorAll('#runs tbody tr').length === 800");
    expect([reported, asked]).toEqual([[], []]);
    await page.context().close();
  }, 240_000);
});
