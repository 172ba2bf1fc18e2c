import { endsAt } from '../../src/analysis/analyze-interim.ts';
import { comparisons } from '../../src/analysis/assemble.ts';
import { judgeThresholds } from '../../src/analysis/thresholds.ts';
import type { Threshold } from '../../src/experiment/experiment.ts';
import type { Comparison, EndReason } from '../../src/findings/comparison.ts';
import { type InterimPlan, interimPlan } from '../../src/schedule/interims.ts';
import { compared, MARGIN_PERCENT, simulatedRuns } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { MACHINES, type Machine } from './machine.ts';
import { isChange, isWithinMargin } from './protocol.ts';
import { createRandom, type Random } from './random.ts';

// `repetitions: auto` beside 30 blocks, by the product's own plan, analysis and rule of ending.

/** Blocks that differ by 1 % (standard deviation of their log ratios), and three machines that drift. */
const SITES: Readonly<Record<string, Machine>> = {
  '1 %': { ...MACHINES.iid, white: 0.01 / Math.SQRT2 },
  realistic: MACHINES.realistic,
  harsh: MACHINES.harsh,
  noisy: MACHINES.noisy,
};
const CHANGES = [0, 0.5, 1, 2, 5, 20];
const FIXED_BLOCKS = 30;
const AUTO = interimPlan({ auto: { least: 10 } }, 60) as InterimPlan;

/** Seconds of a block of two runs of 5 s (on the plug of 15 s, three executions: a window needs ten readings) with their pauses, as on emulated meters. */
interface Pace {
  readonly meter: string;
  readonly blockS: number;
}

export const PACES: readonly Pace[] = [
  { meter: 'counter', blockS: 16 },
  { meter: 'plug', blockS: 53 },
];

export interface SequentialRow {
  readonly site: string;
  readonly changePercent: number;
  readonly fixed: { readonly settled: number; readonly wrong: number; readonly covered: number };
  readonly auto: {
    readonly meanBlocks: number;
    readonly blocks90: number;
    readonly settled: number;
    readonly wrong: number;
    readonly covered: number;
    readonly because: Readonly<Partial<Record<EndReason, number>>>;
  };
  readonly shares: readonly Share[];
}

interface Ended {
  readonly comparison: Comparison;
  readonly blocks: number;
  readonly because: EndReason;
}

/** One experiment: fixed at 30 blocks, and ended as the plan has it, on the same runs. */
function experiment(random: Random, machine: Machine, change: number): { fixed: Comparison; auto: Ended } {
  const { planned } = AUTO;
  const runs = simulatedRuns(random, machine, planned.at(-1) as number, [change]);
  const upTo = (blocks: number) => runs.filter(({ block }) => block !== null && block <= blocks);
  const fixed = compared(upTo(FIXED_BLOCKS));
  for (const [i, blocks] of planned.entries()) {
    const comparison = compared(upTo(blocks), { ...AUTO, through: blocks, stoppedBecause: null });
    const because = endsAt(i + 1, AUTO, { judged: [comparison], open: [], marginPercent: MARGIN_PERCENT });
    if (because !== null) return { fixed, auto: { comparison, blocks, because } };
  }
  throw new Error('the last interim analysis ends it');
}

/** What must not be said of such a change: a change where there is none, or that it lies within the margin where it does not. */
function isWrong(changePercent: number): (comparison: Comparison) => boolean {
  return changePercent === 0
    ? isChange
    : (one) => one.verdict === 'decrease' || (changePercent >= MARGIN_PERCENT && isWithinMargin(one));
}

const holds = ({ percent: { ci95 } }: Comparison, changePercent: number): boolean =>
  ci95 !== null && ci95[0] <= changePercent && changePercent <= ci95[1];

