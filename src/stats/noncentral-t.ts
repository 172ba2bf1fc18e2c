import { normalCdf, normalTail } from './normal.ts';
import { gaussLegendre, integrate, type Rule } from './quadrature.ts';
import { findRoot } from './root.ts';

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, exp, log, max, min, sqrt } = Math;

/** Beyond this many standard deviations Φ is 0 or 1 to the last bit. */
const REACH = 8.6;
let cachedRule: Rule | null = null;

/**
 * P(T ≤ t) of the noncentral t, for df ≥ 1: the mean of Φ(t·s − ncp) over s = √(χ²_df/df), by Gauss–Legendre quadrature. The range is cut where
 * Φ saturates, so that a steep step (large t) is resolved as well as a gentle one.
 */
export function noncentralTCdf(t: number, df: number, ncp: number): number {
  if (t < 0) return 1 - noncentralTCdf(-t, df, -ncp);
  if (t === 0) return normalTail(ncp);
  cachedRule ??= gaussLegendre(120);
  const rule = cachedRule;
  const scale = scaleDensity(df);
  const [low, high] = scale.range;
  const stepFrom = clamp((ncp - REACH) / t, low, high);
  const stepTo = clamp((ncp + REACH) / t, low, high);
  const below = integrate(rule, low, stepFrom, scale.density);
  const across = integrate(rule, stepFrom, stepTo, scale.density);
  const above = integrate(rule, stepTo, high, scale.density);
  const weighted = integrate(rule, stepFrom, stepTo, (s) => scale.density(s) * normalCdf(t * s - ncp));
  return (weighted + above) / (below + across + above);
}

/** The ncp under which P(T ≤ t) = p: the end of an interval for a noncentrality. Null when it can't be bracketed. */
export function noncentrality(t: number, df: number, p: number): number | null {
  const excess = (ncp: number): number => noncentralTCdf(t, df, ncp) - p;
  const spread = 1 + abs(t) / sqrt(2 * df);
  for (let reach = 4; reach <= 256; reach *= 2) {
    const from = t - reach * spread;
    const to = t + reach * spread;
    if (excess(from) > 0 && excess(to) < 0) return findRoot(excess, from, to);
  }
  return null;
}

/** The density of √(χ²_df/df), df ≥ 1, up to a constant factor, and the range outside which it is below 1e-19 of its peak. */
function scaleDensity(df: number): { density: (s: number) => number; range: readonly [number, number] } {
  const mode = sqrt(max(df - 1, 0) / df);
  const logDensity = (s: number): number =>
    df > 1 ? (df - 1) * log(s / mode) - (df / 2) * (s - mode) * (s + mode) : (df - 1) * log(s) - (df / 2) * s * s;
  const width = 1 / sqrt(2 * df);
  let high = mode + width;
  while (logDensity(high) > -44) high += width;
  let low = mode;
  while (low > 0 && logDensity(low) > -44) low -= width;
  return { density: (s) => exp(logDensity(s)), range: [max(low, 0), high] };
}

function clamp(value: number, low: number, high: number): number {
  return min(max(value, low), high);
}
