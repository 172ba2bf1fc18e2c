import { endsAt } from '../../src/analysis/analyze-interim.ts';
import type { Comparison } from '../../src/findings/comparison.ts';
import type { CommitRange } from '../../src/parts/fleet/bisect/commits.ts';
import { nextStep, type Search, suspects } from '../../src/parts/fleet/bisect/next-step.ts';
import { type Observation, posterior } from '../../src/parts/fleet/bisect/posterior.ts';
import { type InterimPlan, interimPlan } from '../../src/schedule/interims.ts';
import { createPrng, type Prng } from '../../src/stats/prng.ts';
import { bareRun } from '../analysis/bare-run.ts';
import { compared, MARGIN_PERCENT } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { disturbances, MACHINES, type Machine } from './machine.ts';
import { isChange } from './protocol.ts';
import { createRandom, type Random } from './random.ts';

// `joulediff bisect` on simulated machines, by the product's own decisions.

const SITES: Readonly<Record<string, Machine>> = {
  '1 %': { ...MACHINES.iid, white: 0.01 / Math.SQRT2 },
  realistic: MACHINES.realistic,
  harsh: MACHINES.harsh,
  noisy: MACHINES.noisy,
};
const COMMITS = 128;
const AUTO = interimPlan({ auto: { least: 10 } }, 60) as InterimPlan;
const WARMUP_RUNS = 2;
/** A run of 5 s with its pauses, on a counter. */
const RUN_S = 6.5;
export interface BisectRow {
  readonly site: string;
  readonly changePercent: number;
  readonly named: number;
  readonly wrong: number;
  readonly meanRuns: number;
  /** Nine of ten bisections need no more. */
  readonly runs90: number;
  readonly meanCheckouts: number;
  readonly shares: readonly Share[];
}

interface Ended {
  /** Null: no step was found. */
  readonly named: readonly number[] | null;
  readonly isRight: boolean;
  /** Experiments that ended at a commit which does not build. */
  readonly failed: number;
  readonly runs: number;
  readonly checkouts: number;
}

/** One range of commits on one machine. */
export class Bisection {
  readonly #prng: Prng;
  readonly #energies: readonly number[];
  readonly #culprit: number;
  readonly #step: number;
  readonly #seen: Observation[] = [];
  readonly #broken: ReadonlySet<number>;
  readonly #skipped = new Set<number>();
  #experiments = 0;
  #runs = 0;
  #checkouts = 0;

  /** `broken`: positions that do not build. */
  constructor(
    random: Random,
    machine: Machine,
    step: number,
    { broken = [], culprit }: { readonly broken?: readonly number[]; readonly culprit?: number } = {},
  ) {
    this.#prng = createPrng(random.seed());
    this.#energies = disturbances(random, machine, 6000);
    this.#culprit = culprit ?? 1 + this.#prng.index(COMMITS);
    this.#broken = new Set(broken);
    this.#step = Math.log1p(step);
  }

