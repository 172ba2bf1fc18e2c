// Class: system, browser.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ReportBrowser, until } from '../../../../report/page/browser.ts';
import { syntheticAnalysis } from '../../../../report/synthetic/analysis.ts';
import { withObserved } from '../../../../report/synthetic/observed.ts';

let browser: ReportBrowser;
beforeAll(async () => {
  browser = await ReportBrowser.start();
}, 60_000);
afterAll(() => browser.stop());

it('the flame graph is searched, zoomed and walked through by keys alone, and told to who can’t see it', async () => {
  const { page, reported, asked } = await browser.open(withObserved(syntheticAnalysis()));
  const says = (selector: string, words: RegExp): Promise<void> =>
    until(page, `${words}.test(document.querySelector(${JSON.stringify(selector)}).textContent)`);
  const canvas = page.locator('figure[data-chart="flame-graph"] canvas');
  const zoomOut = (isDisabled: boolean): Promise<void> =>
    until(page, `document.querySelector('#explanation .controls button').disabled === ${isDisabled}`);
  await canvas.focus();
  // All, SET, main.
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  await says('.flame-words', /^main: 1\.\d* → 1\.\d* s/);
  await page.keyboard.press('ArrowRight');
  await says('.flame-words', /^main: 0\.3\d* → 0\.9\d* s/);
  await says('#explanation [aria-live="polite"].hidden', /^main: 0\.3/);
  await page.keyboard.press('ArrowUp');
  await says('.flame-words', /^LRANGE_600: /);
  await page.keyboard.press('Enter');
  await zoomOut(false);
  // SET is out of the picture.
  await page.getByLabel('Search').fill('setCommand');
  await says('#explanation .controls', /0 places in the picture, 1 not in it$/);
  await page.getByLabel('Search').fill('MEMCPY');
  await says('#explanation .controls', /1 place in the picture: 0\.0\d* → 0\.4\d* s$/);
  await page.keyboard.press('Enter');
  await says('.flame-words', /^memcpy: .* → 0\.4\d* s, memory copy$/);
  await canvas.focus();
  await page.keyboard.press('Escape');
  await zoomOut(true);
  await page.getByLabel('Search').fill('tcacheless');
  await page.keyboard.press('Enter');
  await says('.flame-words', /^tcacheless \(gone\): /);
  await page.getByLabel('Widths of').selectOption('variant');
  await says('#explanation .controls', /0 places in the picture/);
  expect([reported, asked]).toEqual([[], []]);
}, 120_000);
