// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { profileTree } from '../../../../../src/parts/explain/analysis/tree.ts';
import { descriptionOf, firstPair, flameCaption } from '../../../../../src/parts/explain/report/flame/flame.ts';
import { type Box, layout, lean, standing, staticRows } from '../../../../../src/parts/explain/report/flame/layout.ts';
import { cutText, flameSvg } from '../../../../../src/parts/explain/report/flame/static.ts';
import { type FlameNode, type PageProfile, pageProfile } from '../../../../../src/parts/explain/report/page-profile.ts';
import { page } from '../../../../../src/report/charts/canvas/theme.ts';
import { hostileNames } from '../../../../report/fixtures.ts';
import { syntheticAnalysis } from '../../../../report/synthetic/analysis.ts';
import { observedRuns } from '../../../../report/synthetic/observed.ts';

const PAIR = { baseline: 0, variant: 1 };
const profile = pageProfile(profileTree(observedRuns())) as PageProfile;
const named = (boxes: readonly Box[], name: string): Box => {
  const box = boxes.find(({ node }) => node.name === name);
  if (box === undefined) throw new Error(`no ${name} among ${boxes.map(({ node }) => node.name)}`);
  return box;
};

describe('the differential flame graph', () => {
  const boxes = layout([profile.root], PAIR, 'both');

  it('gives each function the width of its processor time in both variants, below its caller', () => {
    const whole = profile.root.totals[0]! + profile.root.totals[1]!;
    for (const { width, baselineS, variantS } of boxes) expect(width).toBeCloseTo((baselineS + variantS) / whole, 6);
    for (const { parent, depth, x, width } of boxes) {
      const above = boxes[parent];
      expect(depth).toBe(above === undefined ? 0 : above.depth + 1);
      if (above === undefined) continue;
      expect(x).toBeGreaterThanOrEqual(above.x - 1e-9);
      expect(x + width).toBeLessThanOrEqual(above.x + above.width + 1e-9);
    }
    expect(boxes.slice(1, 3).map(({ node }) => node.name)).toEqual(['SET', 'main']);
  });

  it('is no longer than what can be seen in it: a thin and deep stack is shown where it is zoomed into', () => {
    const chain = (depth: number, totals: number[]): FlameNode => ({
      name: `at ${depth}`,
      group: null,
      totals,
      children: depth === 0 ? [] : [chain(depth - 1, totals)],
    });
    const root: FlameNode = { ...chain(0, [1000, 1000]), children: [chain(3, [999, 999]), chain(60, [1, 1])] };
    expect(Math.max(...layout([root], PAIR, 'both').map(({ depth }) => depth))).toBe(4);
    const thin = root.children[1] as FlameNode;
    expect(Math.max(...layout([root, thin], PAIR, 'both').map(({ depth }) => depth))).toBe(61);
  });

  it('has no more rows on paper than fit on it: it folds what only calls the next one, and says what it lacks', () => {
    const deep = (depth: number, totals: number[], below: FlameNode[]): FlameNode => ({
      name: `at ${depth}`,
      group: 'own' as const,
      totals,
      children: depth === 0 ? below : [deep(depth - 1, totals, below)],
    });
    const branches = (rows: number) => [deep(rows, [600, 700], []), deep(rows, [400, 300], [])];
    const cut = (root: FlameNode) => {
      const { boxes: drawn, folded, below } = staticRows(root, PAIR, 0);
      return { rows: 1 + Math.max(...drawn.map(({ depth }) => depth)), folded, below };
    };
    const phase = { name: 'load', group: null, totals: [1000, 1000] };
    expect(cut({ ...phase, children: [deep(60, [1000, 1000], [])] })).toEqual({ rows: 4, folded: 59, below: 0 });
    expect(cut(deep(5, [1000, 1000], branches(5)))).toEqual({ rows: 12, folded: 0, below: 0 });
    const long = deep(60, [1000, 1000], branches(99));
    expect(cut(long)).toEqual({ rows: 6, folded: 59 + 2 * 98, below: 0 });
    const { boxes: drawn } = staticRows(long, PAIR, 0);
    expect(drawn.map(({ node, depth, width }) => [node.name, depth, width])).toEqual([
      ...[['at 60', 0, 1] as const, ['… 59 more', 1, 1] as const, ['at 0', 2, 1] as const],
      ...[['at 99', 3, 0.65] as const, ['… 98 more', 4, 0.65] as const, ['at 0', 5, 0.65] as const],
      ...[['at 99', 3, 0.35] as const, ['… 98 more', 4, 0.35] as const, ['at 0', 5, 0.35] as const],
    ]);
    const steps = (depth: number, own: number): FlameNode => ({
      name: `at ${depth}`,
      group: 'own' as const,
      totals: [own, own],
      children: depth === 0 ? [] : [steps(depth - 1, own * 0.95)],
    });
    expect(cut(steps(60, 1000))).toEqual({ rows: 40, folded: 0, below: 21 });
    expect(cutText({ ...profile, root: long }, PAIR)).toMatch(/255 functions that call hardly anything but the next/);
    expect(cutText({ ...profile, root: steps(60, 1000) }, PAIR)).toMatch(
      /on paper, 21 rows at the bottom are left out/,
    );
    expect(cutText(profile, PAIR)).toBe('');
  });

  it('has room for what vanished and for what is new', () => {
    const gone = named(boxes, 'tcacheless');
    expect([standing(gone), lean(gone)]).toEqual(['gone', -1]);
    expect(gone.width).toBeGreaterThan(0);
    const both = named(boxes, 'memcpy');
    expect(standing(both)).toBe('both');
    expect(lean(both)).toBeCloseTo((0.48 - 0.06) / 0.54, 1);
    const alone = layout([profile.root], PAIR, 'variant').map(({ node }) => node.name);
    expect(alone).not.toContain('tcacheless');
  });

  it('gives what is zoomed into the whole width, with its callers above it', () => {
    const phase = profile.root.children.find(({ name }) => name === 'LRANGE_600') as FlameNode;
    const zoomed = layout([profile.root, phase], PAIR, 'both');
    expect(zoomed.slice(0, 3).map(({ node, width }) => [node.name, width])).toEqual([
      ['all', 1],
      ['LRANGE_600', 1],
      ['main', 1],
    ]);
    expect(named(zoomed, 'memcpy').width).toBeGreaterThan(named(boxes, 'memcpy').width);
  });

  it('is pruned to what a page can draw, says so, and loses no time', () => {
    const few = pageProfile(profileTree(observedRuns()), 12) as PageProfile;
    expect(few.left.functions).toBeGreaterThan(0);
    expect(few.root.totals).toEqual(profile.root.totals);
    expect(layout([few.root], PAIR, 'both').length).toBeLessThanOrEqual(12 + 3);
    expect(flameCaption(few)).toMatch(/Not in it: \d+ places on stacks with less than/);
    expect(flameCaption(profile)).toMatch(/All that was sampled is in it/);
  });

  it('says in what time its functions are', () => {
    const threads = pageProfile(
      profileTree(observedRuns().map((run) => ({ ...run, isThreadTime: true as const }))),
    ) as PageProfile;
    expect(flameCaption(threads)).toMatch(/the width of each is its thread time/);
    expect(descriptionOf(threads, PAIR)).toMatch(/by thread time/);
    expect(`${flameCaption(threads)}${descriptionOf(threads, PAIR)}`).not.toMatch(/processor/);
    expect(flameCaption(profile)).toMatch(/the width of each is its processor time/);
  });

  it('is a drawing without a script, whatever functions are called', () => {
    const stacks = hostileNames.map((name) => ({ frames: [{ name, library: null }], seconds: 1 }));
    const runs = ['a', 'b'].map((variant, run) => ({
      variant,
      run,
      phases: [{ phase: null, wallS: 1, cpuS: 1, stacks, counts: [] }],
    }));
    const odd = pageProfile(profileTree(runs)) as PageProfile;
    const svg = flameSvg(odd, PAIR, page);
    expect(svg).toMatch(/^<svg /);
    expect(svg).not.toMatch(/<script|[\u0000-\u0009\u202a-\u202e]/);
  });

  it('needs two variants, one of them the baseline', () => {
    const { findings } = syntheticAnalysis();
    const one = pageProfile(profileTree(observedRuns().filter(({ variant }) => variant === 'native'))) as PageProfile;
    expect(firstPair(findings, one)).toBeNull();
    expect(firstPair(findings, profile)).toEqual(PAIR);
    const others = { ...profile, variants: ['debian', 'alpine'] };
    expect(firstPair(findings, others)).toBeNull();
    expect(profileTree([])).toBeNull();
  });
});