  end(range: CommitRange): Ended {
    const last = range.commits.length - 1;
    const shown: number[][] = [[0, last]];
    let left: Search | null = null;
    if (!isChange(this.#pair(0, last))) return this.#ended(null);
    for (;;) {
      const testable = Array.from({ length: last - 1 }, (_, i) => i + 1).filter((of) => !this.#skipped.has(of));
      const believed = posterior(this.#seen, range.has);
      const next = nextStep(believed, range, { testable, shown, left, measured: this.#experiments });
      if (next.kind === 'open') return this.#ended(null);
      if (next.kind === 'found') return this.#ended(suspects(believed, range, testable).commits);
      const commits = next.kind === 'search' ? next.commits : next.pair;
      const failed = commits.find((of) => this.#broken.has(of));
      left = null;
      if (failed !== undefined) {
        this.#skipped.add(failed);
        const others = commits.filter((of) => of !== failed);
        if (next.kind === 'search' && others.length > 0) left = { ...next, commits: others };
      } else if (next.kind === 'neighbors') {
        shown.push([...next.pair]);
        this.#pair(...next.pair);
      } else {
        this.#begin(next.commits.length + 1);
        for (let block = 1; block <= next.blocks; block++) this.#block([0, ...next.commits], block);
      }
    }
  }

  #ended(named: readonly number[] | null): Ended {
    const isRight = named?.includes(this.#culprit) ?? false;
    return { named, isRight, failed: this.#skipped.size, runs: this.#runs, checkouts: this.#checkouts };
  }

  #begin(variants: number): void {
    this.#experiments++;
    this.#checkouts += variants;
    this.#runs += WARMUP_RUNS * variants;
  }

  #block(commits: readonly number[], block: number): Observation[] {
    const runs = this.#prng.shuffle(commits).map((commit) => {
      const noise = this.#energies[this.#runs++ % this.#energies.length] as number;
      const logEnergy = Math.log(100) + (commit >= this.#culprit ? this.#step : 0) + noise;
      return { block: `${this.#experiments} ${block}`, commit, logEnergy };
    });
    this.#seen.push(...runs);
    return runs;
  }

  /** An experiment with `repetitions: auto`. */
  #pair(before: number, after: number): Comparison {
    this.#begin(2);
    const runs = [];
    for (let block = 1; ; block++) {
      for (const { commit, logEnergy } of this.#block([before, after], block)) {
        const variant = commit === before ? 'native' : 'container';
        runs.push(bareRun({ run: runs.length + 1, block, position: 1, variant, energyJ: Math.exp(logEnergy) }));
      }
      const look = AUTO.planned.indexOf(block) + 1;
      if (look === 0) continue;
      const comparison = compared(runs, { ...AUTO, through: block, stoppedBecause: null });
      const so = { judged: [comparison], open: [], marginPercent: MARGIN_PERCENT };
      if (endsAt(look, AUTO, so) !== null) return comparison;
    }
  }
}

/** A history without merges. */
export function line(length: number): CommitRange {
  const commits = Array.from({ length: length + 1 }, (_, i) => ({ sha: String(i), subject: '', committedAt: '' }));
  return { commits, has: commits.map((_, of) => Uint8Array.from(commits, (_, k) => (k > 0 && k <= of ? 1 : 0))) };
}

export function bisections(
  experiments: number,
  seed: number,
  sites = Object.keys(SITES),
  changes = [0, 1, 2, 5],
): BisectRow[] {
  const range = line(COMMITS);
  return sites.flatMap((site) =>
    changes.map((changePercent) => {
      const random = createRandom((seed + 1000 * Object.keys(SITES).indexOf(site) + 10 * changePercent) >>> 0);
      const all = Array.from({ length: experiments }, () =>
        new Bisection(random, SITES[site] as Machine, changePercent / 100).end(range),
      );
      const named = all.filter((one) => one.named !== null);
      const wrong = named.filter(({ isRight }) => changePercent === 0 || !isRight);
      const runs = all.map((one) => one.runs).sort((a, b) => a - b);
      const runs90 = runs[Math.floor(0.9 * experiments)] as number;
      const gate = { around: 0.05, most: 0.05 };
      return {
        site,
        changePercent,
        named: named.length / experiments,
        wrong: wrong.length / experiments,
        meanRuns: runs.reduce((all, n) => all + n, 0) / experiments,
        runs90,
        meanCheckouts: all.reduce((sum, { checkouts }) => sum + checkouts, 0) / experiments,
        shares: [
          share(`bisect, +${changePercent} %: a wrong commit`, site, wrong.length, experiments, gate),
          ...(site === '1 %' && changePercent > 0
            ? [
                share(`bisect, +${changePercent} %: named`, site, named.length, experiments, {
                  around: 0.95,
                  least: 0.9,
                }),
              ]
            : []),
        ],
      };
    }),
  );
}

export function bisectTable(rows: readonly BisectRow[]): string {
  const cells = (all: readonly string[]): string => `| ${all.join(' | ')} |`;
  const percent = (part: number): string => `${(100 * part).toFixed(1)} %`;
  const minutes = (runs: number): string => ((runs * RUN_S) / 60).toFixed(0);
  const head = [
    'machine',
    'step',
    'a commit named',
    'a wrong one',
    'runs (9 of 10 need)',
    'minutes (9 of 10)',
    'checkouts',
  ];
  const body = rows.map((row) => [
    row.site,
    `${row.changePercent} %`,
    percent(row.named),
    percent(row.wrong),
    `${row.meanRuns.toFixed(0)} (${row.runs90})`,
    `${minutes(row.meanRuns)} (${minutes(row.runs90)})`,
    row.meanCheckouts.toFixed(0),
  ]);
  return [cells(head), cells(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...body.map(cells)].join('\n');
}
