import { incompleteBeta } from './beta.ts';
import { logGamma } from './gamma.ts';
import { aboveZero, normalQuantile } from './normal.ts';

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, asinh, cosh, exp, log, log1p, min, sinh } = Math;

/** P(T > t) of Student's t; `df` > 0 may be fractional. */
export function tTail(t: number, df: number): number {
  if (t < 0) return 1 - tTail(-t, df);
  const square = t * t;
  if (square === Infinity) return 0;
  return 0.5 * incompleteBeta(df / 2, 0.5, df / (df + square), square / (df + square));
}

/** Two-sided p of a t statistic, above 0. */
export function tTwoSided(t: number, df: number): number {
  return aboveZero(min(1, 2 * tTail(abs(t), df)));
}

/** The t with P(T ≤ t) = p, for 0 < p < 1: Newton's method on the logarithm of the tail, kept inside a bracket. */
export function tQuantile(p: number, df: number): number {
  if (p === 0.5) return 0;
  const tail = min(p, 1 - p);
  const t = upperQuantile(tail, df);
  return p < 0.5 ? -t : t;
}

/** Works on u = asinh t, in which the tail's logarithm is nearly straight both near 0 and far out. */
function upperQuantile(tail: number, df: number): number {
  const logTail = log(tail);
  let low = 0;
  let high = Infinity;
  let u = asinh(-normalQuantile(tail));
  for (let i = 0; i < 200; i++) {
    const t = sinh(u);
    const q = tTail(t, df);
    const excess = log(q) - logTail;
    if (excess === 0) return t;
    if (excess > 0) low = u;
    else high = u;
    const slope = (-density(t, df) * cosh(u)) / q;
    let next = u - excess / slope;
    if (!(next > low && next < high)) next = high === Infinity ? 2 * u + 1 : (low + high) / 2;
    if (abs(next - u) <= 2e-16 * u) return sinh(next);
    u = next;
  }
  return sinh(u);
}

function density(t: number, df: number): number {
  const scale = logGamma((df + 1) / 2) - logGamma(df / 2) - 0.5 * log(df * Math.PI);
  return exp(scale - ((df + 1) / 2) * log1p((t * t) / df));
}