export function sequential(
  experiments: number,
  seed: number,
  sites = Object.keys(SITES),
  changes = CHANGES,
): SequentialRow[] {
  return sites.flatMap((site) =>
    changes.map((changePercent) => {
      const place = Object.keys(SITES).indexOf(site);
      const random = createRandom((seed + 1000 * place + 10 * changePercent) >>> 0);
      const all = Array.from({ length: experiments }, () =>
        experiment(random, SITES[site] as Machine, changePercent / 100),
      );
      const of = (list: readonly Comparison[]) => {
        const part = (is: (comparison: Comparison) => boolean) => list.filter(is).length / experiments;
        return {
          settled: part(({ verdict }) => verdict !== 'inconclusive'),
          wrong: part(isWrong(changePercent)),
          covered: part((one) => holds(one, changePercent)),
        };
      };
      const blocks = all.map(({ auto }) => auto.blocks).sort((a, b) => a - b);
      const auto = of(all.map(({ auto: { comparison } }) => comparison));
      const what = `auto, +${changePercent} %`;
      const counted = (name: string, part: number, gate: Parameters<typeof share>[4]) =>
        share(`${what}: ${name}`, site, Math.round(part * experiments), experiments, gate);
      return {
        site,
        changePercent,
        fixed: of(all.map(({ fixed }) => fixed)),
        auto: {
          ...auto,
          meanBlocks: blocks.reduce((sum, n) => sum + n, 0) / experiments,
          blocks90: blocks[Math.floor(0.9 * experiments)] as number,
          because: countReasons(all.map((one) => one.auto.because)),
        },
        shares: [
          counted('wrong', auto.wrong, { around: 0.05, most: 0.05 }),
          counted('the interval holds it', auto.covered, { around: 0.95, least: 0.95 }),
          ...(site === '1 %' && [0, 1, 2, 5, 20].includes(changePercent)
            ? [counted('settled', auto.settled, { around: 0.95, least: 0.9 })]
            : []),
        ],
      };
    }),
  );
}

/** Three variants beside the baseline, which are judged together: the experiment ends when all that matter are settled. */
const JOINT: readonly { readonly percents: readonly number[]; readonly limit?: number }[] = [
  { percents: [0, 0, 0] },
  { percents: [0, 1, 5] },
  // At the limit itself: nothing is beyond it, and no number of blocks settles it.
  { percents: [2, 2, 2], limit: 2 },
];

export interface JointRow {
  readonly site: string;
  readonly what: string;
  readonly meanBlocks: number;
  readonly blocks90: number;
  /** Shares of the experiments: every comparison has a verdict; any of them is wrong, or a threshold crossed that is not. */
  readonly settled: number;
  readonly wrong: number;
  /** Share of all intervals that hold the true change. */
  readonly covered: number;
  readonly shares: readonly Share[];
}

function jointExperiment(random: Random, machine: Machine, { percents, limit }: (typeof JOINT)[number]) {
  const { planned } = AUTO;
  const more = percents.map((percent) => percent / 100);
  const runs = simulatedRuns(random, machine, planned.at(-1) as number, more);
  // In the order of their changes.
  const variants = ['native', ...percents.map((_, i) => `container${i === 0 ? '' : i + 1}`)];
  const common = { metric: 'percent', direction: 'above', variant: null, channel: null } as const;
  const thresholds: Threshold[] =
    limit === undefined ? [] : [{ ...common, text: `${limit}%`, limit, evenIfInconclusive: false }];
  for (const [i, blocks] of planned.entries()) {
    const through = runs.filter(({ block }) => block !== null && block <= blocks);
    const looks = { ...AUTO, through: blocks, stoppedBecause: null };
    const question = { baseline: 'native', variants, channels: ['wall'], marginPercent: MARGIN_PERCENT, seed: 1 };
    const judged = comparisons(through, { ...question, looks, verdictOnly: true });
    const found = {
      comparisons: judged,
      meter: { channels: ['wall'] },
      experiment: { baseline: 'native', complete: true },
    };
    const limits = judgeThresholds(found, through, thresholds, looks);
    const open = limits.filter(({ state }) => state === 'open');
    if (endsAt(i + 1, AUTO, { judged, open, marginPercent: MARGIN_PERCENT }) !== null) {
      return { judged, blocks, isCrossed: limits.some(({ state }) => state === 'crossed') };
    }
  }
  throw new Error('the last interim analysis ends it');
}

