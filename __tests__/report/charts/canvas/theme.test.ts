// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { dark, page, paper, seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';

const linear = (hex: string): number[] =>
  [1, 3, 5]
    .map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = (hex: string): number => {
  const [r, g, b] = linear(hex) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const lightness = (hex: string): number => 116 * Math.cbrt(luminance(hex)) - 16;
const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};
/** As people without the middle cones see it (Machado, Oliveira and Fernandes 2009, severity 1). */
const deuteranopic = (hex: string): number[] => {
  const [r, g, b] = linear(hex) as [number, number, number];
  return [
    0.367322 * r + 0.860646 * g - 0.227968 * b,
    0.280085 * r + 0.672501 * g + 0.047413 * b,
    -0.01182 * r + 0.04294 * g + 0.968881 * b,
  ];
};

describe('the styles of the variants', () => {
  it('differ for 24 of them, in shape already between neighbors', () => {
    const styles = Array.from({ length: 24 }, (_, i) => seriesStyle(i));
    expect(new Set(styles.map((s) => JSON.stringify(s))).size).toBe(24);
    for (let i = 1; i < 24; i++) expect(styles[i]!.marker).not.toBe(styles[i - 1]!.marker);
  });

  it('are colors that stay apart without red-green vision, or differ in shape', () => {
    const styles = Array.from({ length: 6 }, (_, i) => seriesStyle(i));
    for (const [i, a] of styles.entries()) {
      for (const b of styles.slice(0, i)) {
        const [p, q] = [deuteranopic(a.color), deuteranopic(b.color)];
        const apart = Math.hypot(...p.map((v, k) => v - q[k]!)) > 0.1;
        expect([a.color, b.color, apart || a.marker !== b.marker]).toEqual([a.color, b.color, true]);
      }
    }
  });
});

describe('the themes', () => {
  it.each([
    ['paper', paper],
    ['dark', dark],
  ])('%s: words can be read, and the scale goes away from the ground in even steps', (_, theme) => {
    for (const word of [theme.ink, theme.muted, theme.warning]) {
      expect(contrast(word, theme.background!)).toBeGreaterThan(4.5);
    }
    const away = theme.scale.map((c) => Math.abs(lightness(c) - lightness(theme.background!)));
    const steps = away.slice(1).map((d, i) => d - away[i]!);
    expect(away[0]!).toBeGreaterThan(15);
    for (const step of steps) expect(step).toBeGreaterThan(7);
    expect(Math.max(...steps) / Math.min(...steps)).toBeLessThan(2);
  });

  it('have scales of one length', () => {
    expect([dark.scale.length, page.scale.length]).toEqual([paper.scale.length, paper.scale.length]);
  });
});
