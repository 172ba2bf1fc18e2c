// Class: unit.
import { describe, expect, it } from '@jest/globals';
import type { Analysis } from '../../../../src/analysis/results.ts';
import type { VariantFindings } from '../../../../src/findings/variant.ts';
import { resourceColumns } from '../../../../src/report/charts/resources/resources.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { richAnalysis } from '../../synthetic/rich.ts';
import { drawn, isDrawn } from '../drawn.ts';

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
    expect(text.match(/not counted/g)).toHaveLength(1);
    expect(
      isDrawn(
        'resources',
        withVariants((v) => ({ ...v, resources: null })),
      ),
    ).toBe(false);
    expect(isDrawn('resources', syntheticAnalysis())).toBe(false);
  });

  it('tells short times in the unit of their axis', () => {
    const cpu = { ...analysis.findings.variants[0]!.energy_j!, mean: 0.00778, mean_ci95: null };
    const others = { peak_memory_bytes: null, read_bytes: null, written_bytes: null };
    expect(resourceColumns([{ cpu_s: cpu, ...others }])[0]).toMatchObject({
      title: 'CPU time (ms)',
      cells: [{ text: '7.78 ms' }],
    });
    expect(resourceColumns([{ cpu_s: { ...cpu, mean: 3.2 }, ...others }])[0]).toMatchObject({
      title: 'CPU time (s)',
      cells: [{ mean: 3.2, text: '3.2 s' }],
    });
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
