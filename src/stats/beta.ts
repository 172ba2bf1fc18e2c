import { devianceTerm, stirlingError } from './gamma.ts';

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, exp, sqrt } = Math;

/**
 * The regularized incomplete beta function I_x(a, b). `y` is 1 − x, given apart so that neither end loses digits.
 * Continued fraction of DLMF 8.17.22 (modified Lentz) with Loader's saddle-point prefactor.
 */
export function incompleteBeta(a: number, b: number, x: number, y: number): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  return x <= (a + 1) / (a + b + 2) ? front(a, b, x, y) * fraction(a, b, x) : 1 - front(b, a, y, x) * fraction(b, a, y);
}

/** x^a y^b / (a B(a, b)). */
function front(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const difference = a * y - b * x;
  const exponent =
    stirlingError(n) -
    stirlingError(a) -
    stirlingError(b) -
    devianceTerm(a, n * x, difference) -
    devianceTerm(b, n * y, -difference);
  return exp(exponent) * sqrt(n / (2 * Math.PI * a * b)) * (b / n);
}

function fraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let f = d;
  for (let k = 1; k < 100_000; k++) {
    const even = (k * (b - k) * x) / ((a + 2 * k - 1) * (a + 2 * k));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    f *= c * d;
    const odd = (-(a + k) * (a + b + k) * x) / ((a + 2 * k) * (a + 2 * k + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const step = c * d;
    f *= step;
    if (abs(step - 1) < 1e-16) break;
  }
  return f;
}
