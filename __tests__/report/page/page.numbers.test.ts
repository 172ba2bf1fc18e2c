// Class: system, browser.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Analysis } from '../../../src/analysis/results.ts';
import { phasesCsv, runsCsv } from '../../../src/report/csv.ts';
import { findingsJson } from '../../../src/report/findings-json.ts';
import { everyAnalysis, hostileNames } from '../fixtures.ts';
import { richAnalysis } from '../synthetic/rich.ts';
import { cells, ReportBrowser, readThrough, until } from './browser.ts';

const rich = richAnalysis();
const { measured, hostile } = everyAnalysis() as Record<string, Analysis>;
let browser: ReportBrowser;

beforeAll(async () => {
  browser = await ReportBrowser.start();
});
afterAll(() => browser.stop());

/** The numbers that a text shows, with half a unit of their last digit. */
function numbersIn(text: string): { value: number; half: number }[] {
  return [...text.replaceAll(',', '').matchAll(/[+−-]?\d+(?:\.(\d+))?/g)].map(([number, decimals = '']) => ({
    value: Number(number.replace('−', '-')),
    half: 0.5000001 * 10 ** -decimals.length,
  }));
}

/** Are these the numbers of the text, as far as it shows them? */
function expectShown(text: string | undefined, values: readonly (number | null | undefined)[]): void {
  const shown = numbersIn(text ?? '');
  expect([text, shown.length >= values.length]).toEqual([text, true]);
  for (const [i, value] of values.entries()) {
    expect([text, value, Math.abs(shown[i]!.value - value!) <= shown[i]!.half]).toEqual([text, value, true]);
  }
}

/** Rows of a table by the words in the columns named, and a look at any of their cells. */
async function rowsOf(page: Page, label: string): Promise<((head: RegExp) => string)[]> {
  const [head, ...rows] = await cells(page, label);
  return rows.map((row) => (wanted) => {
    const at = head!.findIndex((h) => wanted.test(h));
    if (at < 0) throw new Error(`no column ${wanted} in ${head}`);
    return row[at]!;
  });
}

