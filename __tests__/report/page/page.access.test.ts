// Class: world, browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { addToReport } from '../../../src/parts/explain/report/report.ts';
import { historyHtml } from '../../../src/parts/fleet/history/page/page.ts';
import { trendOf } from '../../../src/parts/fleet/history/trend.ts';
import { reportHtml } from '../../../src/report/html.ts';
import { line } from '../../parts/fleet/history/records.ts';
import { everyAnalysis } from '../fixtures.ts';
import { withObserved } from '../synthetic/observed.ts';
import { richAnalysis } from '../synthetic/rich.ts';
import { ReportBrowser, readThrough, until } from './browser.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Drawings that live charts have taken the place of are large and hidden. */
const PLACES = { include: ['html'], exclude: ['.live > svg'] };
const OPTIONS = { runOnly: { type: 'tag', values: TAGS }, rules: { 'target-size': { enabled: true } } };

const emulated = withObserved(richAnalysis({ source: 'emulated' }));
const records = [
  ...line({ count: 230, seed: 3, steps: { 30: 3 }, rebuilt: [20] }),
  ...line({ count: 20, seed: 6, source: 'modelled', experiment: 'demo' }),
];
const pages: Record<string, () => string | Promise<string>> = {
  'a report with all its parts': async () => reportHtml(emulated, (await addToReport(emulated)).figure),
  'a report that can’t be trusted, and is partial': () => reportHtml(everyAnalysis().partial!),
  'a history': () => historyHtml(trendOf(records)),
};

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await ReportBrowser.start();
}, 60_000);
afterAll(() => browser.stop());

interface Found {
  readonly violations: string[];
  /** Elements whose contrast it could judge. */
  readonly judged: number;
}

/** What axe-core finds against the rules of WCAG 2.2 AA. */
async function found(page: Page): Promise<Found> {
  await page.evaluate(AXE);
  return page.evaluate(`axe.run(${JSON.stringify(PLACES)}, ${JSON.stringify(OPTIONS)}).then(({ violations, passes }) => ({
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ' ' + failureSummary)),
    judged: passes.find(({ id }) => id === 'color-contrast').nodes.length,
  }))`);
}

describe('the pages keep WCAG 2.2 AA', () => {
  it.each(Object.entries(pages))(
    'in %s, light and dark, on a phone and on a desk',
    async (_, html) => {
      const { page } = await browser.openHtml(await html());
      // Hundreds of runs would cost a minute, and look like the rows of any other table.
      await page.evaluate(
        "for (const part of document.querySelectorAll('details')) part.open = !part.closest('#runs')",
      );
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          await readThrough(page);
          const { violations, judged } = await found(page);
          expect(violations).toEqual([]);
          expect(judged).toBeGreaterThan(50);
        }
      }
      await page.context().close();
    },
    300_000,
  );
});

describe('the keyboard', () => {
  it('reaches every control of a history, each visibly in focus', async () => {
    const { page } = await browser.openHtml(await pages['a history']!());
    const controls = `[...document.querySelectorAll('a, button, select, input, summary, canvas')]
      .filter((each) => each.checkVisibility() && !each.disabled)`;
    await readThrough(page);
    await page.evaluate("document.querySelector('details').open = true; window.reached = new Set()");
    await until(page, "document.querySelectorAll('details tbody tr').length > 100");
    const count = (await page.evaluate(`${controls}.length`)) as number;
    expect(count).toBeGreaterThan(200);
    for (let i = 0; i < count + 40; i++) {
      await page.keyboard.press('Tab');
      const ring = await page.evaluate(`(() => {
        if (document.activeElement === document.body) return 'end';
        window.reached.add(document.activeElement);
        return getComputedStyle(document.activeElement).outlineStyle;
      })()`);
      if (ring === 'end') break;
      expect(ring).toBe('solid');
    }
    const missed = `${controls}.filter((each) => !window.reached.has(each)).map((each) => each.outerHTML.slice(0, 80))`;
    expect(await page.evaluate(missed)).toEqual([]);
    await page.context().close();
  }, 300_000);

  it('is where it was when a chart is drawn anew', async () => {
    const { page, reported } = await browser.openHtml(await pages['a report with all its parts']!());
    await readThrough(page);
    await page.locator('#energy-violin canvas').focus();
    const changed = "document.activeElement !== window.old && document.activeElement.tagName === 'CANVAS'";
    for (const change of [
      () => page.emulateMedia({ colorScheme: 'dark' }),
      () => page.setViewportSize({ width: 700, height: 900 }),
    ]) {
      await page.evaluate('window.old = document.activeElement');
      await change();
      await until(page, changed);
      expect(await page.evaluate("document.activeElement.closest('section').id")).toBe('energy-violin');
    }
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('goes on beside a button that has nothing more to show', async () => {
    const { page } = await browser.openHtml(await pages['a history']!());
    await page.locator('details summary').first().click();
    await page.getByRole('button', { name: 'Earlier' }).focus();
    for (const rows of [100, 30]) {
      await page.keyboard.press('Enter');
      await until(page, `document.querySelectorAll('details[open] tbody tr').length === ${rows}`);
    }
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Later');
    await page.context().close();
  });
});

describe('the page stays where it is', () => {
  const places = `[...document.querySelectorAll('h2, h3, button, select, summary, figcaption')].filter((each) => each.checkVisibility()).map((each) =>
    (each.id || each.textContent.slice(0, 30)) + ' ' + Math.round(each.getBoundingClientRect().top + scrollY))`;
  it.each(
    ['a report with all its parts', 'a history'].flatMap((name) => [1100, 390].map((width) => [name, width] as const)),
  )('while the charts of %s are drawn, %i pixels wide', async (name, width) => {
    const { page } = await browser.openHtml(await pages[name]!(), { viewport: { width, height: 700 } });
    const before = await page.evaluate(places);
    await readThrough(page);
    expect(await page.evaluate(places)).toEqual(before);
    await page.context().close();
  });
});

describe('on a phone', () => {
  it('verdicts and advice are on the screen, and what goes on beyond its edge is marked', async () => {
    const { page } = await browser.openHtml(await pages['a report that can’t be trusted, and is partial']!(), {
      viewport: { width: 390, height: 800 },
    });
    await readThrough(page);
    const ends = `[...document.querySelectorAll('#comparisons td:last-child, #checks td:last-child')]
      .map((cell) => cell.getBoundingClientRect().right <= innerWidth)`;
    expect(await page.evaluate(ends)).toEqual([true, true]);
    const wide = `[...document.querySelectorAll('.scroll, .plot')]
      .filter((place) => place.checkVisibility() && place.scrollWidth > place.clientWidth + 1)
      .map((place) => getComputedStyle(place).maskImage !== 'none')`;
    await until(page, `${wide}.length > 0 && ${wide}.every(Boolean)`);
    const stacked =
      "[...document.querySelectorAll('#comparisons .scroll, #checks .scroll')].map((each) => each.className)";
    expect(await page.evaluate(stacked)).toEqual(['scroll', 'scroll']);
    const table = page.locator('#variants .scroll');
    expect(await table.getAttribute('class')).toBe('scroll more-right');
    await page.evaluate("document.querySelector('#variants .scroll').scrollLeft = 1e6");
    await until(page, "document.querySelector('#variants .scroll').className === 'scroll more-left'");
    await page.context().close();
  });
});
