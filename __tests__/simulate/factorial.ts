import { isGood } from '../../src/analysis/assemble.ts';
import { type Measured, measureContrast } from '../../src/analysis/factorial.ts';
import { takeCells } from '../../src/analysis/factorial-cells.ts';
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
