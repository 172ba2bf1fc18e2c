// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { computeCosts, J_PER_KWH } from '../../src/analysis/costs.ts';
import type { Cost } from '../../src/experiment/experiment.ts';
import type { Costs } from '../../src/findings/goals.ts';
import { analyzeCsv } from '../../src/parts/fleet/analysis/csv/analyze.ts';
import { suiteWithout } from '../report/synthetic/suite.ts';

const NOTHING: Cost = { price: null, intensityGPerKwh: null, task: null };
const EUR = { perKwh: 0.3, currency: 'EUR' };

/** Costs of runs in blocks: `native` and, where given, `container`. */
function costs(cost: Partial<Cost>, native: readonly number[], container: readonly number[] = []): Costs {
  const line = (name: string) => (energy: number, i: number) => `${name},${i + 1},${energy}`;
  const rows = [...native.map(line('native')), ...container.map(line('container'))];
  const { findings } = analyzeCsv(`variant,block,energy_j\n${rows.join('\n')}\n`, {
    file: 'runs.csv',
    name: 'runs',
    baseline: null,
    marginPercent: 1,
    goals: { cost: { ...NOTHING, ...cost } },
  });
  if (!findings.costs) throw new Error('no costs');
  return findings.costs;
}

const firstRun = (found: Costs) => found.variants[0]!.run;

describe('computeCosts', () => {
  it('takes a kilowatt for an hour as a kilowatt-hour', () => {
    expect(J_PER_KWH).toBe(1000 * 3600);
    expect(J_PER_KWH / 1).toBeCloseTo(1 / (1 / 3.6e6), 6);
  });

  // Each computed by hand: power × time = energy.
  it.each([
    ['one kilowatt-hour', 3_600_000, 0.3, 380],
    ['a 100 W lamp for ten hours, which is a kilowatt-hour', 100 * 36_000, 0.3, 380],
    ['a 2 kW kettle for three minutes, 0.1 kWh', 2000 * 180, 0.03, 38],
    ['a 10 W router for a year, 87.6 kWh', 10 * 365 * 86_400, 26.28, 33_288],
    ['one watt-hour', 3600, 0.0003, 0.38],
    ['one joule', 1, 0.3 / 3_600_000, 380 / 3_600_000],
  ])('of %s', (_, energyJ, money, carbonG) => {
    const { run } = costs({ price: EUR, intensityGPerKwh: 380 }, [energyJ]).variants[0]!;
    expect(run.money! / money).toBeCloseTo(1, 12);
    expect(run.carbon_g! / carbonG).toBeCloseTo(1, 12);
    expect(run.energy_j).toBe(energyJ);
  });

  it('gives the figures of the first paper: a week of idling, 1.20 and 1.22 dollars at 0.0676 a kilowatt-hour', () => {
    // 105.66 W over ten minutes a run; a week has 1008 of them; the container 2.08 % more.
    const native = 105.66 * 600;
    const task = { name: 'one week', runs: (7 * 24 * 60) / 10 };
    const found = costs({ price: { perKwh: 0.0676, currency: 'USD' }, task }, [native], [native * 1.0208]);
    expect(found.variants.map(({ task }) => task?.money?.toFixed(2))).toEqual(['1.20', '1.22']);
    expect(found.differences[0]).toMatchObject({ baseline: 'native', variant: 'container' });
    expect(found.differences[0]?.task?.money).toBeCloseTo(0.025, 3);
  });

  it('are those of the benchmarks of a suite that were compared', () => {
    const { variants } = computeCosts(suiteWithout('too-short'), [], { ...NOTHING, price: EUR });
    const names = [1, 2, 3].flatMap((i) => [`test_bench_${i}/base`, `test_bench_${i}/head`]);
    expect(variants.map(({ variant }) => variant).toSorted()).toEqual(names);
  });

  it('counts a fraction of a run', () => {
    const task = { name: 'half', runs: 0.5 };
    expect(costs({ intensityGPerKwh: 100, task }, [3.6e6]).variants[0]?.task).toMatchObject({
      energy_j: 1.8e6,
      carbon_g: 50,
      money: null,
    });
  });

  it('leaves unknown what has no price, and the task where none was named', () => {
    const found = costs({ intensityGPerKwh: 380 }, [1000, 1010]);
    expect(found).toMatchObject({ price: null, task: null });
    expect(firstRun(found)).toMatchObject({ money: null, money_ci95: null });
    expect(found.variants[0]?.task).toBeNull();
  });

  it('tells differences by blocks, so that what the blocks have in common is not in their interval', () => {
    const drift = [1000, 1200, 1400, 1600, 1800, 2000];
    const found = costs({ price: { perKwh: 3.6, currency: 'EUR' } }, drift, [1011, 1209, 1410, 1610, 1811, 2009]);
    // 1 J costs a millionth: differences of 11, 9, 10, 10, 11, 9 J, mean 10, sd 0.894, t(5) = 2.571.
    const { money, money_ci95: ci95 } = found.differences[0]!.run;
    expect(money! * 1e6).toBeCloseTo(10, 9);
    expect(ci95!.map((end) => end * 1e6)).toEqual([expect.closeTo(9.0614, 3), expect.closeTo(10.9386, 3)]);
  });

  it('has no interval, and no NaN, of a single block', () => {
    const found = costs({ price: EUR, intensityGPerKwh: 380 }, [100], [110]);
    expect(found.differences[0]?.run).toMatchObject({ energy_j: 10, energy_ci95_j: null, money_ci95: null });
    expect(JSON.stringify(found)).not.toContain('NaN');
  });
});
