import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { reportHtml } from '../../src/report/html.ts';
import { everyAnalysis, fakeAnalysis, hostileNames } from './fixtures.ts';

const all = everyAnalysis();

function data(html: string, id: string): unknown {
  const match = new RegExp(`<script type="application/json" id="${id}">([\\s\\S]*?)</script>`).exec(html);
  return JSON.parse(match?.[1] ?? 'null');
}

describe('reportHtml', () => {
  it.each(Object.entries(all))('of %s needs nothing from elsewhere, and runs nothing', (_, analysis) => {
    const html = reportHtml(analysis);
    expect(html).toMatch(/http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-/);
    const tags = html.match(/<[^>]+>/g) ?? [];
    const bad = /^<(link|iframe|object|embed|base|form|img)\b|\s(src|href|style|on[a-z]+)=|url\((?!#)/i;
    expect(tags.filter((tag) => bad.test(tag.replace(/aria-label="[^"]*"/, '')))).toEqual([]);
    expect(html).not.toMatch(/@import/);
    expect(tags.filter((tag) => tag.startsWith('<script'))).toHaveLength(2);
  });

  it('allows exactly the style that it has', () => {
    const html = reportHtml(all.measured!);
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    expect(html).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  });

  it.each(Object.entries(all))('of %s carries its findings, the very numbers', (_, analysis) => {
    expect(data(reportHtml(analysis), 'findings')).toEqual(JSON.parse(JSON.stringify(analysis.findings)));
  });

  it('has no id twice', () => {
    const ids = [...reportHtml(all.twelve!).matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lets no name become an element', () => {
    const html = reportHtml(all.hostile!);
    for (const name of hostileNames) if (/[<>]/.test(name)) expect(html).not.toContain(name);
    expect(html).not.toContain('<!-- joulediff');
    expect(html).not.toMatch(/<img|<script>/);
  });

  it.each([
    ['modelled', 'estimated by a model'],
    ['emulated', 'emulated meter'],
  ])('of %s numbers says so in its title, before its numbers and on every chart', (name, words) => {
    const html = reportHtml(all[name]!);
    expect(html.indexOf(words)).toBeLessThan(html.indexOf('<table'));
    const charts = html.split('<svg').slice(1);
    expect(charts.length).toBe(2);
    for (const chart of charts) expect(chart.toLowerCase()).toContain(words);
  });

  it('of one run draws what can be drawn', () => {
    expect(reportHtml(fakeAnalysis({ runs: 1, traces: false })).match(/<figure/g)).toHaveLength(1);
    expect(reportHtml(all.bare!)).toContain('No run gave readings that could be drawn');
  });
});