/** How often anything is wrong where several comparisons, and a threshold, decide together when to end. */
export function jointly(experiments: number, seed: number, sites = ['realistic'], rows = JOINT): JointRow[] {
  return sites.flatMap((site) =>
    rows.map((row): JointRow => {
      const { percents, limit } = row;
      const random = createRandom((seed + 1000 * Object.keys(SITES).indexOf(site) + JOINT.indexOf(row)) >>> 0);
      const all = Array.from({ length: experiments }, () => jointExperiment(random, SITES[site] as Machine, row));
      const count = (is: (one: (typeof all)[number]) => boolean) => all.filter(is).length;
      const settled = count(({ judged }) => judged.every(({ verdict }) => verdict !== 'inconclusive'));
      const wrong = count(
        ({ judged, isCrossed }) => isCrossed || judged.some((one, i) => isWrong(percents[i] as number)(one)),
      );
      const covered = all.flatMap(({ judged }) => judged.filter((one, i) => holds(one, percents[i] as number))).length;
      const blocks = all.map((one) => one.blocks).sort((a, b) => a - b);
      const what = `${percents.map((percent) => `${percent} %`).join(', ')}${limit === undefined ? '' : `; fail-on: ${limit} %`}`;
      return {
        site,
        what,
        meanBlocks: blocks.reduce((sum, n) => sum + n, 0) / experiments,
        blocks90: blocks[Math.floor(0.9 * experiments)] as number,
        settled: settled / experiments,
        wrong: wrong / experiments,
        covered: covered / experiments / percents.length,
        shares: [
          share(`auto, ${what}: any wrong`, site, wrong, experiments, { around: 0.05, most: 0.05 }),
          share(`auto, ${what}: the intervals hold`, site, covered, experiments * percents.length, {
            around: 0.95,
            least: 0.95,
          }),
        ],
      };
    }),
  );
}

export function jointTable(rows: readonly JointRow[]): string {
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  return [
    '| blocks scatter | true changes | blocks, mean (9 of 10 need) | all settled | any wrong | intervals hold it |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows.map(
      ({ site, what, meanBlocks, blocks90, settled, wrong, covered }) =>
        `| ${site} | ${what} | ${meanBlocks.toFixed(1)} (${blocks90}) | ${percent(settled)} | ${percent(wrong)} | ${percent(covered)} |`,
    ),
  ].join('\n');
}

function countReasons(reasons: readonly EndReason[]): Partial<Record<EndReason, number>> {
  const counts: Partial<Record<EndReason, number>> = {};
  for (const because of reasons) counts[because] = (counts[because] ?? 0) + 1;
  return counts;
}

/** The table of the method reference. */
export function sequentialTable(rows: readonly SequentialRow[], paces: readonly Pace[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const minutes = (blocks: number): string =>
    paces.map(({ blockS }) => (((blocks + 2) * blockS) / 60).toFixed(1)).join(' / ');
  const head = [
    'blocks scatter',
    'true change',
    'blocks: fixed',
    'auto, mean (9 of 10 need)',
    `minutes: fixed (${paces.map(({ meter }) => meter).join(' / ')})`,
    'auto',
    'settled: fixed',
    'auto',
    'wrong: fixed',
    'auto',
    'interval holds it: fixed',
    'auto',
  ];
  const body = rows.map(({ site, changePercent, fixed, auto }) => [
    site,
    `${changePercent} %`,
    String(FIXED_BLOCKS),
    `${auto.meanBlocks.toFixed(1)} (${auto.blocks90})`,
    minutes(FIXED_BLOCKS),
    minutes(auto.meanBlocks),
    percent(fixed.settled),
    percent(auto.settled),
    percent(fixed.wrong),
    percent(auto.wrong),
    percent(fixed.covered),
    percent(auto.covered),
  ]);
  return [line(head), line(head.map((_, i) => (i < 2 ? '---' : '---:'))), ...body.map(line)].join('\n');
}
