import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../src/analysis/findings.ts';
import { chartSpecs } from '../../../src/report/charts/charts.ts';
import { chartFiles } from '../../../src/report/charts/files.ts';
import { fontOf } from '../../../src/report/charts/font.ts';
import { renderPng } from '../../../src/report/charts/png.ts';
import { renderSvg } from '../../../src/report/charts/svg.ts';
import { paper } from '../../../src/report/charts/theme.ts';
import { everyAnalysis, fakeAnalysis } from '../fixtures.ts';

const picturesOf = (analysis: Analysis): string[] => chartSpecs(analysis, paper).map((spec) => renderSvg(spec, paper));

const longNames = [1, 2, 3, 4].map((i) => ({
  name: `registry.example.org/team-${i}/a-very-long-image-name:2026.11.${i}-slim-bookworm`,
  meanJ: 250 + i,
}));
const all = {
  ...everyAnalysis(),
  'long names': fakeAnalysis({ variants: [{ name: 'native' }, ...longNames], source: 'modelled' }),
  'equal ends': fakeAnalysis({ variants: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
  tiny: fakeAnalysis({
    variants: [
      { name: 'a', energiesJ: [1e-7, 2e-7] },
      { name: 'b', energiesJ: [3e-7] },
    ],
  }),
  huge: fakeAnalysis({
    variants: [
      { name: 'a', energiesJ: [1e9, 2e9] },
      { name: 'b', energiesJ: [0] },
    ],
  }),
  negative: fakeAnalysis({ variants: [{ name: 'a', energiesJ: [-3, -1, 0, 2, 4, 6] }] }),
};

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Boxes of the texts in a picture, measured with the font. */
function boxes(svg: string): Box[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', escaped = '']) => {
    const value = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const text = escaped
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>');
    const size = Number(value('font-size'));
    const width = fontOf(value('font-weight') === 'bold' ? 'bold' : 'regular').width(text.replace(/&amp;/g, '&'), size);
    const [x, y] = [Number(value('x')), Number(value('y'))];
    const shift = { middle: width / 2, end: width }[value('text-anchor')] ?? 0;
    // The one turned text, the title of a power axis, reads upwards.
    return attributes.includes('rotate(-90')
      ? { text, left: x - 0.75 * size, right: x, top: y - width + shift, bottom: y + shift }
      : { text, left: x - shift, right: x - shift + width, top: y - 0.75 * size, bottom: y };
  });
}

describe.each(Object.entries(all))('charts of %s', (_, analysis) => {
  it('have all their text inside the picture, and none on another', () => {
    for (const svg of picturesOf(analysis)) {
      const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(svg)!.map(Number);
      const texts = boxes(svg);
      expect(texts.length).toBeGreaterThan(4);
      for (const [i, a] of texts.entries()) {
        expect([a.text, a.left >= 0 && a.top >= 0 && a.right <= width! && a.bottom <= height!]).toEqual([a.text, true]);
        for (const b of texts.slice(0, i)) {
          const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          expect([a.text, b.text, apart]).toEqual([a.text, b.text, true]);
        }
      }
    }
  });

  it('say where their numbers come from', () => {
    for (const svg of picturesOf(analysis)) {
      const words = {
        measured: 'Measured by',
        modelled: 'Estimated by a model',
        emulated: 'Emulated meter',
        unknown: 'unknown',
      };
      expect(svg).toContain(words[analysis.findings.meter.source]);
    }
  });
});

describe('chartFiles', () => {
  it('are pictures of twice the size, the same every time', async () => {
    const files = await chartFiles(fakeAnalysis());
    expect(files.map((f) => f.name)).toEqual([
      'energy-violin.svg',
      'energy-violin.png',
      'power-over-time.svg',
      'power-over-time.png',
    ]);
    const again = await chartFiles(fakeAnalysis());
    for (const [i, { content, name }] of files.entries()) {
      expect(Buffer.from(content).equals(Buffer.from(again[i]!.content))).toBe(true);
      if (!name.endsWith('.png')) continue;
      const png = Buffer.from(content);
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(String(files[i - 1]!.content))!.map(Number);
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * width!, Math.round(2 * height!)]);
    }
  });

  it('have their text drawn without any font of the machine', async () => {
    const picture = (text: string): string =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40" font-family="DejaVu Sans, Verdana, sans-serif"><text x="5" y="25" font-size="20">${text}</text></svg>`;
    const [empty, shown, other] = await Promise.all(['', 'Δ −1.5 ± ≤', 'Δ +1.5 ± ≤'].map((t) => renderPng(picture(t))));
    expect(Buffer.from(shown!).equals(Buffer.from(empty!))).toBe(false);
    expect(Buffer.from(shown!).equals(Buffer.from(other!))).toBe(false);
  });

  it('of very many variants draw the baseline and those that changed most, and say so', () => {
    const variants = Array.from({ length: 200 }, (_, i) => ({
      name: `v${i}`,
      meanJ: 250 + (i === 150 ? 90 : i / 100),
    }));
    for (const svg of picturesOf(fakeAnalysis({ variants, runs: 8 }))) {
      expect(svg).toContain('24 of 200 variants');
      expect(Number(/viewBox="0 0 \S+ (\S+)"/.exec(svg)?.[1])).toBeLessThan(2500);
      expect(svg).toContain('>v0<');
      expect(svg).toContain('>v150<');
    }
  });

  it('draw what there is of half an analysis, and nothing of nothing', async () => {
    expect((await chartFiles(fakeAnalysis({ traces: false }))).map((f) => f.name)).toEqual([
      'energy-violin.svg',
      'energy-violin.png',
    ]);
    expect(await chartFiles(everyAnalysis().bare!)).toEqual([]);
    expect(await chartFiles(everyAnalysis().nothing!)).toEqual([]);
  });
});
