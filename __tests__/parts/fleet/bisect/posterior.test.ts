// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type Observation, posterior } from '../../../../src/parts/fleet/bisect/posterior.ts';
import { line } from '../../../simulate/bisect.ts';
import { createRandom } from '../../../simulate/random.ts';

const { has } = line(32);

/** Blocks of these commits; the step of 2 % came with commit 20, and runs scatter by 0.5 %. */
function blocks(commits: readonly number[], count: number, seed = 1): Observation[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, block) => {
    const machine = 0.05 * random.normal();
    return commits.map((commit) => ({
      block: `${commits.join()} ${block}`,
      commit,
      logEnergy: 3 + machine + (commit >= 20 ? 0.02 : 0) + 0.005 * random.normal(),
    }));
  }).flat();
}

const likeliest = (probability: Float64Array): number => probability.indexOf(Math.max(...probability));

describe('the posterior of a step', () => {
  it('leaves all commits equally likely where only the ends were measured', () => {
    const { probability, step } = posterior(blocks([0, 32], 10), has);
    expect(probability[0]).toBe(0);
    for (const one of probability.slice(1)) expect(one).toBeCloseTo(1 / 32, 10);
    expect(step).toBeCloseTo(0.02, 2);
  });

  it('is sure of the commit whose neighbors differ, whatever the machine did between blocks', () => {
    const { probability, scatter } = posterior([...blocks([0, 32], 10), ...blocks([0, 19, 20], 10)], has);
    expect(likeliest(probability)).toBe(20);
    expect(probability[20]).toBeGreaterThan(0.99);
    expect(scatter).toBeLessThan(0.01);
  });

  it('is not led astray by a run that is far off', () => {
    const good = [...blocks([0, 32], 10), ...blocks([0, 19, 20], 8)];
    const off = good.map((one, i) => (one.commit === 19 && i < 24 ? { ...one, logEnergy: one.logEnergy + 0.2 } : one));
    expect(off).not.toEqual(good);
    expect(likeliest(posterior(off, has).probability)).toBe(20);
  });

  it('sums to one, and tells nothing of runs that are too few', () => {
    const { probability } = posterior([...blocks([0, 32], 6), ...blocks([0, 8, 16, 24], 3)], has);
    expect(probability.reduce((all, one) => all + one, 0)).toBeCloseTo(1, 12);
    expect(() => posterior(blocks([0, 32], 1), has)).toThrow('show no step');
  });
});
