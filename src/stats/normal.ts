/** The standard normal distribution. */

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, exp, log, min, sqrt, trunc } = Math;

/** P(Z > z), to about 1e-15 of its value: series near the middle, continued fraction (Lentz) in the tail. */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < 2 ? 0.5 - centralPart(z) : density(z) / tailFraction(z);
}

/** P(Z ≤ z). */
export function normalCdf(z: number): number {
  return normalTail(-z);
}

/** Replaces a p that underflowed to 0 by the smallest positive double, since no result is impossible by chance. */
export function aboveZero(p: number): number {
  return p === 0 ? Number.MIN_VALUE : p;
}

/** Two-sided p of a standard normal statistic, above 0. */
export function normalTwoSided(z: number): number {
  return aboveZero(min(1, 2 * normalTail(abs(z))));
}

/** Inverse of normalCdf; ±Infinity at 0 and 1. Wichura 1988, AS 241 (PPND16). */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(A, r)) / polynomial(B, r);
  }
  const tail = q < 0 ? p : 1 - p;
  if (tail <= 0) return q < 0 ? -Infinity : Infinity;
  const r = sqrt(-log(tail));
  const z = r <= 5 ? polynomial(C, r - 1.6) / polynomial(D, r - 1.6) : polynomial(E, r - 5) / polynomial(F, r - 5);
  return q < 0 ? -z : z;
}

/** Σ coefficients[i] · x^i. */
export function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((total, coefficient) => total * x + coefficient, 0);
}

/** exp(−z²/2)/√(2π), with z split so that z² keeps all its digits. */
function density(z: number): number {
  const coarse = trunc(z * 16) / 16;
  const rest = (z - coarse) * (z + coarse);
  return (exp((-coarse * coarse) / 2) * exp(-rest / 2)) / sqrt(2 * Math.PI);
}

/** Φ(z) − ½ = φ(z) · (z + z³/3 + z⁵/(3·5) + …), all terms positive. */
function centralPart(z: number): number {
  let term = z;
  let total = z;
  for (let k = 3; term > total * 1e-17; k += 2) {
    term *= (z * z) / k;
    total += term;
  }
  return density(z) * total;
}

/** φ(z)/Q(z) = z + 1/(z + 2/(z + 3/(z + …))), by the modified Lentz method. */
function tailFraction(z: number): number {
  let f = z;
  let c = z;
  let d = 0;
  for (let k = 1; k < 1000; k++) {
    d = 1 / (z + k * d);
    c = z + k / c;
    const step = c * d;
    f *= step;
    if (abs(step - 1) < 1e-16) break;
  }
  return f;
}

const A = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987, 67265.7709270087,
  33430.57558358813, 2509.0809287301227,
];
const B = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271, 28729.085735721943,
  5226.495278852854,
];
const C = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684, 0.2417807251774506,
  0.022723844989269184, 0.0007745450142783414,
];
const D = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const E = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 0.000027115555687434876, 2.0103343992922881e-7,
];
const F = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133, 0.000018463183175100548,
  1.421511758316446e-7, 2.0442631033899397e-15,
];
