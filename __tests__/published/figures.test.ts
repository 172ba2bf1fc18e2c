// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { createPrng } from '../../src/stats/prng.ts';
import { datasetsFolder, roqueRows, rowsOf, santosRows } from './datasets.ts';
import { asPublished, type Figure, printed, roqueFigures, santosFigures } from './figures.ts';
import { ROQUE, SANTOS } from './published.ts';

const folder = datasetsFolder();

function expectReproduced(figures: readonly Figure[]): void {
  expect(figures.map((f) => [f.of, f.what, asPublished(f.ours, f.published)])).toEqual(
    figures.map((f) => [f.of, f.what, f.published]),
  );
}

// The data sets may not be copied here: where they are absent, what is skipped is named.
if (folder !== null) {
  describe('published figures, from their data sets', () => {
    it('Santos et al. 2016, native against Docker: reproduced to the last digit printed', () => {
      const rows = santosRows(folder);
      const held = Object.entries(SANTOS).filter(([experiment]) => rows.some((row) => row.experiment === experiment));
      const figures = held.flatMap(([experiment, published]) => santosFigures(rows, experiment, published));
      const absent = Object.keys(SANTOS).filter((experiment) => !held.some(([name]) => name === experiment));
      const note = absent.length === 0 ? '' : `\nnot in this copy of the data: ${absent.join(', ')}`;
      process.stdout.write(`\nSantos et al. 2016\n${printed(figures)}${note}\n`);
      expect(held.map(([experiment]) => experiment)).toEqual(expect.arrayContaining(['idle', 'redis']));
      expectReproduced(figures);
    });

    it('Barba Roque et al. 2024, Redis on seven images: reproduced to the last digit printed', () => {
      const figures = roqueFigures(roqueRows(folder), ROQUE);
      process.stdout.write(`\nBarba Roque et al. 2024\n${printed(figures)}\n`);
      expectReproduced(figures);
    });
  });
} else {
  it.skip('published figures are not reproduced: JOULEDIFF_DATASETS names no folder with their data sets', () =>
    undefined);
}

/** t with 14 degrees of freedom at p = 0.05, from tables. */
const T14 = 2.144786687916927;

/** Pairs whose differences have exactly this mean and standard deviation, in the form of the first data set. */
function generated(mean: number, sd: number): string {
  const prng = createPrng(20160905);
  const steps = Array.from({ length: 15 }, (_, i) => i - 7);
  const scale = sd / Math.sqrt(20); // Σ(i − 7)²/14 = 20
  const lines = prng.shuffle(steps).flatMap((step, i) => {
    const native = 60_000 + 100 * step;
    const docker = native + mean + scale * step;
    const times = (from: number) => `${from},${from + 600_000 + native},${600_000 + native}`;
    return [
      `${i},native,idle,${native},${times(i * 1e6)}`,
      `${i + 99},multidocker,idle,${docker},${times(i * 1e6 + 5)}`,
    ];
  });
  return `id,configuration,experiment,energy_J,started_ms,ended_ms,elapsed_ms\n${lines.join('\n')}\n`;
}

describe('generated data of their structure', () => {
  it('give the figures that they were made to have', () => {
    const [mean, sd] = [(T14 * 40) / Math.sqrt(15), 40];
    const published = { diff: mean.toFixed(6), t: T14.toFixed(9), p: '0.050000000', rNative: '1.000000' };
    const half = (T14 * sd) / Math.sqrt(15);
    const high = (mean + half).toFixed(6);
    // Arms: Σ(100 step)²/14 = 447.2² and (100 + 40/√20)² · 20.
    const pooled = Math.sqrt((100 ** 2 * 20 + (100 + 40 / Math.sqrt(20)) ** 2 * 20) / 2);
    const d = (mean / pooled).toFixed(9);
    expectReproduced(santosFigures(rowsOf(generated(mean, sd)), 'idle', { ...published, high, d }));
  });

  it('are told apart from other figures', () => {
    const [figure] = santosFigures(rowsOf(generated(10, 40)), 'idle', { diff: '10.001' });
    expect(asPublished(figure?.ours ?? Number.NaN, figure?.published ?? '')).toBe('10.000');
    expect(asPublished(1.32943e-11, '1.329e-11')).toBe('1.329e-11');
    expect(asPublished(3e-16, '<2.2e-16')).toBe('3e-16');
  });
});
