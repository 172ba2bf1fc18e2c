// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../src/analysis/results.ts';
import { CHART_IDS } from '../../../src/report/charts/charts.ts';
import { chartFiles, renderPng } from '../../../src/report/charts/draw.ts';
import { everyAnalysis } from '../fixtures.ts';
import { type SyntheticVariant, syntheticAnalysis } from '../synthetic/analysis.ts';
import { withMatrix } from '../synthetic/effects.ts';
import { richAnalysis } from '../synthetic/rich.ts';
import { expectTextsApart } from './boxes.ts';
import { drawn, drawnIds, textsOf } from './drawn.ts';

/** Ten executions in each run. */
function batches(): Analysis {
  const made = syntheticAnalysis({ variants: [{ name: 'a' }, { name: 'b' }] });
  const variants = made.findings.variants.map((variant) => ({ ...variant, executions_per_run: 10 }));
  const runs = made.runs.map((run) => ({ ...run, executions: 10 }));
  return { ...made, findings: { ...made.findings, variants }, runs };
}

it.each([
  ['energy-over-runs', 'Energy per'],
  ['energy-against-time', 'Energy per', 'Duration per'],
  ['energy-quantiles', 'energy per'],
])('%s names the unit of work of its numbers', (id, ...titles) => {
  const [run, execution] = [syntheticAnalysis({ variants: [{ name: 'a' }, { name: 'b' }] }), batches()];
  for (const title of titles) {
    expect(drawn(id, run).text).toContain(`${title} run`);
    expect(drawn(id, execution).text).toContain(`${title} execution`);
  }
});

const picturesOf = (analysis: Analysis): string[] => drawnIds(analysis).map((id) => drawn(id, analysis).svg);

const longNames = [1, 2, 3, 4].map((i) => ({
  name: `registry.example.org/team-${i}/a-very-long-image-name:2026.11.${i}-slim-bookworm`,
  meanJ: 250 + i,
}));
const several = (count: number): SyntheticVariant[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `image-${i}`,
    meanJ: 250 + ((i * 37) % 23),
    durationS: 12 + i / 10,
  }));
const oddNames = [`native 🐳 ${'x'.repeat(300)}`, '\u05e9\u05dc\u05d5\u05dd \u202e abc', '<b>&amp;"\''];
const rich = [1, 3, 8].map((count) => [
  `rich ${count}`,
  richAnalysis({ variants: several(count), noiseFloorPercent: 0.4 }),
]);

/** Power that never moves but by the rounding of a mean. */
function standingStill(): Analysis {
  const made = richAnalysis({ variants: [{ name: 'native' }, { name: 'container' }] });
  const powerOf = (i: number): number => (i % 2 === 0 ? 10 : 9.999999999999998);
  return {
    ...made,
    runs: made.runs.map((run, i) => ({ ...run, energyJ: 12 * powerOf(i), durationS: 12 })),
    traces: made.traces.map((trace) => ({ ...trace, powerW: trace.powerW.map((_, i) => powerOf(i)) })),
  };
}

/** Two benchmarks, each of which has a baseline of its own. */
function suiteOfTwo(): Analysis {
  const names = ['sort/base', 'sort/head', 'read/base', 'read/head'];
  const made = richAnalysis({ variants: names.map((name, i) => ({ name, meanJ: 100 * (1 + i) })) });
  const benchmarks = ['sort', 'read'].map((name) => ({ name, state: 'compared' as const }));
  const comparisons = made.findings.comparisons.flatMap((comparison) => {
    const [benchmark, side] = comparison.variant.split('/');
    return side === 'head' ? [{ ...comparison, benchmark: benchmark!, baseline: `${benchmark}/base` }] : [];
  });
  const suite = { variants: ['base', 'head'], benchmarks, means: [], false_discovery_rate: 0.05 };
  return { ...made, findings: { ...made.findings, comparisons, suite } };
}

