import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Analysis } from '../../../src/analysis/results.ts';
import { addToReport } from '../../../src/parts/explain/report/report.ts';
import { reportHtml } from '../../../src/report/html.ts';

/** Milliseconds: far longer than anything takes on a slow machine that is busy with other tests. */
const PATIENCE_MS = 40_000;

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

export interface Opened {
  readonly page: Page;
  /** Words in the console, and errors. */
  readonly reported: string[];
  /** Addresses that the page asked for, besides its own. */
  readonly asked: string[];
}

/** Debian's Chromium, and reports opened in it from files. */
export class ReportBrowser {
  readonly #folder = mkdtempSync(join(tmpdir(), 'joulediff-browser-'));
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<ReportBrowser> {
    const executablePath = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).trim();
    return new ReportBrowser(await chromium.launch({ executablePath, args: FLAGS }));
  }

  async open(analysis: Analysis, options: BrowserContextOptions = {}): Promise<Opened> {
    const { figure } = await addToReport(analysis);
    return this.openHtml(reportHtml(analysis, figure), options);
  }

  async openHtml(html: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const file = join(this.#folder, 'report.html');
    writeFileSync(file, html);
    const context = await this.#browser.newContext({
      viewport: { width: 1100, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const reported: string[] = [];
    const asked: string[] = [];
    const address = pathToFileURL(file).href;
    page.on('console', (message) => reported.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => reported.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => reported.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (request.url() !== address) asked.push(request.url());
    });
    await page.goto(address);
    if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]', { timeout: PATIENCE_MS });
    return { page, reported, asked };
  }

  async stop(): Promise<void> {
    await this.#browser.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Brings every chart near the reader once, so that it is drawn. */
export async function readThrough(page: Page): Promise<void> {
  const places = page.locator('figure .drawing');
  for (let i = 0; i < (await places.count()); i++) {
    await places.nth(i).scrollIntoViewIfNeeded();
    await places.nth(i).locator('canvas').waitFor({ state: 'attached', timeout: PATIENCE_MS });
  }
}

/** For every drawn canvas by its chart: how many of its pixels are painted, and how many colors they have. */
export async function painted(page: Page): Promise<{ label: string; pixels: number; colors: number }[]> {
  return page.evaluate(`[...document.querySelectorAll('canvas')].map((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colors = new Set();
    let pixels = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] === 0) continue;
      pixels += 1;
      colors.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
    }
    return { label: canvas.getAttribute('aria-label'), pixels, colors: colors.size };
  })`);
}

/** Widths of the page and of the window. */
export async function widths(page: Page): Promise<{ page: number; window: number }> {
  return page.evaluate('({ page: document.documentElement.scrollWidth, window: innerWidth })');
}

/** What stands above a chart in print and the end of a page may part from it. */
export async function tornFromCharts(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('figure')].flatMap((figure) => {
    const torn = [];
    for (let above = figure.previousElementSibling; above !== null && above.tagName !== 'FIGURE'; above = above.previousElementSibling) {
      const { breakInside, breakAfter } = getComputedStyle(above);
      if (above.checkVisibility() && (breakInside !== 'avoid' || breakAfter !== 'avoid')) torn.push(above.outerHTML.slice(0, 80));
    }
    return torn;
  })`);
}

/** Words of at most `most` characters at the beginning of a table's rows that go on in another line. */
export async function brokenNames(page: Page, most: number): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('tr > :first-child')].flatMap((cell) => {
    if (!cell.checkVisibility()) return [];
    const broken = [];
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const { index, 0: word } of texts.currentNode.data.matchAll(/[^\\s–-]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (word.length <= ${most} && lines.size > 1) broken.push(word);
      }
    }
    return broken;
  })`);
}

/** Cells of a table as text: the head first. */
export async function cells(page: Page, label: string): Promise<string[][]> {
  const table = JSON.stringify(`[aria-label="${label}"] table`);
  return page.evaluate(
    `[...document.querySelector(${table}).rows].map((row) => [...row.cells].map((cell) => cell.textContent))`,
  );
}

/** Waits until this is true in the page; asked from outside, because the page's policy lets nothing be evaluated inside. */
export async function until(page: Page, condition: string): Promise<void> {
  const fromMs = performance.now();
  while (!(await page.evaluate(condition))) {
    if (performance.now() - fromMs > PATIENCE_MS) throw new Error(`it never was true that ${condition}`);
    await page.waitForTimeout(50);
  }
}