describe('the numbers of report.html', () => {
  it.each([
    ['measured', measured!],
    ['rich', rich],
  ])('of %s are those of findings.json', async (_, analysis) => {
    const { page } = await browser.open(analysis);
    const { findings } = analysis;
    const variants = await rowsOf(page, 'Variants');
    expect(variants.map((cell) => cell(/^Variant/))).toEqual(findings.variants.map((v) => v.name));
    for (const [i, v] of findings.variants.entries()) {
      const cell = variants[i]!;
      expectShown(cell(/^Runs/), [v.runs]);
      expectShown(cell(/^Energy/), [v.energy_j?.mean, v.energy_j?.sd]);
      expectShown(cell(/^Median/), [v.energy_j?.median, v.energy_j?.q1, v.energy_j?.q3]);
      expectShown(cell(/^Above idle/), [v.net_energy_j?.mean]);
      expectShown(cell(/^Duration/), [v.duration_s?.mean]);
      expectShown(cell(/^Power/), [v.mean_power_w?.mean]);
    }
    const comparisons = await rowsOf(page, 'Comparisons');
    expect(comparisons).toHaveLength(findings.comparisons.length);
    const channel = (cell: (head: RegExp) => string): string =>
      findings.meter.channels.length > 1 ? cell(/^Channel/) : findings.meter.channels[0]!;
    for (const cell of comparisons) {
      const c = findings.comparisons.find(
        (each) => each.variant === cell(/^Variant/) && each.channel === channel(cell),
      )!;
      expectShown(cell(/^Change in %/), [c.percent.estimate, c.percent.ci95?.[0], c.percent.ci95?.[1]]);
      expectShown(cell(/^Effect/), [c.effect.cliffs_delta?.value]);
    }
    await page.context().close();
  });

  it('of phases and resources are those of findings.json', async () => {
    const { page } = await browser.open(rich);
    const phases = await rowsOf(page, 'Phases');
    const reported = rich.findings.variants.flatMap((v) => (v.phases ?? []).map((p) => ({ v, p })));
    for (const [i, { v, p }] of reported.entries()) {
      const cell = phases[i]!;
      expect([cell(/^Variant/), cell(/^Phase/)]).toEqual([v.name, p.phase]);
      expectShown(cell(/^Energy/), [p.energy_j.mean, p.energy_j.sd]);
      expectShown(cell(/^Share of the run/), [(100 * p.energy_j.mean) / v.energy_j!.mean]);
      expectShown(cell(/^Duration/), [p.duration_s.mean]);
    }
    const resources = await rowsOf(page, 'Resources');
    for (const [i, v] of rich.findings.variants.entries()) {
      expectShown(resources[i]!(/^Processor time/), [v.resources?.cpu_s?.mean]);
      expectShown(resources[i]!(/^Peak memory/), [v.resources!.peak_memory_bytes!.median / 2 ** 20]);
    }
    await page.context().close();
  });

  it('stand in its head too', async () => {
    const { page } = await browser.open(measured!);
    const c = measured!.findings.comparisons[0]!;
    const cards = await page.locator('.cards div').allTextContents();
    const heading = (await page.locator('h1').textContent()) ?? '';
    expectShown(heading, [c.percent.estimate]);
    expectShown(heading.split(' CI ')[1], c.percent.ci95!);
    const { baseline, variant, percent } = c.typical!.energy_j!;
    const card = (label: string): string => cards.find((each) => each.startsWith(label)) ?? '';
    expectShown(card(c.baseline), [baseline]);
    expectShown(card(c.variant), [variant]);
    const [from, to, change] = [c.baseline, c.variant, 'Change per run'].map(
      (label) => numbersIn(card(label))[0]!.value,
    );
    expect(change).toBeCloseTo(to! - from!, 9);
    expectShown(
      card('Change per run').split('95 % interval')[1],
      percent.ci95!.map((end) => (baseline * end) / 100),
    );
    await page.context().close();
  });

  it('can be saved, byte by byte as the files beside it', async () => {
    for (const analysis of [rich, hostile!]) {
      const { page, reported, asked } = await browser.open(analysis);
      await readThrough(page);
      const save = async (name: string): Promise<Buffer> => {
        const coming = page.waitForEvent('download');
        await page.locator(`[data-file="${name}"]`).click();
        const download = await coming;
        expect(download.suggestedFilename()).toBe(name);
        return readFileSync(await download.path());
      };
      expect((await save('findings.json')).equals(Buffer.from(findingsJson(analysis.findings)))).toBe(true);
      expect((await save('runs.csv')).equals(Buffer.from(runsCsv(analysis.runs, analysis.findings)))).toBe(true);
      const phases = phasesCsv(analysis.runs, analysis.findings);
      if (phases !== null) expect((await save('phases.csv')).equals(Buffer.from(phases))).toBe(true);
      const [head, ...lines] = (await save('readings.csv')).toString().trimEnd().split('\n');
      expect(head).toBe('run,t_s,power_w');
      const readings = analysis.traces.flatMap(({ run, tS, powerW }) => Array.from(tS, (t, i) => [run, t, powerW[i]!]));
      expect(lines).toHaveLength(readings.length);
      for (const [i, line] of lines.entries()) {
        const [run, t, w] = line.split(',').map(Number);
        const near =
          run === readings[i]![0] && Math.abs(t! - readings[i]![1]!) < 1e-6 && Math.abs(w! - readings[i]![2]!) < 1e-3;
        if (!near) throw new Error(`line ${i + 2} of readings.csv is ${line}, not ${readings[i]}`);
      }
      expect(reported).toEqual([]);
      expect(asked.filter((address) => !address.startsWith('blob:'))).toEqual([]);
      await page.context().close();
    }
  });
});

describe('any single run of report.html', () => {
  it('is chosen by variant and number, and by stepping on', async () => {
    const { page } = await browser.open(rich);
    // A chart that is drawn between the press and the release of a button moves it from under the pointer.
    await readThrough(page);
    const facts = (): Promise<string> => page.locator('#single-run .facts').innerText();
    const shows = (run: number) => until(page, `document.querySelector('#run-number').value === '${run}'`);
    const draws = (run: number) =>
      until(page, `/run ${run} \\(debian\\)/.test(document.querySelector('#single-run canvas')?.ariaLabel)`);
    const energyOf = (run: number): number | null =>
      rich.runs.find((r) => r.run === run && r.channel === 'wall')!.energyJ;
    const numbers = rich.traces.filter((t) => t.variant === 'debian').map((t) => t.run);
    // Two in a row that have an energy: others show a dash.
    const place = numbers.findIndex((n, i) => energyOf(n) !== null && energyOf(numbers[i + 1]!) !== null);
    const [number, next] = numbers.slice(place, place + 2) as [number, number];
    await page.locator('#run-variant').selectOption('debian');
    await until(page, `document.querySelectorAll('#run-number option').length === ${numbers.length}`);
    await page.locator('#run-number').selectOption(String(number));
    await draws(number);
    expectShown(/Energy\s+(\S+) J/.exec(await facts())?.[1], [energyOf(number)]);
    await page.getByRole('button', { name: 'Next' }).click();
    await shows(next);
    await draws(next);
    expectShown(/Energy\s+(\S+) J/.exec(await facts())?.[1], [energyOf(next)]);
    await page.context().close();
  });

  it('shows names as text, however they look', async () => {
    const { page } = await browser.open(hostile!);
    const options = await page.locator('#run-variant option').allTextContents();
    expect(options).toContain('<img src=x onerror=alert(1)>');
    expect(options).toHaveLength(hostileNames.length + 1);
    await page.context().close();
  });
});

