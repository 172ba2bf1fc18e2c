import { isContradicted } from '../../src/analysis/verdict.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import { compared, MARGIN_PERCENT, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { MACHINE_NAMES, MACHINES, type MachineName } from './machine.ts';
import { createRandom } from './random.ts';

const BLOCKS = 30;
const TRUTH_PERCENT = MARGIN_PERCENT;

/** The plan and the analysis on one machine: identical variants, and variants that differ by the margin. */
export function onMachine(name: MachineName, experiments: number, seed: number): Share[] {
  const random = createRandom((seed + MACHINE_NAMES.indexOf(name)) >>> 0);
  const judged = (change: number): Comparison[] =>
    Array.from({ length: experiments }, () => compared(simulatedRuns(random, MACHINES[name], BLOCKS, [change])));
  const same = judged(0);
  const apart = judged(TRUTH_PERCENT / 100);
  const count = (of: readonly Comparison[], holds: (c: Comparison) => boolean): number => of.filter(holds).length;
  const counted = (what: string, n: number, gate: Parameters<typeof share>[4] = null): Share =>
    share(what, name, n, experiments, gate);
  return [
    counted('A/A: called a change', count(same, isChange), { around: 0.05, most: 0.065 }),
    counted(
      'A/A: called equivalent',
      count(same, (c) => c.verdict === 'equivalent'),
    ),
    counted(
      'A/A: equivalent by its interval, called inconclusive by what contradicts it',
      count(same, ({ reason }) => isContradicted(reason)),
      { around: 0.035, most: 0.05 },
    ),
    counted(
      'A/A: inconclusive',
      count(same, (c) => c.verdict === 'inconclusive'),
    ),
    counted(
      '+1 %: called a change (power)',
      count(apart, isChange),
      name === 'harsh' ? { around: 0.93, least: 0.88 } : null,
    ),
    counted('+1 %, the margin: called inside it', count(apart, isWithinMargin), { around: 0.05, most: 0.065 }),
    counted('+1 %: the 95 % interval holds it', count(apart, holdsTruth), { around: 0.95, least: 0.935, most: 0.965 }),
  ];
}

/** All machines together: false alarms. */
export function pooled(shares: readonly Share[]): Share {
  const alarms = shares.filter((s) => s.what === 'A/A: called a change');
  const sum = (of: (s: Share) => number): number => alarms.reduce((total, s) => total + of(s), 0);
  const gate = { around: 0.05, most: 0.056 };
  return share(
    'A/A: called a change',
    'all',
    sum((s) => s.count),
    sum((s) => s.experiments),
    gate,
  );
}

export function isChange({ verdict }: Comparison): boolean {
  return verdict === 'increase' || verdict === 'decrease' || verdict === 'changed-within-margin';
}

export function isWithinMargin({ verdict }: Comparison): boolean {
  return verdict === 'equivalent' || verdict === 'changed-within-margin';
}

export function holdsTruth({ percent: { ci95 } }: Comparison): boolean {
  return ci95 !== null && ci95[0] <= TRUTH_PERCENT && TRUTH_PERCENT <= ci95[1];
}
