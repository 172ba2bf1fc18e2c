// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { summarize } from '../../../../src/stats/summary.ts';
import { syntheticAnalysis } from '../../synthetic/analysis.ts';
import { withMatrix } from '../../synthetic/effects.ts';
import { fourVariants, withFactors } from '../../synthetic/factorial.ts';
import { drawn, isDrawn, points, ruler, ticksOf } from '../drawn.ts';

const ID = 'energy-by-factors';
const two = withFactors(syntheticAnalysis({ variants: fourVariants() }));

/** Mean energy of the runs of these variants together. */
function meanOf({ runs }: typeof two, ...names: string[]): number {
  const own = runs.filter(({ variant, status }) => names.includes(variant) && status === 'ok');
  return summarize(own.map(({ energyJ }) => energyJ!))!.mean;
}

/** Energies of the points of a line as a person with a ruler reads them. */
function readOff({ svg }: ReturnType<typeof drawn>, line: number): number[] {
  const energyAt = ruler(ticksOf(svg, 'end'));
  return points(svg, line).map(({ y }) => energyAt(y));
}

describe('the picture of two factors', () => {
  it('has a line for each level of the second over those of the first, at the means', () => {
    const picture = drawn(ID, two);
    expect(picture.text).toContain('energy by revision and place');
    for (const [line, place] of ['native', 'container'].entries()) {
      const expected = ['base', 'head'].map((revision) => meanOf(two, `${revision}/${place}`));
      expect(readOff(picture, line).map((energy) => energy.toFixed(0))).toEqual(
        expected.map((mean) => mean.toFixed(0)),
      );
      expect(picture.spec.description).toContain(`${place}: base ${expected[0]!.toFixed(1)} J`);
      expect(picture.text).toContain(place);
    }
    expect(picture.text).toMatch(/30 complete blocks with its 95 % interval; a line for each level of place\./);
    expect(picture.text).not.toMatch(/pairs of factors|other factors|excluded/);
  });

  it('leaves a gap where a combination is excluded', () => {
    const gap = '{ image: [debian, slim, alpine], network: [bridge, host], exclude: [{ image: slim, network: host }] }';
    const picture = drawn(ID, withMatrix(gap));
    expect([readOff(picture, 0), readOff(picture, 1)].map((line) => line.length)).toEqual([3, 2]);
    expect(picture.text).toContain('Lines have a gap where a combination is excluded.');
    const dashes = /<path d="([^"]*)"[^>]*stroke-dasharray/g;
    expect([...picture.svg.matchAll(dashes)].filter(([, path]) => path !== '')).toEqual([]);
  });

  it('is of the pair that stands out most, averaged over the other factors', () => {
    const matrix = '{ memory: [256m, 512m], image: [debian, alpine], network: [bridge, host] }';
    const three = withMatrix(matrix);
    const picture = drawn(ID, three);
    expect(picture.text).toContain('energy by image and network');
    expect(picture.text).toContain('Averaged over 2 combinations of the other factors.');
    expect(picture.text).toContain('Of 3 pairs of factors, the one whose interaction stands out most.');
    const expected = ['debian', 'alpine'].map((image) => meanOf(three, `256m/${image}/host`, `512m/${image}/host`));
    expect(readOff(picture, 1).map((energy) => energy.toFixed(0))).toEqual(expected.map((mean) => mean.toFixed(0)));
  });

  it('is not there without two factors, or a complete block', () => {
    expect(isDrawn(ID, syntheticAnalysis())).toBe(false);
    expect(isDrawn(ID, { ...two, runs: [] })).toBe(false);
  });
});
