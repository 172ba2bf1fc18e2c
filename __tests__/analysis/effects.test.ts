// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { effectContrasts } from '../../src/analysis/effect-contrasts.ts';
import { effectsFindings } from '../../src/analysis/effects.ts';
import type { FactorialDesign } from '../../src/experiment/experiment.ts';
import type { Effect } from '../../src/findings/effects.ts';
import { parse } from '../experiment/support.ts';
import { createRandom } from '../simulate/random.ts';
import { bareRun } from './bare-run.ts';

const design = (matrix: string): FactorialDesign => parse(`workload: { run: x }\nmatrix: ${matrix}`).factorial!;

const THREE = '{ image: [a, b, c], network: [bridge, host], cpus: [1, 2] }';

/** Runs whose ln E is a general mean, a block's own, a little noise and what `extra` gives to a cell. */
function runsOf({ cells }: FactorialDesign, extra: (levels: readonly string[]) => number, blocks = 20) {
  const random = createRandom(5);
  return Array.from({ length: blocks }, (_, i) => {
    const own = 0.05 * random.normal();
    return cells.map(({ variant, levels }, j) =>
      bareRun({
        run: i * cells.length + j + 1,
        block: i + 1,
        position: j + 1,
        variant,
        energyJ: 100 * Math.exp(own + extra(levels) + 0.002 * random.normal()),
      }),
    );
  }).flat();
}

const WALL = { channel: 'wall', seed: 1, looks: null };
const reported = ({ factors, df, verdict, reason }: Effect) => [factors.join(' × '), df, reason ?? verdict];

