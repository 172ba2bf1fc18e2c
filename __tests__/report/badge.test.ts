// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type BadgeFacts, badgeFacts, badgeJson, badgeSvg, formatBadge } from '../../src/report/badge.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';

const facts: BadgeFacts = {
  variant: 'container',
  percent: 3.1,
  ci95: [2.2, 4.0],
  verdict: 'increase',
  source: 'measured',
  complete: true,
};

describe('a badge', () => {
  it('tells the first comparison as the findings have it', () => {
    const { findings } = syntheticAnalysis();
    const { percent, verdict } = findings.comparisons[0]!;
    expect(badgeFacts(findings)).toMatchObject({
      variant: 'container',
      percent: percent.estimate,
      ci95: percent.ci95,
      verdict,
    });
  });

  it('tells no interval that so few blocks do not bear', () => {
    const { findings } = syntheticAnalysis({ runs: 5 });
    expect(findings.comparisons[0]!.percent.ci95).not.toBeNull();
    expect(formatBadge(badgeFacts(findings)).message).toMatch(/^\+\d\.\d %, inconclusive$/);
  });

  it.each<[string, Partial<BadgeFacts>, string]>([
    ['an increase', {}, '+3.1 % (+2.2 to +4.0)'],
    ['what is inconclusive', { verdict: 'inconclusive', ci95: [-1, 7] }, '+3.1 % (−1.0 to +7.0), inconclusive'],
    ['a model', { source: 'modelled' }, '+3.1 % (+2.2 to +4.0), estimated, not measured'],
    ['an emulator', { source: 'emulated' }, '+3.1 % (+2.2 to +4.0), emulated meter'],
    ['an unfinished experiment', { complete: false }, '+3.1 % (+2.2 to +4.0), partial'],
    ['no estimate', { percent: null }, 'no result'],
  ])('says so of %s', (_, changes, message) => {
    expect(formatBadge({ ...facts, ...changes }).message).toBe(message);
  });

  it('has a color only for what was measured and is settled', () => {
    const gray = formatBadge({ ...facts, verdict: 'inconclusive' }).color;
    const colors = (['increase', 'decrease', 'equivalent'] as const).map(
      (verdict) => formatBadge({ ...facts, verdict }).color,
    );
    expect(new Set([...colors, gray]).size).toBe(4);
    for (const changes of [
      { source: 'modelled' },
      { source: 'emulated' },
      { source: 'unknown' },
      { complete: false },
    ] as const) {
      expect(formatBadge({ ...facts, ...changes }).color).toBe(gray);
    }
    for (const color of [...colors, gray]) expect(contrastToWhite(color)).toBeGreaterThanOrEqual(4.5);
  });

  it('is an endpoint of shields.io', () => {
    expect(JSON.parse(badgeJson(formatBadge(facts)))).toEqual({
      schemaVersion: 1,
      label: 'container energy',
      message: '+3.1 % (+2.2 to +4.0)',
      color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    });
    expect(JSON.parse(badgeJson(formatBadge(null)))).toMatchObject({ message: 'no result', isError: true });
  });

  it('is a picture that is as wide as its words, and says them to whoever can’t see it', () => {
    const svg = badgeSvg(formatBadge(facts));
    const width = Number(/^<svg [^>]*width="(\d+)"/.exec(svg)?.[1]);
    const lengths = [...svg.matchAll(/textLength="(\d+)"/g)].map((match) => Number(match[1]));
    expect(lengths).toHaveLength(2);
    expect(width).toBe(lengths[0]! + lengths[1]! + 24);
    expect(svg).toContain('<title>container energy: +3.1 % (+2.2 to +4.0)</title>');
    const longer = badgeSvg(formatBadge({ ...facts, source: 'modelled' }));
    expect(Number(/^<svg [^>]*width="(\d+)"/.exec(longer)?.[1])).toBeGreaterThan(width + 100);
  });

  it('holds no markup of a name', () => {
    const svg = badgeSvg(formatBadge({ ...facts, variant: '"/><script>alert(1)</script>&\u202e' }));
    expect(svg).not.toMatch(/<script|\u202e/);
    expect(svg).toContain('&lt;script&gt;');
    expect(svg.match(/<[a-z]/g)!.length).toBe(badgeSvg(formatBadge(facts)).match(/<[a-z]/g)!.length);
  });
});

/** WCAG 2.2, relative luminance. */
function contrastToWhite(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}
