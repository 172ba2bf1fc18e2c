// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Findings } from '../../src/findings/findings.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { everyAnalysis } from './fixtures.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';

const schema: unknown = JSON.parse(readFileSync(new URL('../../docs/findings.schema.json', import.meta.url), 'utf8'));

/** The published schema lets later versions add properties; ours must not have one that it doesn't know. */
function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, strict(value)]));
  return 'required' in copy && 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}

const published = new Ajv2020({ allowUnionTypes: true }).compile(schema as object);
const closed = new Ajv2020({ allowUnionTypes: true }).compile(strict(schema) as object);

describe('findings.json', () => {
  it.each(Object.entries(everyAnalysis()))('of %s is what its schema says, and nothing more', (_, { findings }) => {
    const parsed: unknown = JSON.parse(findingsJson(findings));
    expect(closed(parsed) ? [] : closed.errors).toEqual([]);
    expect(parsed).toEqual(findings);
  });

  it('is refused by the schema when a model or an emulator calls itself measured', () => {
    for (const source of ['modelled', 'emulated', 'unknown'] as const) {
      const { findings } = syntheticAnalysis({ source });
      expect(published({ ...findings, meter: { ...findings.meter, measured: true } })).toBe(false);
    }
  });

  it('is refused by the schema without any one of its parts', () => {
    const { findings } = syntheticAnalysis();
    const broken: unknown[] = Object.keys(findings).map((key) => ({ ...findings, [key]: undefined }));
    const [first] = findings.comparisons;
    // Absent where nobody asked for it, and in the findings of earlier versions.
    const { joules: _, typical: __, drift: ___, groups: ____, ...needed } = first!;
    for (const key of Object.keys(needed)) broken.push({ ...findings, comparisons: [{ ...first, [key]: undefined }] });
    for (const part of broken) expect(published(JSON.parse(JSON.stringify(part)))).toBe(false);
  });

  it('takes what a later version adds', () => {
    expect(published({ ...syntheticAnalysis().findings, price: 3 })).toBe(true);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('is never written with %p', (bad) => {
    const { findings } = syntheticAnalysis();
    const [first] = findings.comparisons;
    const broken = { ...findings, comparisons: [{ ...first, minimum_detectable_percent: bad }] } as unknown as Findings;
    expect(() => findingsJson(broken)).toThrow('findings.comparisons[0].minimum_detectable_percent');
  });

  it('is never written with a value missing', () => {
    const { findings } = syntheticAnalysis();
    const broken = { ...findings, meter: { ...findings.meter, address: undefined } } as unknown as Findings;
    expect(() => findingsJson(broken)).toThrow('findings.meter.address');
  });
});