describe('report.html by keyboard and pointer', () => {
  it('leads over every control, each named and visibly in focus', async () => {
    const { page } = await browser.open(rich);
    // A chart is drawn once it is seen, and can be reached then; on a busy machine the keys would be faster.
    for (const figure of await page.locator('figure').all()) {
      await figure.scrollIntoViewIfNeeded();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    }
    await until(page, "document.querySelectorAll('canvas').length > 5");
    await page.evaluate('scrollTo(0, 0)');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    const seen: string[] = [];
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press('Tab');
      const focus = (await page.evaluate(`(() => {
        const e = document.activeElement;
        const label = e.getAttribute('aria-label') ?? (e.labels?.[0] ?? e).textContent;
        return { tag: e.tagName, label: label.trim(), ring: getComputedStyle(e).outlineStyle, id: e.id };
      })()`)) as { tag: string; label: string; ring: string; id: string };
      if (focus.tag === 'BODY') break;
      expect([focus, focus.label.length > 2, focus.ring]).toEqual([focus, true, 'solid']);
      seen.push(focus.tag);
    }
    expect(seen.filter((tag) => tag === 'CANVAS').length).toBeGreaterThan(5);
    expect(seen.filter((tag) => tag === 'SELECT')).toHaveLength(2);
    expect(seen.filter((tag) => tag === 'BUTTON').length).toBeGreaterThan(3);
    expect(seen.filter((tag) => tag === 'SUMMARY')).toHaveLength(3);
    await page.context().close();
  });

  it('walks over the points of a chart, tells each, and opens the run of one', async () => {
    const { page, reported } = await browser.open(rich);
    const chart = page.locator('#energy-violin canvas');
    await page.locator('#energy-violin').scrollIntoViewIfNeeded();
    await chart.focus();
    const live = "document.querySelector('#energy-violin [aria-live]').textContent";
    const words = (): Promise<string> => page.evaluate(live);
    await page.keyboard.press('Home');
    const lowest = rich.runs
      .filter((r) => r.status === 'ok' && r.channel === 'wall' && r.energyJ !== null)
      .reduce((a, b) => (a.energyJ! < b.energyJ! ? a : b));
    await until(page, `${live}.includes(${JSON.stringify(`${lowest.variant}: run ${lowest.run},`)})`);
    expectShown(/; ([\d.]+) J/.exec(await words())?.[1], [lowest.energyJ]);
    await page.keyboard.press('ArrowRight');
    await until(page, `!${live}.includes('run ${lowest.run},')`);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await until(page, `document.querySelector('#run-number').value === '${lowest.run}'`);
    await until(page, "document.activeElement.id === 'run-number'");
    expect(reported).toEqual([]);
    await page.context().close();
  });

  it('answers to a pointer, and opens the run of a point that is clicked', async () => {
    const { page } = await browser.open(rich);
    const chart = page.locator('#energy-over-runs canvas');
    await page.locator('#energy-over-runs').scrollIntoViewIfNeeded();
    await chart.waitFor();
    await readThrough(page);
    // The middle of a filled point in the color of the first variant, wider than any line.
    const [x, y] = (await page.evaluate(`(() => {
      const canvas = document.querySelector('#energy-over-runs canvas');
      const { data, width, height } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const is = (x, y) => [0, 114, 178].every((part, i) => data[4 * (y * width + x) + i] === part);
      for (let y = 45; y < height - 60; y++) for (let x = 60; x < 0.7 * width; x++) {
        if ([-1, 0, 1].every((dx) => [-1, 0, 1].every((dy) => is(x + dx, y + dy)))) return [x, y];
      }
    })()`)) as [number, number];
    const picture = "document.querySelector('#energy-over-runs canvas').toDataURL()";
    await page.evaluate(`window.before = ${picture}`);
    await chart.hover({ position: { x, y } });
    await until(page, `${picture} !== window.before`);
    await chart.click({ position: { x, y } });
    await until(page, "document.activeElement.id === 'run-number'");
    const run = Number(await page.locator('#run-number').inputValue());
    expect(rich.runs.find((r) => r.run === run)!.variant).toBe('native');
    await page.context().close();
  });
});