describe('the effects of a matrix', () => {
  it('are found where they are, in their size, and nowhere else', () => {
    const three = design(THREE);
    const extra = ([image, network]: readonly string[]) =>
      (image === 'b' ? 0.03 : 0) + (image === 'c' && network === 'host' ? 0.02 : 0);
    const found = effectsFindings(runsOf(three, extra), three, WALL);
    expect(found.blocks).toBe(20);
    expect(found.tested.map(reported)).toEqual([
      ['image', 2, 'shown'],
      ['network', 1, 'shown'],
      ['cpus', 1, 'open'],
      ['image × network', 2, 'shown'],
      ['image × cpus', 2, 'open'],
      ['network × cpus', 1, 'open'],
    ]);
    const [image, network, , both] = found.tested;
    expect(image?.averaged).toEqual([
      ['bridge', 'cpus 1'],
      ['bridge', 'cpus 2'],
      ['host', 'cpus 1'],
      ['host', 'cpus 2'],
    ]);
    expect(image?.levels.map(({ levels }) => levels)).toEqual([['b'], ['c']]);
    expect(image?.levels[0]?.percent).toBeCloseTo(100 * Math.expm1(0.03), 0);
    expect(image?.levels[1]?.percent).toBeCloseTo(100 * Math.expm1(0.01), 0);
    expect(network?.levels[0]?.percent).toBeCloseTo(100 * Math.expm1(0.02 / 3), 0);
    // c with host is 2 % above what is added elsewhere; a third of it is network's, half of it is the image's.
    const corner = both?.levels.find(({ levels }) => levels.join() === 'c,host');
    expect(corner?.percent).toBeCloseTo(100 * Math.expm1(0.02 * (1 - 1 / 3 - 1 / 2 + 1 / 6)), 1);
    expect(corner?.ci95?.[0]).toBeGreaterThan(0);
  });

  it('have a p that allows for the interim analyses', () => {
    const three = design(THREE);
    const runs = runsOf(three, ([image]) => (image === 'b' ? 0.0012 : 0));
    const looks = { planned: [20, 25, 30], through: 20, spending: 'pocock', stoppedBecause: null } as const;
    const [once, again] = [null, looks].map((one) => effectsFindings(runs, three, { ...WALL, looks: one }).tested);
    expect(once![0]!.p_holm).toBeLessThan(0.05);
    expect(again![0]!.p_holm).toBeGreaterThan(1.3 * once![0]!.p_holm!);
  });

  it('of fewer cells are averaged where all levels are there, whatever the others do', () => {
    const some = design(`${THREE.slice(0, -1)}, exclude: [{ image: c, network: host }] }`);
    // Host costs 50 %: a mean over what is left of each image would make c look cheap.
    const extra = ([image, network]: readonly string[]) => (network === 'host' ? 0.5 : 0) + (image === 'c' ? 0.03 : 0);
    const found = effectsFindings(runsOf(some, extra), some, WALL);
    const [image, network, , both] = found.tested;
    expect(image).toMatchObject({
      df: 2,
      verdict: 'shown',
      averaged: [
        ['bridge', 'cpus 1'],
        ['bridge', 'cpus 2'],
      ],
    });
    expect(image?.levels[0]?.percent).toBeCloseTo(0, 0);
    expect(image?.levels[1]?.percent).toBeCloseTo(100 * Math.expm1(0.03), 0);
    expect(network?.averaged).toEqual([
      ['a', 'cpus 1'],
      ['a', 'cpus 2'],
      ['b', 'cpus 1'],
      ['b', 'cpus 2'],
    ]);
    expect(network?.levels[0]?.percent).toBeCloseTo(100 * Math.expm1(0.5), 0);
    expect(both).toMatchObject({ df: 1, verdict: 'inconclusive', reason: 'open' });
  });

  it('that the cells can’t tell are not estimable, and take no part in Holm’s method', () => {
    const ring = design(
      '{ a: { a1: , a2: , a3: }, b: { b1: , b2: , b3: }, exclude: [{ a: a1, b: b1 }, { a: a2, b: b2 }, { a: a3, b: b3 }] }',
    );
    const found = effectsFindings(
      runsOf(ring, () => 0),
      ring,
      WALL,
    );
    expect(found.tested.map(reported)).toEqual([
      ['a', 0, 'not-estimable'],
      ['b', 0, 'not-estimable'],
      ['a × b', 1, 'open'],
    ]);
    expect(found.tested[2]?.p_holm).toBe(found.tested[2]?.p);
  });

  it('say why nothing is told', () => {
    const three = design(THREE);
    const runs = runsOf(three, () => 0);
    const reasons = (given: typeof runs) => [
      ...new Set(effectsFindings(given, three, WALL).tested.map(({ reason }) => reason)),
    ];
    const last = three.cells.at(-1)?.variant;
    expect(reasons(runs.filter(({ variant }) => variant !== last))).toEqual(['no-runs']);
    expect(reasons(runs.filter(({ variant, block }) => variant !== last || block === 99))).toEqual(['no-runs']);
    expect(reasons(runs.filter(({ block }) => (block ?? 0) <= 5))).toEqual(['too-few']);
    expect(reasons(runs.map((run, i) => (i === 0 ? { ...run, energyJ: -1 } : run)))).toEqual(['not-positive']);
    expect(reasons(runs.map((run) => ({ ...run, energyJ: 5 })))).toEqual(['no-variation']);
  });

  it('leave nothing of the other factors in a contrast', () => {
    const { cells } = design(THREE);
    const { effect, combinations, df } = effectContrasts(cells, [0, 1]);
    expect(df).toBe(2);
    for (const value of effect(combinations.map((_, i) => [1, 2, 5][Math.floor(i / 2)]! + [10, 20][i % 2]!))) {
      expect(value).toBeCloseTo(0, 12);
    }
  });

  it('of four hundred cells are computed in a moment', () => {
    const levels = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`).join(', ');
    const many = design(`{ image: [${levels('i')}], network: [${levels('n')}] }`);
    const found = effectsFindings(
      runsOf(many, ([image]) => (image === 'i7' ? 0.05 : 0), 8),
      many,
      WALL,
    );
    expect(found.tested.map(({ df }) => df)).toEqual([19, 19, 361]);
    expect(found.tested[0]?.verdict).toBe('shown');
  });
});
