// Class: unit.
import { spawnSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { Resvg } from '@resvg/resvg-wasm';
import { encodePng } from '../../../../src/report/charts/canvas/png.ts';
import { renderPng } from '../../../../src/report/charts/draw.ts';

const header = (width: number, height: number, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ${attributes}>`;

it('writes a picture that another program reads as it was, point by point', async () => {
  // Makes the renderer ready, which can be done once in a process.
  await renderPng(`${header(1, 1)}</svg>`);
  const [width, height] = [61, 37];
  const pixels = Uint8Array.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? 255 : (i * i + 7 * i) % 256));
  const data = Buffer.from(encodePng({ width, height, pixels })).toString('base64');
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${data}"/>`;
  const read = new Resvg(`${header(width, height, 'image-rendering="optimizeSpeed"')}${image}</svg>`).render();
  expect([read.width, read.height]).toEqual([width, height]);
  expect(Buffer.from(read.pixels).equals(Buffer.from(pixels))).toBe(true);
});

it('draws wherever V8 compiles the renderer, at once or beside what runs', () => {
  const draw = new URL('../../../../src/report/charts/draw.ts', import.meta.url).href;
  const words = `import { renderPng } from '${draw}'; renderPng('${header(8, 8)}</svg>').then((png) => console.log(png.length > 0))`;
  for (const way of ['--wasm-lazy-compilation', '--no-wasm-lazy-compilation']) {
    const { stdout } = spawnSync(process.execPath, [way, '--input-type=module', '--eval', words], { encoding: 'utf8' });
    expect([way, stdout.trim()]).toEqual([way, 'true']);
  }
});
