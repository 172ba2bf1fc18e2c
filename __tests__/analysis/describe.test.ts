// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type DescribedRun, describeVariant } from '../../src/analysis/describe.ts';
import { expected } from '../stats/expected.ts';
import { expectNear } from '../stats/near.ts';

function runs(energies: readonly number[], durations: readonly number[] | null): DescribedRun[] {
  return energies.map((energyJ, i) => {
    const durationS = durations?.[i] ?? null;
    const meanPowerW = durationS && energyJ / durationS;
    return { run: 100 + i, energyJ, netEnergyJ: null, durationS, meanPowerW };
  });
}

describe.each(expected.cases)('a variant: $name', ({ x, tx, expected: { x: wanted, energyTime } }) => {
  const description = describeVariant(runs(x, tx));

  it('is described by location, spread, normality and its tie to time', () => {
    const { mean, sd, median, mad, q1, q3, min, max, mean_ci95 } = wanted;
    expectNear(description.energy_j, { mean, sd, median, mad, q1, q3, min, max, mean_ci95 }, 1e-12);
    expectNear(description.shapiro_wilk, wanted.shapiro, 1e-7);
    expectNear(description.energy_time_pearson, energyTime.x, 1e-7);
    expect(description.net_energy_j).toBeNull();
    expect(description.mean_power_w).not.toBeNull();
  });
});

describe('flags', () => {
  it('name the run that is far from the others in ln E', () => {
    const energies = [200, 201, 199, 200.5, 199.4, 260, 200.2, 199.9];
    const { flagged } = describeVariant(runs(energies, null));
    expect(flagged).toHaveLength(1);
    expect(flagged[0]).toMatchObject({ run: 105 });
    expect(flagged[0]?.modified_z).toBeGreaterThan(3.5);
  });

  it('are none where the spread or a logarithm is undefined', () => {
    expect(describeVariant(runs([5, 5, 5, 5, 9], null)).flagged).toEqual([]);
    expect(describeVariant(runs([-1, 2, 3, 2, 90], null)).flagged).toEqual([]);
  });
});

describe('too little', () => {
  it('is null', () => {
    expect(describeVariant([])).toEqual({
      flagged: [],
      flagged_note: 'no-runs',
      distribution: null,
      energy_j: null,
      net_energy_j: null,
      duration_s: null,
      mean_power_w: null,
      shapiro_wilk: null,
      energy_time_pearson: null,
    });
    expect(describeVariant(runs([5], null)).energy_j).toMatchObject({ mean: 5, sd: null, mean_ci95: null });
  });

  it('summarizes what is known of each quantity', () => {
    const partly = runs([5, 6, 7], [1, 2, 3]).map((run, i) => (i === 1 ? { ...run, durationS: null } : run));
    expect(describeVariant(partly).duration_s).toMatchObject({ mean: 2, min: 1, max: 3 });
  });
});
