import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import type { VariantFindings } from '../../../../src/findings/variant.ts';
import { seriesStyle } from '../../../../src/report/charts/canvas/theme.ts';
import { resourceColumns } from '../../../../src/report/charts/resources/resources.ts';
import { richAnalysis } from '../../fake/rich.ts';
import { fakeAnalysis } from '../../fixtures.ts';
import { drawn, isDrawn, marks, ruler, textsOf, ticksOf } from '../drawn.ts';

const analysis = richAnalysis();

const withVariants = (change: (v: VariantFindings, i: number) => VariantFindings): Analysis => ({
  ...analysis,
  findings: { ...analysis.findings, variants: analysis.findings.variants.map(change) },
});

describe('the picture of the resources', () => {
  it('writes every mean with its unit, a column a resource', () => {
    const { text } = drawn('resources', analysis);
    for (const title of ['CPU time (s)', 'Peak memory (MiB)', 'Read (MiB)', 'Written (MiB)'])
      expect(text).toContain(title);
    expect(text).toContain('305 MiB');
    expect(text).toContain('0 MiB');
  });

  it('has only columns that were read, and says what was not', () => {
    const some = withVariants((v, i) => ({
      ...v,
      resources: {
        cpu_s: v.resources!.cpu_s,
        peak_memory_bytes: i === 0 ? null : v.resources!.peak_memory_bytes,
        read_bytes: null,
        written_bytes: null,
      },
    }));
    const { text } = drawn('resources', some);
    expect(text).not.toContain('Written');
    expect(text.match(/not read/g)).toHaveLength(1);
    expect(
      isDrawn(
        'resources',
        withVariants((v) => ({ ...v, resources: null })),
      ),
    ).toBe(false);
    expect(isDrawn('resources', fakeAnalysis())).toBe(false);
  });

  it('counts bytes in the unit that fits', () => {
    const bytes = (mean: number) => ({ ...analysis.findings.variants[0]!.energy_j!, mean, mean_ci95: null });
    const columns = (mean: number) =>
      resourceColumns([{ cpu_s: null, peak_memory_bytes: bytes(mean), read_bytes: null, written_bytes: null }]);
    expect(columns(3 * 2 ** 30)[0]).toMatchObject({ title: 'Peak memory (GiB)', cells: [{ mean: 3, text: '3 GiB' }] });
    expect(columns(1023)[0]!.title).toBe('Peak memory (bytes)');
    expect(columns(0)[0]!.cells[0]!.text).toBe('0 bytes');
  });
});

describe('the picture of the phases', () => {
  it('has the mean of each phase and variant where the axis says', () => {
    const { svg } = drawn('phases', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    for (const [i, v] of analysis.findings.variants.entries()) {
      const found = marks(svg, seriesStyle(i).colour).sort((a, b) => a.y - b.y);
      // The phase `read` is short, so that its points are open.
      expect(found.map((m) => Math.round(read(m.x)))).toEqual(
        v.phases!.slice(1).map((p) => Math.round(p.energy_j.mean)),
      );
    }
  });

  it('is in the order of the phases, and tells the difference to the baseline', () => {
    const { svg, text } = drawn('phases', analysis);
    const texts = textsOf(svg);
    const order = ['read', 'sort', 'write'].map((phase) => texts.indexOf(phase));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThanOrEqual(0);
    expect(text).toContain('exploratory');
    expect(text).toContain('less than three readings');
  });

  it('of two hundred phases draws the first, and says so; of none, nothing', () => {
    const phases = (v: VariantFindings): VariantFindings => ({
      ...v,
      phases: Array.from({ length: 200 }, (_, i) => ({ ...v.phases![0]!, phase: `step ${i}` })),
    });
    expect(drawn('phases', withVariants(phases)).text).toContain('the first 12 of 200 phases');
    expect(
      isDrawn(
        'phases',
        withVariants((v) => ({ ...v, phases: [] })),
      ),
    ).toBe(false);
  });
});

describe('the picture of the durations', () => {
  it('has a point for every run at its duration', () => {
    const { svg, text } = drawn('duration-violin', analysis);
    const read = ruler(ticksOf(svg, 'middle'));
    const runs = analysis.runs.filter((r) => r.variant === 'native' && r.channel === 'wall' && r.status === 'ok');
    const found = marks(svg, seriesStyle(0).colour)
      .map((m) => read(m.x))
      .sort((a, b) => a - b);
    expect(found).toHaveLength(runs.length);
    for (const [i, durationS] of runs
      .map((r) => r.durationS!)
      .sort((a, b) => a - b)
      .entries()) {
      expect(found[i]).toBeCloseTo(durationS, 1);
    }
    expect(text).toContain('Duration of a run (s)');
  });

  it('is not drawn where no duration is known', () => {
    const none = { ...analysis, runs: analysis.runs.map((r) => ({ ...r, durationS: null })) };
    expect(isDrawn('duration-violin', none)).toBe(false);
    expect(isDrawn('energy-against-time', none)).toBe(false);
  });
});
