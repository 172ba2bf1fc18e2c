import { sum } from 'simple-statistics';
import { MeasureError } from '../../../errors.ts';

/** One valid run: energy of one execution at a commit. */
export interface Observation {
  /** Block; its runs share the machine's condition. */
  readonly block: string;
  /** Position in the range: 0 is the good end. */
  readonly commit: number;
  /** Natural logarithm of the joules. */
  readonly logEnergy: number;
}

export interface Posterior {
  /** Posterior probability of the step at each commit, by position; 0 for the good end. The sum is 1. */
  readonly probability: Float64Array;
  /** Size of the step in natural logarithms, if it came with the likeliest commit. */
  readonly step: number;
  /** Robust standard deviation of a run within its block. */
  readonly scatter: number;
}

/** Degrees of freedom of Student's t for the scatter of runs, which allows for occasional outliers. */
const NU = 4;
/** Convergence: maximum change of a probability in the last iteration. */
const MOVED = 1e-3;
const MAX_ROUNDS = 20;
/** Fisher information of a Student t observation about the mean, relative to a normal one of the same scale. */
const INFORMATION = (NU + 1) / (NU + 3);
/** Minimum probability of a commit for its fit to count in the weights. */
const NEGLIGIBLE = 1e-6;
const SMALLEST = 1e-300;

interface Block {
  readonly commits: readonly number[];
  readonly logs: Float64Array;
  /** Weights of the runs: low for outliers. */
  weights: Float64Array;
}

/** Least-squares fit with the step at one commit. */
interface Fit {
  readonly step: number;
  /** Weighted sum of squares of the step's column, without the blocks' means. */
  readonly zz: number;
  /** Weighted residual sum of squares. */
  readonly rss: number;
}

/**
 * Where the one step in a range of commits lies: a linear model of log energies, with an effect of each block and one step, under every commit
 * in turn. Priors are flat for the effects and the commits, and 1/σ for the scatter; so the marginal likelihood of a commit is
 * |X'X|^(-1/2) · RSS^(-ν/2), and the improper priors cancel, since all commits have the same number of parameters. Runs scatter as Student's t with
 * 4 degrees of freedom: each has a weight, found by variational iterations over all commits, and the exponent is that of the information in a t.
 * Source: Gelman et al., Bayesian Data Analysis (3rd ed.), 14.2, 13.7 and 17.2; Lange, Little and Taylor (1989). `has`: as in `CommitRange`.
 * Throws MeasureError where there are fewer runs than parameters.
 */
export function posterior(observations: readonly Observation[], has: readonly Uint8Array[]): Posterior {
  const blocks = [...Map.groupBy(observations, ({ block }) => block).values()].map(
    (runs): Block => ({
      commits: runs.map(({ commit }) => commit),
      logs: Float64Array.from(runs, ({ logEnergy }) => logEnergy),
      weights: new Float64Array(runs.length).fill(1),
    }),
  );
  const freedom = observations.length - blocks.length - 1;
  if (freedom < 1)
    throw new MeasureError(`${observations.length} runs with energy in ${blocks.length} blocks show no step.`, {
      advice: 'The meter read 0 J for the others. Give it longer runs, for example with --set batch=100.',
    });
  let before = new Float64Array(has.length);
  for (let round = 0; ; round++) {
    const means = blocks.map(centered);
    const total = sum(means.flatMap(({ y }, j) => Array.from(y, (one, i) => weightOf(blocks, j, i) * one ** 2)));
    const fits = Array.from({ length: has.length - 1 }, (_, k) => leastSquares(blocks, means, total, k + 1, has));
    const score = fits.map(({ zz, rss }) =>
      zz > SMALLEST ? -Math.log(zz) / 2 - ((INFORMATION * freedom) / 2) * Math.log(rss) : Number.NEGATIVE_INFINITY,
    );
    const most = Math.max(...score);
    const likelihood = score.map((one) => Math.exp(one - most));
    const whole = sum(likelihood);
    const probability = Float64Array.from([0, ...likelihood.map((one) => one / whole)]);
    const best = fits[score.indexOf(most)] as Fit;
    const variance = best.rss / freedom;
    const isSettled = probability.every((one, k) => Math.abs(one - (before[k] as number)) <= MOVED);
    before = probability;
    if (isSettled || round === MAX_ROUNDS) return { probability, step: best.step, scatter: Math.sqrt(variance) };
    for (const [j, block] of blocks.entries()) {
      const squares = expectedSquares(block, means[j] as Centered, { probability, fits, variance, has });
      block.weights = squares.map((one) => (NU + 1) / (NU + one / variance));
    }
  }
}

const weightOf = (blocks: readonly Block[], j: number, i: number): number => blocks[j]?.weights[i] as number;

interface Centered {
  /** Sum of the block's weights. */
  readonly whole: number;
  /** Log energies minus the block's weighted mean. */
  readonly y: Float64Array;
}

function centered({ logs, weights }: Block): Centered {
  let [whole, weighted] = [0, 0];
  for (const [i, weight] of weights.entries()) {
    whole += weight;
    weighted += weight * (logs[i] as number);
  }
  return { whole, y: logs.map((one) => one - weighted / whole) };
}

function leastSquares(
  blocks: readonly Block[],
  means: readonly Centered[],
  total: number,
  culprit: number,
  has: readonly Uint8Array[],
): Fit {
  let [zz, zy] = [0, 0];
  for (const [j, { commits, weights }] of blocks.entries()) {
    const { whole, y } = means[j] as Centered;
    let after = 0;
    for (let i = 0; i < commits.length; i++) {
      if (has[commits[i] as number]?.[culprit] !== 1) continue;
      after += weights[i] as number;
      zy += (weights[i] as number) * (y[i] as number);
    }
    zz += after * (1 - after / whole);
  }
  const step = zz > SMALLEST ? zy / zz : 0;
  return { step, zz, rss: Math.max(total - step * zy, SMALLEST) };
}

interface Believed {
  readonly probability: Float64Array;
  readonly fits: readonly Fit[];
  readonly variance: number;
  readonly has: readonly Uint8Array[];
}

/** Expected squared residual of each run, averaged over all commits, including the uncertainty of the fit. */
function expectedSquares(
  { commits, weights }: Block,
  { whole, y }: Centered,
  { probability, fits, variance, has }: Believed,
): Float64Array {
  const squares = new Float64Array(commits.length);
  for (const [k, { step, zz }] of fits.entries()) {
    const believed = probability[k + 1] as number;
    if (believed < NEGLIGIBLE) continue;
    let mean = 0;
    for (let i = 0; i < commits.length; i++) {
      if (has[commits[i] as number]?.[k + 1] === 1) mean += (weights[i] as number) / whole;
    }
    for (let i = 0; i < commits.length; i++) {
      const z = (has[commits[i] as number]?.[k + 1] ?? 0) - mean;
      const rest = (y[i] as number) - step * z;
      squares[i] = (squares[i] as number) + believed * (rest ** 2 + variance * (1 / whole + z ** 2 / zz));
    }
  }
  return squares;
}
