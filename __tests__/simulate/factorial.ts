import { isGood } from '../../src/analysis/assemble.ts';
import { completeBlocks, logsOf, measureEffect } from '../../src/analysis/effects.ts';
import { type Measured, measureContrast } from '../../src/analysis/factorial.ts';
import { takeCells } from '../../src/analysis/factorial-cells.ts';
import type { FactorialDesign } from '../../src/experiment/experiment.ts';
import { simulatedRuns } from './experiment.ts';
import { type Gate, type Share, share } from './gates.ts';
import { MACHINES, type MachineName } from './machine.ts';
import { createRandom, type Random } from './random.ts';

/** Names that simulated variants have: the first is the baseline. */
const CELLS = [
  ['native', 'container'],
  ['container2', 'container3'],
] as const;

const BLOCKS = 30;
/** Main differences, which must not be seen in an interaction. */
const [FIRST, SECOND] = [0.02, 0.05];

/** The interaction of one experiment of 30 blocks of four, in the order of the product's plan, by its analysis. */
function interaction(random: Random, machine: MachineName, effect: number): Measured {
  const both = (1 + FIRST) * (1 + SECOND) * (1 + effect) - 1;
  const runs = simulatedRuns(random, MACHINES[machine], BLOCKS, [SECOND, FIRST, both]);
  return measureContrast(takeCells(runs.filter(isGood), { cells: CELLS }).interaction);
}

const isShown = ({ wilcoxon_signed_rank: test }: Measured): boolean => (test?.p ?? 1) < 0.05;

/** How often an interaction is called one: where there is none, and where the ratio of ratios is 1 % and 2 % from one. */
export function twoFactors(experiments: number, seed: number): Share[] {
  const on = (machine: MachineName, effect: number, what: string, gate: Gate | null, counts = isShown): Share => {
    const random = createRandom((seed + 1000 * effect + machine.length) >>> 0);
    const found = Array.from({ length: experiments }, () => interaction(random, machine, effect));
    return share(what, machine, found.filter(counts).length, experiments, gate);
  };
  const holds =
    (percent: number) =>
    ({ ci95 }: Measured) =>
      ci95 !== null && ci95[0] <= percent && percent <= ci95[1];
  return (['iid', 'realistic', 'harsh'] as const).flatMap((machine) => [
    on(machine, 0, 'no interaction: called one', { around: 0.05, most: 0.065 }),
    on(
      machine,
      0.01,
      'interaction of 1 %: found',
      machine === 'realistic' ? { around: 0.62, least: 0.57, most: 0.68 } : null,
    ),
    on(machine, 0.02, 'interaction of 2 %: found', machine === 'realistic' ? { around: 0.97, least: 0.94 } : null),
    on(
      machine,
      0.01,
      'interaction of 1 %: the 95 % interval holds it',
      { around: 0.95, least: 0.935, most: 0.965 },
      holds(1),
    ),
  ]);
}

/** Three images in two networks, with a cell left out where `excluded`. The first cell is the baseline, whose simulated name is "native". */
function threeByTwo(excluded: boolean): FactorialDesign {
  const all = ['a', 'b', 'c'].flatMap((image) => ['bridge', 'host'].map((network) => [image, network]));
  const levels = excluded ? all.slice(0, 5) : all;
  return {
    factors: [
      { name: 'image', levels: ['a', 'b', 'c'] },
      { name: 'network', levels: ['bridge', 'host'] },
    ],
    cells: levels.map((own, i) => ({ variant: ['native', 'container'][i] ?? `container${i}`, levels: own })),
  };
}

/** Noise of single runs beside the machines': of ln E, with a standard deviation of about 1 %. */
const NOISES: Readonly<Record<string, (random: Random) => number>> = {
  skewed: (random) => -0.01 * Math.log(1 - random.uniform()),
  'heavy tails': (random) => (0.005 * random.normal()) / Math.max(1e-3, Math.abs(random.normal())),
  ties: (random) => 0.01 * Math.round(random.normal()),
};

/** Uneven: the last cell scatters five times as much as the others. */
const UNEVEN = 5;

/** Of each image, and of a network: main differences, which must not be seen in the interaction. */
const IMAGES: Readonly<Record<string, number>> = { a: 0, b: 0.03, c: -0.02 };

interface Given {
  readonly image?: boolean;
  readonly network?: boolean;
  readonly both?: number;
}

/** The p-value of one effect, the factors at these places. `image` and `network`: whether they have an effect; `both`: added to one cell. */
function effect(
  random: Random,
  place: string,
  excluded: boolean,
  places: readonly number[],
  { image = false, network = false, both = 0 }: Given,
): number {
  const design = threeByTwo(excluded);
  const shifts = design.cells.map(
    ({ levels: [a = '', b] }) =>
      (image ? (IMAGES[a] as number) : 0) +
      (network && b === 'host' ? 0.04 : 0) +
      (a === 'b' && b === 'host' ? both : 0),
  );
  const noise = NOISES[place];
  let blocks: ReadonlyMap<string, number>[];
  if (place in MACHINES) {
    const base = shifts[0] as number;
    const more = shifts.slice(1).map((shift) => Math.expm1(shift - base));
    const runs = simulatedRuns(random, MACHINES[place as MachineName], EFFECT_BLOCKS, more);
    blocks = completeBlocks(
      runs.filter(isGood),
      design.cells.map(({ variant }) => variant),
    ).map(logsOf);
  } else {
    blocks = Array.from({ length: EFFECT_BLOCKS }, () => {
      const own = 0.02 * random.normal();
      const scatter = (i: number): number =>
        noise ? noise(random) : (i === shifts.length - 1 ? UNEVEN : 1) * 0.01 * random.normal();
      return new Map(design.cells.map(({ variant }, i) => [variant, own + (shifts[i] as number) + scatter(i)]));
    });
  }
  return measureEffect(design, places, blocks, random.seed()).p ?? 1;
}

const EFFECT_BLOCKS = 20;
const PLACES = ['iid', 'realistic', 'harsh', 'skewed', 'heavy tails', 'ties', 'uneven'] as const;
type Place = (typeof PLACES)[number];

/** How often effects of a matrix of three by two are called some, with all cells and with one left out: where there are none, and where there are others. */
export function manyLevels(experiments: number, seed: number, places: readonly Place[] = PLACES): Share[] {
  const level: Gate = { around: 0.05, most: 0.065 };
  return places.flatMap((place, at) =>
    [false, true].flatMap((excluded) => {
      const random = createRandom((seed + 10 * at + (excluded ? 1 : 0)) >>> 0);
      const called = (places: readonly number[], given: Given): number =>
        Array.from({ length: experiments }, () => effect(random, place, excluded, places, given)).filter(
          (p) => p < 0.05,
        ).length;
      const name = excluded ? 'five of six cells' : 'six cells';
      const reported = (what: string, count: number, gate: Gate | null) =>
        share(`${name}, ${what}`, place, count, experiments, gate);
      return [
        reported(
          'no effect of three levels, another factor has one: called one',
          called([0], { network: true }),
          level,
        ),
        reported('no effect of two levels, another factor has one: called one', called([1], { image: true }), level),
        reported(
          'no interaction, both factors have effects: called one',
          called([0, 1], { image: true, network: true }),
          level,
        ),
        reported(
          '2 % in one cell: interaction found',
          called([0, 1], { image: true, network: true, both: 0.02 }),
          null,
        ),
      ];
    }),
  );
}
