// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { Resvg } from '@resvg/resvg-wasm';
import { readFont } from '../../../../src/report/charts/canvas/assets.ts';
import { fontOf, shortenToWidth, variantLabels, wrapToWidth } from '../../../../src/report/charts/canvas/font.ts';
import { loadFont, parseFont } from '../../../../src/report/charts/canvas/font-source.ts';
import { renderPng } from '../../../../src/report/charts/draw.ts';

describe('fontOf', () => {
  it.each(['regular', 'bold'] as const)('measures %s as wide as the renderer draws it', async (weight) => {
    // Makes the renderer ready, which can be done once in a process.
    await renderPng('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
    const font = fontOf(weight);
    const drawn = (text: string): number => {
      const style = weight === 'bold' ? ' font-weight="bold"' : '';
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="60"><text x="10" y="40" font-size="40" font-family="DejaVu Sans"${style}>${text}</text></svg>`;
      const fontBuffers = [readFont('regular'), readFont('bold')];
      return new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'DejaVu Sans' } }).getBBox()!.width;
    };
    // Between two bars, the bearings of the bars cancel out: what is left is the sum of the advances.
    const bars = drawn('||') - font.width('|', 40);
    for (const text of ['Energy per run (J)', 'AVATo fi ffl', '−1.5 ± 0.3 ≤ Δ δ × …', 'Größe Łódź μ²']) {
      expect(Math.abs(drawn(`|${text}|`) - bars - font.width(`|${text}`, 40))).toBeLessThan(0.6);
    }
  });

  it('has every character that the charts write of themselves', () => {
    for (const c of 'abcXYZ019 .,:;()[]%+−±…·’–×Δδμ²⁻≤≥→←↑↓┊'.replace('┊', '')) {
      expect([c, loadFont('regular').has(c.codePointAt(0)!)]).toEqual([c, true]);
      expect([c, loadFont('bold').has(c.codePointAt(0)!)]).toEqual([c, true]);
    }
  });

  it('refuses what is no TrueType file', () => {
    expect(() => parseFont(new Uint8Array(64))).toThrow('font without');
  });
});

describe('texts that must fit', () => {
  it('keep both their ends, and fit', () => {
    const text = 'registry.example.org/team/image:2026.11-slim';
    const short = shortenToWidth(text, 120, 12, 'bold');
    expect(fontOf('bold').width(short, 12)).toBeLessThanOrEqual(120);
    expect(short).toMatch(/^regis.*…/);
    expect(short.endsWith('m')).toBe(true);
    expect(shortenToWidth('native', 120, 12, 'bold')).toBe('native');
    expect(shortenToWidth('native', 1, 12, 'bold')).toBe('…');
  });

  it('are wrapped at spaces', () => {
    const lines = wrapToWidth('one two three four five six seven', 80, 12, 'regular');
    expect(lines.join(' ')).toBe('one two three four five six seven');
    for (const line of lines) expect(fontOf('regular').width(line, 12)).toBeLessThanOrEqual(80);
  });

  it('stay different when the names are', () => {
    const names = Array.from(
      { length: 30 },
      (_, i) => `registry.example.org/team/service-${i}/image:2026.11-slim-bookworm`,
    );
    expect(new Set(variantLabels(names)).size).toBe(30);
    const same = Array.from({ length: 4 }, (_, i) => `${'x'.repeat(60)}${i}${'y'.repeat(60)}`);
    expect(new Set(variantLabels(same)).size).toBe(4);
  });
});
