// Class: unit.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { comparisons } from '../../src/analysis/assemble.ts';
import { factorialFindings } from '../../src/analysis/factorial.ts';
import type { TwoByTwo } from '../../src/analysis/factorial-cells.ts';
import type { RunResult } from '../../src/analysis/results.ts';
import type { Contrast, Factorial } from '../../src/findings/factorial.ts';
import { plainText } from '../../src/report/document/text.ts';
import { interactionText, mainText } from '../../src/report/words/factorial.ts';
import { verdictText } from '../../src/report/words/verdict.ts';
import { holm } from '../../src/stats/adjust.ts';
import { createRandom } from '../simulate/random.ts';
import { expectNear } from '../stats/near.ts';
import { bareRun } from './bare-run.ts';

type Energies = readonly (readonly (readonly number[])[])[];

interface Case {
  readonly name: string;
  readonly energies: Energies;
  readonly main: readonly [Partial<Contrast>, Partial<Contrast>];
  readonly interaction: Partial<Contrast>;
}

const CASES: readonly Case[] = JSON.parse(
  readFileSync(new URL('../fixtures/factorial/expected.json', import.meta.url), 'utf8'),
);

const design: TwoByTwo = {
  factors: [
    { name: 'revision', levels: ['base', 'head'] },
    { name: 'place', levels: ['native', 'container'] },
  ],
  cells: [
    ['base/native', 'base/container'],
    ['head/native', 'head/container'],
  ],
};

const run = (variant: string, block: number, energyJ: number, more: Partial<RunResult> = {}): RunResult =>
  bareRun({ run: block, block, position: 1, variant, ...more, energyJ });

const runsOf = (energies: Energies): RunResult[] =>
  energies.flatMap((row, i) =>
    row.flatMap((cell, j) => cell.map((energyJ, block) => run(design.cells[i]![j]!, block + 1, energyJ))),
  );

const question = {
  baseline: 'base/native',
  variants: design.cells.flat(),
  channels: ['wall'],
  marginPercent: 1,
  seed: 1,
};

const analyzed = (runs: readonly RunResult[], marginPercent = 1): Factorial =>
  factorialFindings(runs, design, { ...question, marginPercent });

/** With its contrasts in words. */
const reported = (runs: readonly RunResult[], marginPercent = 1) => {
  const factorial = analyzed(runs, marginPercent);
  const main = ([0, 1] as const).map((i) => ({
    ...factorial.main[i],
    sentence: plainText(mainText(factorial, i, marginPercent)),
  }));
  const sentence = plainText(interactionText(factorial, marginPercent));
  return { main, interaction: { ...factorial.interaction, sentence } };
};

/** Blocks whose cells are so many percent above a hundred joules, with a little of the blocks' own. */
const steady = (blocks: number, native: number, container: number, headNative: number, headContainer: number) => {
  const wobble = (i: number, cell: number): number => 0.04 * (((i * 7 + cell * 3) % 11) - 5);
  const cell = (percent: number, of: number) =>
    Array.from({ length: blocks }, (_, i) => 100 + percent + wobble(i, of) + 3 * ((i * 5) % 7));
  return [
    [cell(native, 0), cell(container, 1)],
    [cell(headNative, 2), cell(headContainer, 3)],
  ];
};

describe.each(CASES)('$name', ({ energies, main, interaction }) => {
  it('gives the contrasts of numpy and scipy', () => {
    const found = analyzed(runsOf(energies));
    expect(found.blocks).toBe(energies[0]?.[0]?.length);
    expectNear(found.main[0], main[0] as never, 1e-9, 1e-10);
    expectNear(found.main[1], main[1] as never, 1e-9, 1e-10);
    expectNear(found.interaction, interaction as never, 1e-9, 1e-10);
  });

  it('turns every sign with its factor', () => {
    const found = analyzed(runsOf(energies));
    const turned = analyzed(runsOf([energies[1]!, energies[0]!]));
    const log = (contrast: Contrast): number => Math.log1p(contrast.estimate! / 100);
    expect(log(turned.main[0])).toBeCloseTo(-log(found.main[0]), 12);
    expect(log(turned.main[1])).toBeCloseTo(log(found.main[1]), 12);
    expect(log(turned.interaction)).toBeCloseTo(-log(found.interaction), 12);
  });
});

