import { describe, expect, it } from '@jest/globals';
import type { Experiment } from '../../src/experiment/experiment.ts';
import { noiseFloorPath } from '../../src/measure/noise-floor-file.ts';
import { parse } from '../experiment/support.ts';
import { wallMeter } from '../store/fixtures.ts';

const at = (revision: string): Experiment =>
  parse(`{ workload: { run: x }, variants: { a: { revision: ${revision} }, b: {} } }`);

/** As it is once its commits are known. */
const found = (experiment: Experiment, commit: string): Experiment => ({
  ...experiment,
  variants: experiment.variants.map((v) => (v.revision ? { ...v, revision: { ...v.revision, commit } } : v)),
});

describe('where the noise floor of a variant at a revision is kept', () => {
  it('is the same place before its commit is known, and at its next commit', () => {
    const place = noiseFloorPath({ ...at('main'), baseline: 'a' }, wallMeter);
    for (const commit of ['1'.repeat(40), '2'.repeat(40)]) {
      expect(noiseFloorPath({ ...found(at('main'), commit), baseline: 'a' }, wallMeter)).toBe(place);
    }
    expect(noiseFloorPath({ ...at('v1'), baseline: 'a' }, wallMeter)).not.toBe(place);
    expect(noiseFloorPath({ ...at('main'), baseline: 'b' }, wallMeter)).not.toBe(place);
  });
});
