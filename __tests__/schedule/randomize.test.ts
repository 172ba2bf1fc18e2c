// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { drawSeed, makePlan, repeatOrder } from '../../src/schedule/randomize.ts';

function experiment(names: string[], repetitions: number, warmupRuns = 0) {
  const workload = { run: 'x', prepare: null, cleanup: null, env: {}, workdir: null, timeoutS: null };
  const variants = names.map((name) => ({ kind: 'native' as const, name, workload }));
  return { variants, repetitions, warmup: { runs: warmupRuns } };
}

/** `ABC BCA …`: a block a word. */
function orders(seed: number, names: string[], repetitions: number, warmupRuns = 0): string[] {
  const { runs } = makePlan(experiment(names, repetitions, warmupRuns), seed);
  return [...Map.groupBy(runs, (run) => run.block).values()].map((block) => block.map((run) => run.variant).join(''));
}

/** Chi-square of counts against the same number everywhere. */
function chiSquare(counts: Iterable<number>, cells: number): number {
  const seen = [...counts];
  const expected = seen.reduce((a, b) => a + b, 0) / cells;
  const unseen = (cells - seen.length) * expected;
  return unseen + seen.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const tally = (words: readonly string[]) =>
  [...Map.groupBy(words, (word) => word).values()].map((group) => group.length);

/** Upper 0.001 points of the chi-square distribution by degrees of freedom. */
const CHI_SQUARE_001 = { 1: 10.83, 5: 20.52, 23: 49.73 };

describe('makePlan', () => {
  it('gives the order that it always gave for a seed', () => {
    expect(orders(1, ['A', 'B'], 10, 2).join(' ')).toMatchInlineSnapshot(`"BA AB AB BA BA AB AB AB BA AB AB BA"`);
    expect(orders(4294967295, ['A', 'B', 'C'], 6).join(' ')).toMatchInlineSnapshot(`"BAC CBA BAC BAC BCA BAC"`);
    expect(makePlan(experiment(['A', 'B'], 5, 1), 7)).toEqual(makePlan(experiment(['A', 'B'], 5, 1), 7));
  });

  it('numbers warm-up blocks up to 0, then the others from 1, and runs and positions from 1', () => {
    const plan = makePlan(experiment(['A', 'B'], 2, 2), 1);
    expect(plan).toMatchObject({ seed: 1, order: 'randomized-blocks' });
    expect(plan.runs.map(({ run, block, position, warmup }) => [run, block, position, warmup])).toEqual([
      [1, -1, 1, true],
      [2, -1, 2, true],
      [3, 0, 1, true],
      [4, 0, 2, true],
      [5, 1, 1, false],
      [6, 1, 2, false],
      [7, 2, 1, false],
      [8, 2, 2, false],
    ]);
  });

  it('has every variant once in every block', () => {
    const names = ['A', 'B', 'C', 'D', 'E'];
    for (let seed = 0; seed < 50; seed++) {
      for (const block of orders(seed, names, 30, 2)) expect([...block].sort()).toEqual(names);
    }
  });

  it('has all orders equally often over seeds, at the first place and inside a plan', () => {
    const first = Array.from({ length: 6000 }, (_, seed) => orders(seed, ['A', 'B', 'C'], 1)[0] ?? '');
    expect(chiSquare(tally(first), 6)).toBeLessThan(CHI_SQUARE_001[5]);
    const four = orders(11, ['A', 'B', 'C', 'D'], 10_000);
    expect(chiSquare(tally(four), 24)).toBeLessThan(CHI_SQUARE_001[23]);
    const pairs = orders(12, ['A', 'B'], 10_000);
    expect(chiSquare(tally(pairs), 2)).toBeLessThan(CHI_SQUARE_001[1]);
  });

  it('has blocks that do not follow from the one before', () => {
    const pairs = orders(13, ['A', 'B'], 10_001);
    const following = pairs.slice(1).map((order, i) => `${pairs[i]}${order}`);
    // Three degrees of freedom.
    expect(chiSquare(tally(following), 4)).toBeLessThan(16.27);
  });

  it('has another order for another seed', () => {
    const plans = Array.from({ length: 200 }, (_, seed) => orders(seed, ['A', 'B'], 30).join(' '));
    expect(new Set(plans).size).toBe(200);
  });

  it('refuses what is no seed', () => {
    expect(() => makePlan(experiment(['A', 'B'], 1), -1)).toThrow(RangeError);
    expect(() => makePlan(experiment(['A', 'B'], 1), 2 ** 32)).toThrow(RangeError);
  });
});

describe('repeatOrder', () => {
  it('depends on seed, block and attempt, and on nothing else', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];
    const order = (seed: number, block: number, attempt: number) => repeatOrder(seed, block, attempt, names).join('');
    expect([order(1, 1, 2), order(1, 1, 3), order(1, 2, 2), order(2, 1, 2), order(1, 0, 2)]).toMatchInlineSnapshot(`
[
  "FCEBAHGD",
  "DHGBFAEC",
  "EDACGHFB",
  "GEHFBCAD",
  "CEADFHBG",
]
`);
    expect(order(1, 1, 2)).toBe(order(1, 1, 2));
    expect([...order(1, 1, 2)].sort()).toEqual(names);
  });

  it('has all orders equally often over blocks, attempts and seeds', () => {
    const over = (arguments_: (i: number) => [number, number, number]) =>
      Array.from({ length: 6000 }, (_, i) => repeatOrder(...arguments_(i), ['A', 'B', 'C']).join(''));
    expect(chiSquare(tally(over((i) => [5, i + 1, 2])), 6)).toBeLessThan(CHI_SQUARE_001[5]);
    expect(chiSquare(tally(over((i) => [5, 1, i + 2])), 6)).toBeLessThan(CHI_SQUARE_001[5]);
    expect(chiSquare(tally(over((i) => [i, 1, 2])), 6)).toBeLessThan(CHI_SQUARE_001[5]);
  });

  it('does not follow from the planned order of the block', () => {
    const planned = orders(21, ['A', 'B'], 4000);
    const joint = planned.map((order, i) => `${order}${repeatOrder(21, i + 1, 2, ['A', 'B']).join('')}`);
    expect(chiSquare(tally(joint), 4)).toBeLessThan(16.27);
  });
});

describe('drawSeed', () => {
  it('gives unsigned 32-bit integers that makePlan takes', () => {
    const seeds = Array.from({ length: 100 }, drawSeed);
    for (const seed of seeds) expect(() => makePlan(experiment(['A', 'B'], 1), seed)).not.toThrow();
    expect(new Set(seeds).size).toBeGreaterThan(95);
  });
});