it('has main differences and an interaction that allow for the interim analyses', () => {
  const runs = runsOf(steady(10, 0, 1, 0, 4));
  const looks = { planned: [10, 15, 20], through: 10, spending: 'pocock', stoppedBecause: null } as const;
  const [fixed, repeated] = [undefined, looks].map((one) =>
    factorialFindings(runs, design, { ...question, looks: one }),
  );
  for (const which of ['0', '1', 'interaction'] as const) {
    const [once, again] = [fixed, repeated].map((found) =>
      which === 'interaction' ? found!.interaction : found!.main[which],
    );
    expect(again!.confidence).toBeGreaterThan(once!.confidence!);
    expect(again!.p_holm).toBeGreaterThan(once!.p_holm!);
  }
});

it('has no 95 % interval of a step where the blocks are too few for one', () => {
  const [few, enough] = [5, 6].map((blocks) => analyzed(runsOf(steady(blocks, 0, 1, 0, 4))).steps[0]!);
  expect(few).toMatchObject({ estimate: expect.any(Number), ci95: null });
  expect(enough!.ci95).not.toBeNull();
});

it('judges no contrast twice that the experiment asks for by itself', () => {
  const runs = runsOf(steady(10, 0, 1, 0, 4));
  const cells = design.cells.flat();
  const pairs = cells.flatMap((baseline, i) => cells.slice(i + 1).map((variant) => ({ baseline, variant })));
  const { simple } = factorialFindings(runs, design, { ...question, pairs });
  expect(simple).toMatchObject([
    { baseline: 'base/container', variant: 'head/container', family_size: pairs.length },
    { baseline: 'head/native', variant: 'head/container', family_size: pairs.length },
  ]);
});

