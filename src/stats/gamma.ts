// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, exp, log, log1p, sqrt } = Math;

/** The logarithm of the gamma function, and functions computed from it. */

const HALF_LOG_TWO_PI = 0.9189385332046728;

/** ln Γ(x) for x > 0: recurrence up to 15, then Stirling's series. */
export function logGamma(x: number): number {
  let shift = 1;
  let z = x;
  while (z < 15) {
    shift *= z;
    z += 1;
  }
  return (z - 0.5) * log(z) - z + HALF_LOG_TWO_PI + stirlingSeries(z) - log(shift);
}

/** Error of Stirling's formula: ln Γ(z + 1) − (z + ½) ln z + z − ½ ln 2π, for z > 0 (Loader 2000). */
export function stirlingError(z: number): number {
  let error = 0;
  let shifted = z;
  while (shifted < 15) {
    error += (shifted + 0.5) * log1p(1 / shifted) - 1;
    shifted += 1;
  }
  return error + stirlingSeries(shifted);
}

/** x ln(x/m) + m − x without cancellation near x = m, given x − m (Loader's deviance part). */
export function devianceTerm(x: number, m: number, difference: number): number {
  if (abs(difference) >= 0.1 * (x + m)) return x * log(x / m) - difference;
  const v = difference / (x + m);
  let total = difference * v;
  let power = 2 * x * v;
  for (let k = 3; k < 1000; k += 2) {
    power *= v * v;
    const next = total + power / k;
    if (next === total) break;
    total = next;
  }
  return total;
}

/** P(χ²ₖ > x): the upper regularized incomplete gamma function, by series or continued fraction. */
export function chiSquaredTail(x: number, degrees: number): number {
  if (x <= 0) return 1;
  const a = degrees / 2;
  const half = x / 2;
  const front = exp(-stirlingError(a) - devianceTerm(a, half, a - half)) / sqrt(2 * Math.PI * a);
  return half < a + 1 ? 1 - front * lowerSeries(a, half) : front * a * upperFraction(a, half);
}

function lowerSeries(a: number, x: number): number {
  let term = 1;
  let total = 1;
  for (let k = 1; k < 100_000 && term > total * 1e-17; k++) {
    term *= x / (a + k);
    total += term;
  }
  return total;
}

function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = Infinity;
  let d = 1 / b;
  let f = d;
  for (let k = 1; k < 100_000; k++) {
    const numerator = k * (a - k);
    b += 2;
    d = 1 / (b + numerator * d);
    c = b + numerator / c;
    const step = c * d;
    f *= step;
    if (abs(step - 1) < 1e-16) break;
  }
  return f;
}

function stirlingSeries(z: number): number {
  const w = 1 / (z * z);
  return (
    (1 / 12 -
      w *
        (1 / 360 -
          w *
            (1 / 1260 - w * (1 / 1680 - w * (1 / 1188 - w * (691 / 360360 - w * (1 / 156 - (w * 3617) / 122400))))))) /
    z
  );
}
