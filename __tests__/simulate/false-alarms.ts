import { endsAt } from '../../src/analysis/analyze-interim.ts';
import { comparisons } from '../../src/analysis/assemble.ts';
import { runChecks } from '../../src/analysis/checks/run-checks.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import type { InterimPlan } from '../../src/schedule/interims.ts';
import { compared, MARGIN_PERCENT, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { MACHINES } from './machine.ts';
import { holdsTruth, isChange, isWithinMargin } from './protocol.ts';
import { createRandom } from './random.ts';

const FALSE_ALARM = { around: 0.05, most: 0.065 };

/** Five variants that are all the same as the baseline, judged together. */
export function severalComparisons(experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  const [channel, baseline] = ['wall', 'native'];
  let any = 0;
  let anyAlone = 0;
  for (let i = 0; i < experiments; i++) {
    const runs = simulatedRuns(random, MACHINES.realistic, 30, [0, 0, 0, 0, 0]);
    const variants = [...new Set(runs.map((run) => run.variant))];
    const question = { baseline, variants: [baseline, ...variants.filter((v) => v !== baseline)], channels: [channel] };
    const judged = comparisons(runs, { ...question, marginPercent: MARGIN_PERCENT, seed: 1, verdictOnly: true });
    if (judged.some(isChange)) any++;
    if (judged.some((c) => (c.tests.wilcoxon_signed_rank?.p ?? 1) < 0.05)) anyAlone++;
  }
  return [
    share('five identical variants: any called a change (Holm)', 'realistic', any, experiments, FALSE_ALARM),
    share('… without Holm it would have been', 'realistic', anyAlone, experiments),
  ];
}

const LOOKS = [20, 30, 40];
const PLAN: InterimPlan = { planned: LOOKS, spending: 'obrien-fleming', endsWhen: 'changed' };

/** Looks at 20, 30 and 40 blocks, decided as between two runs of an experiment. */
export function severalLooks(experiments: number, seed: number): { shares: Share[]; meanBlocks: number } {
  const random = createRandom(seed);
  const ended = (change: number) => {
    const runs = simulatedRuns(random, MACHINES.realistic, LOOKS.at(-1) as number, [change]);
    for (const [i, blocks] of LOOKS.entries()) {
      const inTime = runs.filter(({ block }) => block !== null && block <= blocks);
      const comparison = compared(inTime, { ...PLAN, through: blocks, stoppedBecause: null });
      const state = { judged: [comparison], open: [], marginPercent: MARGIN_PERCENT };
      if (endsAt(i + 1, PLAN, state) !== null) return { blocks, comparison };
    }
    throw new Error('the last look ends it');
  };
  const same = Array.from({ length: experiments }, () => ended(0));
  const apart = Array.from({ length: experiments }, () => ended(MARGIN_PERCENT / 100));
  const count = (of: typeof same, holds: (c: Comparison) => boolean) =>
    of.filter(({ comparison }) => holds(comparison)).length;
  const shares = [
    share(
      'interim analyses after 20, 30, 40, A/A: called a change',
      'realistic',
      count(same, isChange),
      experiments,
      FALSE_ALARM,
    ),
    share('interim analyses, +1 %: called a change (power)', 'realistic', count(apart, isChange), experiments),
    share(
      'interim analyses, +1 %, the margin: called inside it',
      'realistic',
      count(apart, isWithinMargin),
      experiments,
      FALSE_ALARM,
    ),
    share(
      'interim analyses, +1 %: the repeated interval holds it',
      'realistic',
      count(apart, holdsTruth),
      experiments,
      {
        around: 0.95,
        least: 0.935,
      },
    ),
  ];
  return { shares, meanBlocks: apart.reduce((sum, { blocks }) => sum + blocks, 0) / experiments };
}

/** How often each check speaks where nothing is wrong. */
export function checksInPeace(experiments: number, seed: number): Share[] {
  const random = createRandom(seed);
  const alarms = new Map<string, number>();
  for (let i = 0; i < experiments; i++) {
    const runs = simulatedRuns(random, MACHINES.iid, 30, [0]).map((run) => ({
      ...run,
      idlePowerW: 50 + 2 * random.normal(),
      // So restless that no difference is too small to matter.
      machine: {
        governor: random.uniform() < 0.5 ? 'performance' : 'powersave',
        temperatureC: 60 + 10 * random.normal(),
        load: random.uniform() < 0.5 ? 0 : 3 * random.uniform(),
      },
    }));
    for (const { name, reason } of runChecks(runs, { channel: 'wall', baseline: 'native' })) {
      // It is no test of the variants, and this machine is made restless.
      if (name === 'competing load') continue;
      alarms.set(name, (alarms.get(name) ?? 0) + (reason === 'none' || reason === 'normal' ? 0 : 1));
    }
  }
  return [...alarms].map(([name, count]) => share(`check “${name}” speaks`, 'iid', count, experiments, FALSE_ALARM));
}
