import type { FactorialDesign } from '../experiment/experiment.ts';
import type { Inconclusive } from '../findings/comparison.ts';
import { logRatio } from '../stats/log-ratio.ts';
import type { GoodRun } from './assemble.ts';
import { contrastWidening } from './comparison/coarse.ts';
import { completeBlocks, obstacleOf } from './effects.ts';

type Two = readonly [string, string];

/** Two factors of two levels: the variants are their four cells. The baseline has the first level of both. */
export interface TwoByTwo {
  readonly factors: readonly [
    { readonly name: string; readonly levels: Two },
    { readonly name: string; readonly levels: Two },
  ];
  /** Names of variants, by the level of the first factor, then of the second. */
  readonly cells: readonly [Two, Two];
}

/** The four cells of a design; null: it has more factors or levels, or lacks a cell. */
export function twoByTwo({ factors, cells }: FactorialDesign): TwoByTwo | null {
  const [first, second, ...others] = factors;
  if (first?.levels.length !== 2 || second?.levels.length !== 2 || others.length > 0 || cells.length !== 4) return null;
  const at = (a: number, b: number): string =>
    cells.find(({ levels }) => levels[0] === first.levels[a] && levels[1] === second.levels[b])?.variant ?? '';
  const two = ({ name, levels: [a = '', b = ''] }: FactorialDesign['factors'][number]) => ({
    name,
    levels: [a, b] as const,
  });
  return {
    factors: [two(first), two(second)],
    cells: [
      [at(0, 0), at(0, 1)],
      [at(1, 0), at(1, 1)],
    ],
  };
}

/** Data for the contrasts. Logarithms are natural. */
export interface Cells {
  /** Complete blocks, with one run of each of the four cells. */
  readonly blocks: number;
  /** Why the contrasts are undefined; null: they are defined. */
  readonly obstacle: Inconclusive | null;
  /** Main differences of each block, in order; empty if an energy is not above zero. */
  readonly main: readonly [readonly number[], readonly number[]];
  /** (L₁₁ − L₁₀) − (L₀₁ − L₀₀) */
  readonly interaction: readonly number[];
  /** The second factor's difference at each level of the first. */
  readonly steps: readonly [readonly number[], readonly number[]];
  /** Widening of the intervals by the meter's steps, as logarithms: of `main`, `interaction` and `steps`, in this order. */
  readonly rooms: readonly [number, number, number, number, number];
}

/** Energies of one block: E₀₀, E₀₁, E₁₀, E₁₁. */
type Four = readonly [number, number, number, number];

/** Blocks with exactly one valid run of each cell; the runs are of one channel. */
export function takeCells(runs: readonly GoodRun[], { cells }: Pick<TwoByTwo, 'cells'>): Cells {
  const names = cells.flat();
  const blocks = completeBlocks(runs, names);
  const obstacle = obstacleOf(runs, names, blocks);
  const fours = blocks.map((block) => names.map((name) => block.get(name)) as unknown as Four);
  const positive = obstacle === 'not-positive' ? [] : fours;
  const logs = positive.map(contrasts);
  const room = (...weights: number[]): number => contrastWidening(positive, weights);
  return {
    blocks: fours.length,
    obstacle,
    main: [logs.map(({ first }) => first), logs.map(({ second }) => second)],
    interaction: logs.map(({ steps }) => steps[1] - steps[0]),
    steps: [logs.map(({ steps }) => steps[0]), logs.map(({ steps }) => steps[1])],
    rooms: [room(-1, -1, 1, 1) / 2, room(-1, 1, -1, 1) / 2, room(1, -1, -1, 1), room(-1, 1, 0, 0), room(0, 0, -1, 1)],
  };
}

function contrasts([e00, e01, e10, e11]: Four): { first: number; second: number; steps: [number, number] } {
  const steps: [number, number] = [logRatio(e00, e01), logRatio(e10, e11)];
  return { first: (logRatio(e00, e10) + logRatio(e01, e11)) / 2, second: (steps[0] + steps[1]) / 2, steps };
}