const all: Record<string, Analysis> = {
  ...everyAnalysis(),
  ...Object.fromEntries(rich),
  suite: suiteOfTwo(),
  many: richAnalysis({ variants: several(40), blocks: 6 }),
  odd: richAnalysis({
    variants: oddNames.map((name, i) => ({ name, meanJ: 250 * (i + 1) })),
    blocks: 9,
    source: 'modelled',
  }),
  'long names': syntheticAnalysis({ variants: [{ name: 'native' }, ...longNames], source: 'modelled' }),
  'equal ends': syntheticAnalysis({ variants: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
  tiny: syntheticAnalysis({
    variants: [
      { name: 'a', energiesJ: [1e-7, 2e-7] },
      { name: 'b', energiesJ: [3e-7] },
    ],
  }),
  huge: syntheticAnalysis({
    variants: [
      { name: 'a', energiesJ: [1e9, 2e9] },
      { name: 'b', energiesJ: [0] },
    ],
  }),
  still: standingStill(),
  matrix: withMatrix(
    `{ image: ['registry.example.org/${'x'.repeat(50)}', debian, slim, alpine], network: [bridge, host, none, a, b, c, d, e, f] }`,
  ),
  negative: syntheticAnalysis({ variants: [{ name: 'a', energiesJ: [-3, -1, 0, 2, 4, 6] }] }),
};

describe.each(Object.entries(all))('charts of %s', (_, analysis) => {
  it('have all their text inside the picture, and none on another', () => {
    for (const svg of picturesOf(analysis)) expectTextsApart(svg);
  });

  it('say where their numbers come from: a mark stands on what it is true of, and nowhere else', () => {
    const { source } = analysis.findings.meter;
    const words = {
      measured: 'Measured by',
      modelled: 'Estimated by a model',
      emulated: 'Emulated meter',
      unknown: 'unknown',
    };
    const others = { 'duration-violin': 'Measured by the clock', resources: 'Counted by the kernel' };
    for (const svg of picturesOf(analysis)) {
      const other = Object.entries(others).find(([id]) => svg.includes(`id="${id}-title"`))?.[1];
      if (other === undefined || source === 'unknown') {
        expect(svg).toContain(words[source]);
      } else {
        expect(svg).toContain(other);
        expect(svg).not.toMatch(/Estimated by a model|Emulated meter/);
      }
    }
  });
});

describe('chartFiles', () => {
  it('are pictures of twice the size, the same every time', async () => {
    const files = await chartFiles(richAnalysis());
    // All but those of a matrix and of metrics.
    const ids = CHART_IDS.filter(
      (id) => !['energy-by-factors', 'printed-metrics', 'metric-against-metric'].includes(id),
    );
    expect(files.map((f) => f.name)).toEqual(ids.flatMap((id) => [`${id}.svg`, `${id}.png`, `${id}.pdf`]));
    expect(CHART_IDS.length).toBeGreaterThan(10);
    const again = await chartFiles(richAnalysis());
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
    const pictures = picturesOf(syntheticAnalysis({ variants, runs: 8 }));
    expect(pictures).toHaveLength(8);
    for (const svg of pictures) {
      expect(textsOf(svg).join(' ')).toMatch(
        /\b(6|7|8|12|24) of 200 variants are drawn|\b40 of 199 comparisons are drawn/,
      );
      expect(Number(/viewBox="0 0 \S+ (\S+)"/.exec(svg)?.[1])).toBeLessThan(2500);
      expect(svg).toMatch(/>v0<|of v0, n = 8|difference from v0/);
      expect(svg).toContain('>v150<');
    }
  });

  it('name the baseline of each difference where there are several', () => {
    const made = richAnalysis({ variants: ['a', 'b', 'c'].map((name, i) => ({ name, meanJ: 250 + i })) });
    const { comparisons } = made.findings;
    const chain = comparisons.map((one) => (one.variant === 'c' ? { ...one, baseline: 'b' } : one));
    for (const id of ['energy-violin', 'duration-violin', 'phases']) {
      const several = drawn(id, { ...made, findings: { ...made.findings, comparisons: chain } });
      expect(several.text).toMatch(/against a\b/);
      expect(several.text).toMatch(/against b\b/);
      expect(drawn(id, made).text).not.toContain('against');
    }
  });

  it('of a suite never say that a benchmark is compared with another', () => {
    const ids = drawnIds(suiteOfTwo());
    expect(ids).toEqual(expect.arrayContaining(['energy-change', 'energy-violin', 'power-over-time']));
    expect(ids).not.toContain('energy-quantiles');
    const texts = picturesOf(suiteOfTwo()).map((svg) => textsOf(svg).join(' '));
    for (const text of texts) expect(text).not.toMatch(/(difference|quantiles?|median) (from|of) sort\/base/i);
    expect(texts.some((text) => text.includes('Dotted gray: median of what it is compared with.'))).toBe(true);
    expect(textsOf(drawn('energy-violin', suiteOfTwo()).svg).join(' ')).toMatch(/Right: median, and difference[ ,.(]/);
  });

  it('of a large suite draw each benchmark that changed beside its own baseline', () => {
    const made = suiteOfTwo();
    const extra = syntheticAnalysis({
      variants: [...Array(40).keys()].map((i) => ({ name: `v${i}`, meanJ: 250 })),
    });
    const [sort, read] = made.findings.comparisons;
    const variants = [...extra.findings.variants, ...made.findings.variants];
    const findings = { ...made.findings, variants, comparisons: [read!, sort!] };
    const runs = [...extra.runs, ...made.runs];
    const svg = drawn('energy-violin', { ...made, findings, runs }).svg;
    for (const name of made.findings.variants.map((v) => v.name)) expect(svg).toContain(`>${name}<`);
  });

  it('draw what there is of half an analysis, and nothing of nothing', async () => {
    expect(drawnIds(syntheticAnalysis({ traces: false }))).not.toContain('power-over-time');
    expect(drawnIds(syntheticAnalysis({ traces: false }))).not.toContain('power-hexagons');
    expect(drawnIds(syntheticAnalysis({ runs: 1, traces: false }))).toEqual([
      'energy-change',
      'energy-violin',
      'duration-violin',
      'energy-against-time',
      'energy-over-runs',
    ]);
    expect(drawnIds(everyAnalysis().lone!)).not.toContain('energy-change');
    expect(await chartFiles(everyAnalysis().bare!)).toEqual([]);
    expect(await chartFiles(everyAnalysis().nothing!)).toEqual([]);
  });
});
