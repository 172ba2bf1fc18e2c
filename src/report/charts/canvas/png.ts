import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { readFont, readRenderer } from './assets.ts';
import { FAMILY } from './theme.ts';

let ready: Promise<void> | null = null;

/** An SVG document as PNG, `scale` pixels per CSS pixel, with our own fonts only: the same picture on every machine. */
export async function renderPng(svg: string, scale = 2): Promise<Uint8Array> {
  ready ??= initWasm(readRenderer() as Uint8Array<ArrayBuffer>);
  await ready;
  const resvg = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: scale },
    font: {
      fontBuffers: [readFont('regular'), readFont('bold')],
      defaultFontFamily: FAMILY,
      sansSerifFamily: FAMILY,
      ...{ loadSystemFonts: false },
    },
  });
  try {
    const image = resvg.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    resvg.free();
  }
}
