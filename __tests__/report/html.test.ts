// Class: unit.
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../src/analysis/results.ts';
import type { Check } from '../../src/findings/checks.ts';
import { readPageData } from '../../src/report/data/page-data.ts';
import { reportHtml } from '../../src/report/html.ts';
import { everyAnalysis, hostileNames } from './fixtures.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';
import { richAnalysis } from './synthetic/rich.ts';

const all: Record<string, Analysis> = { ...everyAnalysis(), rich: richAnalysis() };

const textOf = (html: string, id: string): string =>
  new RegExp(`<script type="application/json" id="data-${id}">([\\s\\S]*?)</script>`).exec(html)?.[1] ?? 'null';

const made = new Map<Analysis, string>();

/** Made once for each, because it takes a while. */
function cachedHtml(analysis: Analysis): string {
  const html = made.get(analysis) ?? reportHtml(analysis);
  made.set(analysis, html);
  return html;
}

/** The page without its program, which holds tags in its texts. */
const markup = (html: string): string => html.replace(/<script>[\s\S]*?<\/script>/, '<script></script>');

describe('reportHtml', () => {
  it.each(Object.entries(all))('of %s needs nothing from elsewhere, and runs its one program only', (_, analysis) => {
    const html = cachedHtml(analysis);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-/);
    const tags = markup(html).match(/<[^>]+>/g) ?? [];
    const bad = /^<(link|iframe|object|embed|base|form|img)\b|\s(src|style|on[a-z]+)=|\shref="[^#]|url\((?!#)/i;
    expect(tags.filter((tag) => bad.test(tag.replace(/aria-label="[^"]*"/, '')))).toEqual([]);
    expect(markup(html)).not.toMatch(/@import/);
    expect(tags.filter((tag) => tag.startsWith('<script') && !tag.includes('application/json'))).toEqual(['<script>']);
  });

  it('has its first chart above the contents, and folds the checks that passed', () => {
    const html = markup(cachedHtml(all.rich!));
    const [chart, contents] = [html.indexOf('<figure'), html.indexOf('<nav')];
    expect(chart).toBeGreaterThan(0);
    expect(contents).toBeGreaterThan(chart);
    expect(html.match(/<section id="energy-change"/g)).toHaveLength(1);
    const facts = { blocked: true, fixed_order: false, change_percent: 0, p: 1, lag1: 0 };
    const drift: Check = { name: 'drift', state: 'ok', reason: 'none', facts };
    const { checks: found } = all.partial!.findings.quality;
    const page = markup(reportHtml(syntheticAnalysis({ checks: [drift, ...found] })));
    const [, checks = ''] = /<section id="checks"([\s\S]*?)<\/section>/.exec(page) ?? [];
    const folded = checks.indexOf('<details');
    expect(checks.slice(0, folded)).toMatch(/<td[^>]*>(?:warning|failed)</);
    expect(checks.slice(0, folded)).not.toMatch(/<td[^>]*>ok</);
    expect(checks.slice(folded)).toMatch(/<td[^>]*>ok</);
  });

  it('says at its top when a threshold fails the job, and only then', () => {
    const reported = '<a href="#thresholds">This fails the job</a>: 2 thresholds: 1 crossed, 1 kept.';
    expect(cachedHtml(all.crossed!)).toContain(reported);
    expect(markup(cachedHtml(all.crossed!))).toContain('id="thresholds"');
    expect(cachedHtml(all.kept!)).not.toContain('This fails the job');
  });

  it('allows exactly the style and the program that it has', () => {
    const html = cachedHtml(all.measured!);
    for (const element of ['style', 'script']) {
      const content = new RegExp(`<${element}>([\\s\\S]*?)</${element}>`).exec(html)?.[1] ?? '';
      expect(content.length).toBeGreaterThan(1000);
      expect(html).toContain(`${element}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`);
    }
    expect(html).not.toContain('unsafe');
  });

  it.each(Object.entries(all))('of %s carries its findings, the very numbers', (_, analysis) => {
    const page = readPageData((id) => textOf(cachedHtml(analysis), id));
    expect(page.findings).toEqual(JSON.parse(JSON.stringify(analysis.findings)));
  });

  it('counts runs once, however many channels each has', () => {
    expect(markup(cachedHtml(all.rich!))).toContain('All 90 runs, on 3 channels');
    expect(markup(cachedHtml(all.measured!))).toContain('All 60 runs<');
  });

  it('says with the verdict where few blocks reach less confidence than 95 %', () => {
    const heading = /<h1>.*?<\/h1>/.exec(markup(cachedHtml(all.few!)))?.[0];
    expect(heading).toMatch(/more energy than .* \(93\.7\u00a0% CI \S+ to \S+\u00a0%\)/);
  });

  it('is the same bytes every time', () => {
    expect(reportHtml(richAnalysis())).toBe(cachedHtml(all.rich!));
  });

  it('has no id twice, and nothing in its contents that is not there', () => {
    for (const analysis of [all.twelve!, all.rich!, all.bare!]) {
      const html = markup(cachedHtml(analysis));
      const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(ids.length);
      const links = [...html.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
      expect(links.length).toBeGreaterThan(4);
      for (const link of links) expect(ids).toContain(link);
    }
  });

  it('lets no name become an element', () => {
    const html = markup(cachedHtml(all.hostile!));
    for (const name of hostileNames) if (/[<>]/.test(name)) expect(html).not.toContain(name);
    expect(html).not.toContain('<!-- joulediff');
    expect(html).not.toMatch(/<img|<script>[^<]/);
  });

  it.each([
    ['modelled', 'estimated by a model'],
    ['emulated', 'emulated meter'],
  ])('of %s numbers says so in its title, with its verdict and before its numbers, and not once more at every chart', (name, words) => {
    const html = markup(cachedHtml(all[name]!));
    expect(html.indexOf(words)).toBeLessThan(html.indexOf('<table'));
    expect(html.indexOf(words)).toBeLessThan(html.indexOf('<dl'));
    const captions = [...html.matchAll(/<figcaption>(.*?)<\/figcaption>/gs)].map((match) => match[1]!);
    expect(captions.length).toBeGreaterThan(3);
    for (const caption of captions) expect(caption.toLowerCase()).not.toContain(words);
    expect(/<title>.*<\/title>/.exec(html)?.[0]).toMatch(/\((estimated, not measured|emulated meter)\)/);
    expect(/<h1>.*<\/h1>/.exec(html)?.[0]).toMatch(/ — (estimated, not measured|emulated meter)<\/h1>/);
  });

  it('of one run draws what can be drawn', () => {
    const html = markup(cachedHtml(syntheticAnalysis({ runs: 1, traces: false })));
    expect(html).toContain('data-chart="energy-violin"');
    expect(html).not.toContain('data-chart="power-over-time"');
    expect(cachedHtml(all.bare!)).toContain('No run gave readings that could be drawn');
  });

  it('folds what comes after the first thirty of very many rows, and keeps every one', () => {
    const variants = Array.from({ length: 61 }, (_, i) => ({ name: `v${i}`, meanJ: 250 + i }));
    const html = markup(reportHtml(syntheticAnalysis({ variants, runs: 6, traces: false })));
    const comparisons = /<section id="comparisons"[\s\S]*?<\/section>/.exec(html)![0];
    const [open = '', folded = ''] = comparisons.split('<details>');
    expect(open.match(/<tr><td>/g)).toHaveLength(30);
    expect(folded.match(/<tr><td>/g)).toHaveLength(30);
    expect(folded).toContain('30 more');
    for (let i = 1; i < 61; i++) expect(comparisons).toContain(`<bdi>v${i}</bdi>`);
    expect(comparisons.match(/<svg class="interval"/g)).toHaveLength(60 + 2);
  });

  it('shows the sections of questions only where they were asked', () => {
    const html = markup(cachedHtml(all.measured!));
    for (const id of ['factorial', 'thresholds', 'costs', 'phases', 'resources']) {
      expect(html).not.toContain(`<section id="${id}"`);
    }
    const rich = markup(cachedHtml(all.rich!));
    for (const id of ['phases', 'resources']) expect(rich).toContain(`<section id="${id}"`);
    const goals = markup(cachedHtml(all.modelledCosts!));
    for (const id of ['thresholds', 'costs']) expect(goals).toContain(`<section id="${id}"`);
    expect(goals).toContain('which was not measured');
  });
});
