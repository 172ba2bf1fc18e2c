import { expect } from '@jest/globals';
import { fontOf } from '../../../src/report/charts/canvas/font.ts';

export interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Boxes of the texts in a picture, measured with the font; of a turned text, the box around it. */
export function boxes(svg: string): Box[] {
  return [...svg.matchAll(/<text ([^>]*)>([^<]*)<\/text>/g)].map(([, attributes = '', escaped = '']) => {
    const value = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    const text = escaped
      .replace(/&#39;/g, "'")
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&amp;/g, '&');
    const size = Number(value('font-size'));
    const width = fontOf(value('font-weight') === 'bold' ? 'bold' : 'regular').width(text, size);
    const [x, y] = [Number(value('x')), Number(value('y'))];
    const shift = { middle: width / 2, end: width }[value('text-anchor')] ?? 0;
    const turn = (Number(/rotate\((\S+)/.exec(attributes)?.[1] ?? 0) * Math.PI) / 180;
    const corners = [0, width].flatMap((dx) =>
      [-0.75 * size, 0].map((dy) => [
        x + (dx - shift) * Math.cos(turn) - dy * Math.sin(turn),
        y + (dx - shift) * Math.sin(turn) + dy * Math.cos(turn),
      ]),
    );
    const [xs, ys] = [corners.map(([px]) => px!), corners.map(([, py]) => py!)];
    return { text, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  });
}

/** All texts inside the picture, and none on another. */
export function expectTextsApart(svg: string): void {
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
