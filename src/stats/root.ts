// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, ceil, log2, max, min, sign } = Math;

/**
 * A root of `f` between `from` and `to`, where its sign must change: the ITP method (Oliveira and Takahashi 2020), never slower than
 * bisection, to the last bits of the bracket.
 */
export function findRoot(f: (x: number) => number, from: number, to: number): number {
  let a = from;
  let b = to;
  let atA = f(a);
  let atB = f(b);
  if (atA === 0) return a;
  if (atB === 0) return b;
  const start = b - a;
  const tolerance = 1e-15 * max(abs(a), abs(b), 1e-300);
  const most = ceil(log2(start / (2 * tolerance))) + 1;
  for (let j = 0; b - a > 2 * tolerance && j <= most; j++) {
    const middle = (a + b) / 2;
    const secant = (b * atA - a * atB) / (atA - atB);
    const toMiddle = sign(middle - secant);
    const nudge = min((0.2 / start) * (b - a) ** 2, abs(middle - secant));
    const truncated = secant + toMiddle * nudge;
    const radius = max(tolerance * 2 ** (most - j) - (b - a) / 2, 0);
    const x = abs(truncated - middle) <= radius ? truncated : middle - toMiddle * radius;
    const atX = f(x);
    if (atX === 0) return x;
    if (sign(atX) === sign(atB)) {
      b = x;
      atB = atX;
    } else {
      a = x;
      atA = atX;
    }
  }
  return (a + b) / 2;
}

/** The first whole number in [from, to] where `holds` becomes true and stays so, by doubling steps and bisection; null: it never does. */
export function findFirst(from: number, to: number, holds: (n: number) => boolean): number | null {
  let below = from - 1;
  let at = from;
  for (let step = 1; !holds(at); step *= 2) {
    if (at === to) return null;
    below = at;
    at = min(to, at + step);
  }
  while (at - below > 1) {
    const middle = (below + at) >> 1;
    if (holds(middle)) at = middle;
    else below = middle;
  }
  return at;
}
