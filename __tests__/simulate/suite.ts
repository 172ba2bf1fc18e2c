import { type Arms, compareAll } from '../../src/analysis/compare.ts';
import { MARGIN_PERCENT } from './experiment.ts';
import { type Share, share } from './gates.ts';
import { createRandom, type Random } from './random.ts';

// Suites of benchmarks, some of them changed, judged by the product's own comparison of a whole suite.

const BLOCKS = 30;
/** Standard deviation of a block's log ratio, and of what the machine does to a whole block. */
const [SCATTER, DRIFT] = [0.01, 0.01];
const CHANGE_PERCENT = 2;
const RATE = 0.05;

export interface SuiteRow {
  readonly benchmarks: number;
  readonly changed: number;
  /** Mean share of what was found that is no change: with nothing changed, the share of suites in which anything was found. */
  readonly falseDiscoveries: number;
  /** Share of the changed benchmarks that were found; null: none had changed. */
  readonly found: number | null;
  /** Mean share of the intervals of what was found that don't hold the true change. */
  readonly missed: number;
  readonly shares: readonly Share[];
}

/** Every second change is an increase. */
const changeOf = (i: number, changed: number): number =>
  i < changed ? (i % 2 === 0 ? 1 : -1) * Math.log1p(CHANGE_PERCENT / 100) : 0;

function family(random: Random, benchmarks: number, changed: number): Arms[] {
  const machine = Array.from({ length: BLOCKS }, () => DRIFT * random.normal());
  return Array.from({ length: benchmarks }, (_, i) => {
    const arm = (more: number) =>
      machine.map((drift, b) => ({
        run: 1 + b * 2 * benchmarks + i,
        block: b + 1,
        energyJ: 100 * Math.exp(drift + more + (SCATTER / Math.SQRT2) * random.normal()),
        durationS: 1,
      }));
    const options = { channel: 'wall', marginPercent: MARGIN_PERCENT, seed: 1, verdictOnly: true };
    const benchmark = `b${i}`;
    return {
      benchmark,
      baseline: arm(0),
      variant: arm(changeOf(i, changed)),
      options: { ...options, baseline: `${benchmark}/base`, variant: `${benchmark}/head` },
    };
  });
}

export function suites(experiments: number, seed: number, sizes = [30, 200], changes = [0, 3, 30]): SuiteRow[] {
  return sizes.flatMap((benchmarks) =>
    changes.map((changed): SuiteRow => {
      const random = createRandom((seed + 1000 * benchmarks + changed) >>> 0);
      let [wrong, power, missed, any] = [0, 0, 0, 0];
      for (let n = 0; n < experiments; n++) {
        const judged = compareAll(family(random, benchmarks, changed));
        const found = judged.flatMap(({ p_benjamini_hochberg: q, percent: { ci95 } }, i) => {
          const truth = 100 * Math.expm1(changeOf(i, changed));
          const holds = ci95 !== null && ci95[0] <= truth && truth <= ci95[1];
          return q !== null && q < RATE ? [{ isFalse: truth === 0, holds }] : [];
        });
        const falseOnes = found.filter(({ isFalse }) => isFalse).length;
        any += falseOnes > 0 ? 1 : 0;
        wrong += falseOnes / Math.max(1, found.length);
        missed += found.filter(({ holds }) => !holds).length / Math.max(1, found.length);
        power += changed === 0 ? 0 : (found.length - falseOnes) / changed;
      }
      const of = `${benchmarks} benchmarks, ${changed} changed`;
      const counted = (what: string, sum: number, gate: Parameters<typeof share>[4]): Share =>
        share(what, of, Math.round(sum), experiments, gate);
      return {
        benchmarks,
        changed,
        falseDiscoveries: wrong / experiments,
        found: changed === 0 ? null : power / experiments,
        missed: missed / experiments,
        shares: [
          counted('false among the found', changed === 0 ? any : wrong, { around: RATE, most: RATE }),
          counted('intervals that miss', missed, { around: RATE, most: RATE }),
          ...(changed === 0 ? [] : [counted('found', power, { around: 0.9, least: 0.9 })]),
        ],
      };
    }),
  );
}

/** The table of the page of error rates. */
export function suiteTable(rows: readonly SuiteRow[]): string {
  const percent = (part: number | null): string => (part === null ? '' : `${(100 * part).toFixed(1)} %`);
  return [
    '| benchmarks | changed by 2 % | false among the found | found | intervals that miss |',
    '|--:|--:|--:|--:|--:|',
    ...rows.map(
      ({ benchmarks, changed, falseDiscoveries, found, missed }) =>
        `| ${benchmarks} | ${changed} | ${percent(falseDiscoveries)} | ${percent(found)} | ${percent(missed)} |`,
    ),
  ].join('\n');
}
