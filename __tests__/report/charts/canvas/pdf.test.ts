// Class: unit.
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { Resvg } from '@resvg/resvg-wasm';
import { readFont } from '../../../../src/report/charts/canvas/assets.ts';
import { renderPdf } from '../../../../src/report/charts/canvas/pdf.ts';
import { renderPng } from '../../../../src/report/charts/draw.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, drawnIds, textsOf } from '../drawn.ts';

const svgOf = (body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100" width="200" height="100" font-family="DejaVu Sans"><title id="t">A &amp; B: Δ</title>\n<desc id="d">All</desc>\n${body}</svg>`;

/** The objects of a file by their numbers, as its table of places says. */
function pdfObjects(pdf: Uint8Array): string[] {
  const text = Buffer.from(pdf).toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
  const table = text.slice(start);
  expect(table.startsWith('xref\n0 ')).toBe(true);
  const places = [...table.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  expect(table).toContain(`<</Size ${places.length + 1}/Root 1 0 R/Info 5 0 R>>`);
  return places.map((place, i) => {
    const object = text.slice(place, text.indexOf('\nendobj\n', place));
    expect(object.startsWith(`${i + 1} 0 obj\n`)).toBe(true);
    return object;
  });
}

function streamOf(object: string): Buffer {
  const [head, length] = /\/Length (\d+)\/Filter\/FlateDecode>>stream\n/.exec(object)!;
  const from = object.indexOf(head) + head.length;
  const packed = Buffer.from(object.slice(from, from + Number(length)), 'latin1');
  expect(object.slice(from + Number(length))).toBe('\nendstream');
  return inflateSync(packed);
}

/** What is written on the page, read as a reader of PDF does: by the fonts' own tables of characters. */
function textsIn(pdf: Uint8Array): string[] {
  const objects = pdfObjects(pdf);
  const meanings = new Map(
    [...objects[2]!.matchAll(/\/(regular|bold) (\d+) 0 R/g)].map(([, font, number]) => {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects[Number(number) - 1]!)!;
      const pairs = streamOf(objects[Number(map) - 1]!)
        .toString('latin1')
        .matchAll(/^<(.{4})><(.*)>$/gm);
      const decoded = [...pairs].map(
        ([, glyph, code]) => [glyph, Buffer.from(code!, 'hex').swap16().toString('utf16le')] as const,
      );
      return [font, new Map(decoded)];
    }),
  );
  const page = streamOf(objects[3]!).toString('latin1');
  return [...page.matchAll(/BT \/(\w+) .*? <([0-9a-f]*)> Tj ET/g)].map(([, font, glyphs]) =>
    glyphs!
      .match(/.{4}/g)!
      .map((glyph) => meanings.get(font)!.get(glyph))
      .join(''),
  );
}

describe('renderPdf', () => {
  const analysis = richAnalysis();

  it.each(drawnIds(analysis))('writes what the drawing of %s says, and nothing else', (id) => {
    const { svg, spec } = drawn(id, analysis);
    const pdf = renderPdf(svg);
    const shown = textsOf(svg).map((text) => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&'));
    expect(textsIn(pdf)).toEqual(shown);
    const [, , page, , info] = pdfObjects(pdf);
    expect(page).toContain(`/MediaBox[0 0 ${0.75 * spec.width} ${0.75 * spec.height}]`);
    expect(info).not.toMatch(/Date/);
    expect(Buffer.from(renderPdf(svg)).equals(Buffer.from(pdf))).toBe(true);
  });

  it('has its title, and fonts in which the glyphs that it uses are drawn as in ours', async () => {
    const pdf = renderPdf(svgOf('<text x="5" y="20" font-size="16" fill="#000000">Ag Δ</text>'));
    const objects = pdfObjects(pdf);
    expect(objects[4]).toContain(`<feff${Buffer.from('A & B: Δ', 'utf16le').swap16().toString('hex')}>`);
    const font = streamOf(objects.find((object) => object.includes('/Length1'))!);
    // Makes the renderer ready, which can be done once in a process.
    await renderPng(svgOf(''));
    const picture = (bytes: Uint8Array, text: string): string => {
      const svg = svgOf(`<text x="5" y="60" font-size="40">${text}</text>`);
      const { pixels } = new Resvg(svg, { font: { fontBuffers: [bytes], defaultFontFamily: 'DejaVu Sans' } }).render();
      return createHash('sha256').update(pixels).digest('hex');
    };
    expect(picture(font, 'Ag Δ')).toBe(picture(readFont('regular'), 'Ag Δ'));
    expect(picture(font, 'xyz')).not.toBe(picture(readFont('regular'), 'xyz'));
  });

  it('draws a circle of quarters that end where its arcs do', () => {
    const circle = 'M60 50A10 10 0 1 1 40 50A10 10 0 1 1 60 50Z';
    const page = streamOf(pdfObjects(renderPdf(svgOf(`<path d="${circle}" fill="#ff0000" fill-opacity="0.5"/>`)))[3]!);
    const curves = [...page.toString('latin1').matchAll(/(\S+) (\S+) (\S+) (\S+) (\S+) (\S+) c /g)].map((found) =>
      found.slice(1).map(Number),
    );
    expect(curves.map((curve) => curve.slice(4))).toEqual([
      [50, 60],
      [40, 50],
      [50, 40],
      [60, 50],
    ]);
    // The usual handle of a quarter, 0.5523 of the radius.
    expect(curves[0]!.slice(0, 4)).toEqual([60, 55.52, 55.52, 60]);
    expect(page.toString('latin1')).toContain('/GF0.5 gs 1 0 0 rg');
  });

  it('refuses what our drawings don’t have, instead of leaving it out', () => {
    expect(() => renderPdf(svgOf('<path d="M0 0Q1 1 2 2" fill="#000000"/>'))).toThrow('path command Q');
    expect(() => renderPdf(svgOf('<path d="M0 0" fill="var(--ink)"/>'))).toThrow('color var(--ink)');
  });
});
