import { sum } from 'simple-statistics';
import type { Interval } from '../findings/numbers.ts';
import { chiSquaredTail } from './gamma.ts';
import { findRoot } from './root.ts';
import { tQuantile } from './student.ts';

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { log, max, sqrt } = Math;

/** One study's estimate of the effect, with its standard error (above 0). */
export interface Study {
  readonly effect: number;
  readonly se: number;
}

/** Random-effects estimate from several studies whose true effects differ. Units are those of the studies. */
export interface Pooled {
  readonly effect: number;
  readonly se: number;
  readonly ci95: Interval;
  /** Prediction interval for the true effect of a new study. */
  readonly prediction95: Interval;
  /** Standard deviation of the true effects. */
  readonly tau: number;
  readonly tauCi95: Interval;
  /** I²: share of the variation between studies that their errors do not explain, 0 to 1. */
  readonly i2: number;
  readonly i2Ci95: Interval;
  /** Cochran's Q and its p: whether the studies differ at all. */
  readonly q: number;
  readonly p: number;
  /** One for each study; they add up to 1. */
  readonly weights: readonly number[];
}

/**
 * Random effects: τ² by restricted maximum likelihood, the interval by Hartung and Knapp with the floor of their standard error at the usual
 * one (Röver et al. 2015), without which studies that happen to agree give an absurdly narrow one; the prediction interval with k − 1 degrees of
 * freedom, as metafor has it (Higgins et al. 2009 have k − 2); intervals of τ² and I² by Q profile (Viechtbauer 2007). As metafor's `rma(method = "REML", test = "adhoc")`,
 * whose default threshold stops early where variances are small; here roots are bracketed. `studies`: at least 2.
 */
export function pool(studies: readonly Study[]): Pooled {
  const degrees = studies.length - 1;
  const tau2 = restrictedTau2(studies);
  const { weights, total, effect } = weigh(studies, tau2);
  const usual = sqrt(1 / total);
  const se = max(usual, sqrt(generalizedQ(studies, tau2) / degrees / total));
  const t = tQuantile(0.975, degrees);
  const around = (half: number): Interval => [effect - half, effect + half];
  const typical = typicalVariance(studies);
  const shareOf = (variance: number): number => variance / (variance + typical);
  const [low, high] = profile(studies);
  const q = generalizedQ(studies, 0);
  return {
    effect,
    se,
    ci95: around(t * se),
    prediction95: around(t * sqrt(tau2 + se * se)),
    tau: sqrt(tau2),
    tauCi95: [sqrt(low), sqrt(high)],
    i2: shareOf(tau2),
    i2Ci95: [shareOf(low), shareOf(high)],
    q,
    p: chiSquaredTail(q, degrees),
    weights: weights.map((weight) => weight / total),
  };
}

interface Weighed {
  readonly weights: readonly number[];
  readonly total: number;
  readonly effect: number;
}

function weigh(studies: readonly Study[], tau2: number): Weighed {
  const weights = studies.map(({ se }) => 1 / (se * se + tau2));
  const total = sum(weights);
  return { weights, total, effect: sum(studies.map((study, i) => weights[i]! * study.effect)) / total };
}

/** Σ w (y − μ)²: Cochran's Q at τ² = 0, falling as τ² grows. */
function generalizedQ(studies: readonly Study[], tau2: number): number {
  const { weights, effect } = weigh(studies, tau2);
  return sum(studies.map((study, i) => weights[i]! * (study.effect - effect) ** 2));
}

/** Derivative of twice the restricted log-likelihood by τ². */
function score(studies: readonly Study[], tau2: number): number {
  const { weights, total, effect } = weigh(studies, tau2);
  const squares = weights.map((weight) => weight * weight);
  return sum(studies.map((study, i) => squares[i]! * (study.effect - effect) ** 2)) - total + sum(squares) / total;
}

function restrictedLikelihood(studies: readonly Study[], tau2: number): number {
  const { weights, total } = weigh(studies, tau2);
  return sum(weights.map(log)) - log(total) - generalizedQ(studies, tau2);
}

/** Upper bound of τ² for root finding: above it every weight is nearly 1/τ², so no estimating equation has a root. */
function most(studies: readonly Study[]): number {
  const effects = studies.map(({ effect }) => effect);
  const range = Math.max(...effects) - Math.min(...effects);
  return Math.max(...studies.map(({ se }) => se * se), 2 * studies.length * range * range);
}

/** Grid points, a factor of 2 apart, searched for maxima of the likelihood, which may have several. */
const STEPS = 60;

function restrictedTau2(studies: readonly Study[]): number {
  const highest = most(studies);
  const grid = [0, ...Array.from({ length: STEPS }, (_, i) => highest * 2 ** (i + 1 - STEPS))];
  const slopes = grid.map((tau2) => score(studies, tau2));
  const maxima = grid.flatMap((tau2, i) => {
    const next = slopes[i + 1];
    if (next === undefined || !(slopes[i]! > 0 && next <= 0)) return [];
    return [findRoot((x) => score(studies, x), tau2, grid[i + 1]!)];
  });
  const candidates = slopes[0]! <= 0 ? [0, ...maxima] : maxima;
  const likelihoods = candidates.map((tau2) => restrictedLikelihood(studies, tau2));
  return candidates[likelihoods.indexOf(Math.max(...likelihoods))] ?? 0;
}

/** Interval of τ² from the central 95 % of the distribution of Q (Q profile). */
function profile(studies: readonly Study[]): Interval {
  const degrees = studies.length - 1;
  const at = (p: number): number => {
    const excess = (tau2: number): number => p - chiSquaredTail(generalizedQ(studies, tau2), degrees);
    if (excess(0) <= 0) return 0;
    let high = most(studies);
    while (excess(high) > 0) high *= 4;
    return findRoot(excess, 0, high);
  };
  return [at(0.025), at(0.975)];
}

/** Error variance of a typical study (Higgins and Thompson 2002). */
function typicalVariance(studies: readonly Study[]): number {
  const { weights, total } = weigh(studies, 0);
  return ((studies.length - 1) * total) / (total * total - sum(weights.map((weight) => weight * weight)));
}