describe('what two factors tell', () => {
  it('is adjusted for the three contrasts', () => {
    const { main, interaction } = analyzed(runsOf(CASES[4]!.energies));
    const three = [...main, interaction].sort((a, b) => a.wilcoxon_signed_rank!.p - b.wilcoxon_signed_rank!.p);
    const ps = three.map((contrast) => contrast.wilcoxon_signed_rank!.p);
    expect(three.map((contrast) => contrast.p_holm)).toEqual([
      3 * ps[0]!,
      Math.max(3 * ps[0]!, 2 * ps[1]!),
      Math.max(3 * ps[0]!, 2 * ps[1]!, ps[2]!),
    ]);
  });

  it('is a sentence each where they interact: the ratio of ratios, with both steps', () => {
    const { main, interaction } = reported(runsOf(steady(20, 0, 3, 0, 6)));
    expect(interaction.verdict).toBe('increase');
    expect(interaction.sentence).toMatch(
      /^The step from native to container differs between base and head: with head the ratio container to native is 2\.\d+ % higher than with base \(ratio of ratios, 95 % CI .*; 20 blocks, exact signed-rank p < 0\.001, p < 0\.001 for 3 contrasts \(Holm\)\)\. From native to container: about \+2\.\d+ % with base, \+5\.\d+ % with head\.$/,
    );
    expect(main[1]!.sentence).toMatch(
      /^Averaged over base and head, container used 4\.\d+ % more energy than native \(95 % CI .*\)\. Note the interaction: this is the average of two changes that differ\.$/,
    );
  });

  it('is told as less where head makes the container cheaper', () => {
    const { interaction } = reported(runsOf(steady(20, 0, 6, 0, 3)));
    expect(interaction.verdict).toBe('decrease');
    expect(interaction.sentence).toMatch(/ratio container to native is 2\.\d+ % lower than with base/);
  });

  it('is the same within the margin where nothing but the factors themselves changes', () => {
    const { main, interaction } = reported(runsOf(steady(20, 0, 3, 2, 5.06)));
    expect(interaction.verdict).toBe('equivalent');
    expect(interaction.sentence).toMatch(
      /^The step from native to container is the same with head as with base, within ±1 % \(ratio of ratios .*90 % CI .*; 20 blocks\)\./,
    );
    expect(main.map(({ verdict }) => verdict)).toEqual(['increase', 'increase']);
    expect(main[0]!.sentence).not.toContain('Mind');
  });

  it('is never called no effect while it is open: what could have been seen stands there', () => {
    const { interaction } = reported(runsOf(CASES[2]!.energies));
    expect(interaction.verdict).toBe('inconclusive');
    expect(interaction.sentence).toMatch(
      /^Inconclusive: whether the step from native to container differs between base and head is open: the ratio of the two ratios lies between −\d.* and \+\d.* % \(95 % CI; 12 blocks, exact signed-rank p = .*\)\. The smallest detectable interaction of these blocks was \d.* %; .*twice as many blocks/,
    );
    expect(interaction.sentence).not.toMatch(/no (effect|difference|interaction)/i);
  });

  it('needs six blocks', () => {
    const { main, interaction } = reported(runsOf(CASES[0]!.energies));
    for (const contrast of [...main, interaction]) {
      expect(contrast.verdict).toBe('inconclusive');
      expect(contrast.sentence).toMatch(/but 5 blocks can't show it: the exact test needs at least 6\./);
      // Nothing can be detected by a test that can't reject.
      expect(contrast.minimum_detectable_percent).toBeNull();
    }
    expect(main[0]!.sentence).toMatch(/^Inconclusive: averaged over native and container, head used 2\.\d+ % more/);
  });

  it('is open where one of three could too easily be due to chance', () => {
    // Ties, with the change of place taken out and a little change of revision put in.
    const scaled = CASES[2]!.energies.map((row, i) =>
      row.map((cell, j) => cell.map((energyJ) => energyJ * (i === 1 ? 0.9975 : 1) * (j === 1 ? 0.983 : 1))),
    );
    const { main } = reported(runsOf(scaled), 0.1);
    expect(main[0]!.wilcoxon_signed_rank?.p).toBeLessThan(0.05);
    expect(main[0]!.p_holm).toBeGreaterThan(0.05);
    expect(main[0]!.verdict).toBe('inconclusive');
    const [low, high] = main[0]!.ci95!.map((end) => Math.log(1 + end / 100)) as [number, number];
    // (z₀.₉₉₁₆₇ + z₀.₈₀)/z₀.₉₇₅, by tables: one of three.
    const least = Math.log(1 + main[0]!.minimum_detectable_percent! / 100) / ((high - low) / 2);
    expect(least).toBeCloseTo((2.394 + 0.8416) / 1.96, 2);
    expect(main[0]!.sentence).toMatch(
      /^Inconclusive: by itself, averaged over native and container, head used 0\.\d+ % less energy than base .*one of 3 contrasts could too easily be due to chance\. More blocks would settle it\.$/,
    );
  });

  it('is not decided by the steps of a coarse meter', () => {
    const random = createRandom(777);
    const read = (joules: number) => 360 * Math.round((joules * (1 + 0.015 * random.normal())) / 360);
    const arm = (joules: number) => Array.from({ length: 30 }, () => read(joules));
    const runs = runsOf([
      [arm(3620), arm(3620)],
      [arm(3692), arm(3692)],
    ]);
    const { main, interaction } = reported(runs);
    for (const contrast of [...main, interaction]) {
      expect(contrast).toMatchObject({ verdict: 'inconclusive', reason: 'coarse' });
      expect(contrast.sentence).toMatch(/^Inconclusive: many blocks show the same difference, because the energies/);
    }
    // As wide as the meter is coarse: rounding moves a main difference by up to one step, the interaction by two.
    const [low, high] = main[0]!.ci90!;
    expect(low).toBeLessThan(-9);
    expect(high).toBeGreaterThan(9);
    expect(interaction.ci90![1]).toBeGreaterThan(18);
    expect(analyzed(runs).steps[1]!.ci95![1]).toBeGreaterThan(9);
  });

  it('says nothing of a difference within the margin that the blocks contradict', () => {
    const blocks = (more: (i: number) => number) => {
      const energies = steady(30, 0, 0, 0, 0).map((row, a) =>
        row.map((cell) => cell.map((joules, i) => joules * (1 + (a * more(i)) / 100))),
      );
      return reported(runsOf(energies), 2).main[0]!;
    };
    const drifting = blocks((i) => 0.1 * (i - 14.5));
    expect(drifting).toMatchObject({ verdict: 'inconclusive', reason: 'drifts' });
    expect(drifting.sentence).toContain('the change drifts during the experiment by more than the margin');
    const twofold = blocks((i) => (i % 5 === 0 ? 3 : 0));
    expect(twofold).toMatchObject({ verdict: 'inconclusive', reason: 'groups' });
    expect(twofold.sentence).toContain('two groups, whose changes are farther apart than the margin');
  });

  it('rests on blocks with one valid run of each cell, on the channel asked for', () => {
    const runs = runsOf(CASES[3]!.energies);
    const broken = runs
      .filter((r) => !(r.variant === 'head/native' && r.block === 3))
      .map((r) => (r.variant === 'base/native' && r.block === 7 ? { ...r, status: 'invalid' as const } : r));
    const twice = [...broken, run('base/container', 9, 500), run('base/native', 1, 1e6, { channel: 'rapl' })];
    const { simple, ...left } = analyzed(twice);
    expect(left.blocks).toBe(27);
    const { simple: _, ...without } = analyzed(runs.filter((r) => ![3, 7, 9].includes(r.block!)));
    expect(left).toEqual(without);
    // A comparison of two needs no more than its two.
    expect(simple.map(({ blocks }) => blocks)).toEqual([29, 29]);
  });

  it.each([
    [
      'no valid run',
      (r: RunResult) => (r.variant === 'head/native' ? { ...r, status: 'failed' as const } : r),
      'one of the four variants has no valid run.',
    ],
    [
      'no block',
      (r: RunResult) => (r.variant === 'head/native' ? { ...r, block: r.block! + 100 } : r),
      'no block has one valid run of each of the four variants.',
    ],
    [
      'an energy of zero',
      (r: RunResult) => (r.block === 2 ? { ...r, energyJ: 0 } : r),
      'a run gave an energy of zero or less, so that no ratio is defined.',
    ],
    [
      'no variation',
      (r: RunResult) => ({ ...r, energyJ: r.variant.length }),
      "no variant's energy varies at this resolution",
    ],
  ])('is nothing, with the reason, where there is %s', (_, change, reason) => {
    const { main, interaction } = reported(runsOf(CASES[3]!.energies).map(change));
    for (const contrast of [...main, interaction]) {
      expect(contrast.verdict).toBe('inconclusive');
      expect(contrast.sentence).toContain(reason);
      expect(JSON.stringify(contrast)).not.toMatch(/NaN|Infinity/);
      if (!reason.includes('varies')) expect(contrast).toMatchObject({ estimate: null, ci95: null, p_holm: null });
    }
  });
});

describe('the simple differences', () => {
  const { simple, interaction } = analyzed(runsOf(CASES[4]!.energies));
  const withBaseline = comparisons(runsOf(CASES[4]!.energies), question);

  it('are those that the comparisons with the baseline do not tell', () => {
    expect([...withBaseline, ...simple].map(({ baseline, variant }) => `${variant} vs ${baseline}`)).toEqual([
      'base/container vs base/native',
      'head/native vs base/native',
      'head/container vs base/native',
      'head/container vs base/container',
      'head/container vs head/native',
    ]);
  });

  it('are judged among all five, and leave the others as they are', () => {
    const ps = [...withBaseline, ...simple].map(({ tests }) => tests.wilcoxon_signed_rank!.p);
    const adjusted = holm(ps);
    expect(simple.map(({ p_holm }) => p_holm)).toEqual(adjusted.slice(3));
    expect(plainText(verdictText(simple[1], 1))).toContain('for 5 comparisons (Holm)');
    expect(withBaseline.map(({ p_holm }) => p_holm)).toEqual(holm(ps.slice(0, 3)));
  });

  it('differ from those with the baseline by the interaction', () => {
    const log = (percent: number | null | undefined): number => Math.log1p(percent! / 100);
    const whole = log(interaction.mean_log);
    expect(log(simple[1].percent.mean_log) - log(withBaseline[0]?.percent.mean_log)).toBeCloseTo(whole, 12);
    expect(log(simple[0].percent.mean_log) - log(withBaseline[1]?.percent.mean_log)).toBeCloseTo(whole, 12);
  });
});
