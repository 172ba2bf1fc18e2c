// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, cos } = Math;

/** Gauss–Legendre nodes and weights on [−1, 1]. */
export interface Rule {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

/** The rule of `order` nodes, each found by Newton's method on the Legendre polynomial. */
export function gaussLegendre(order: number): Rule {
  const nodes = new Float64Array(order);
  const weights = new Float64Array(order);
  for (let i = 0; i < order; i++) {
    let x = cos((Math.PI * (i + 0.75)) / (order + 0.5));
    let slope = 1;
    for (let iteration = 0; iteration < 10; iteration++) {
      const [value, derivative] = legendre(order, x);
      slope = derivative;
      const step = value / derivative;
      x -= step;
      if (abs(step) < 1e-16) break;
    }
    nodes[i] = x;
    weights[i] = 2 / ((1 - x * x) * slope * slope);
  }
  return { nodes, weights };
}

/** ∫ f from `from` to `to`; 0 when the range is empty. */
export function integrate(rule: Rule, from: number, to: number, f: (x: number) => number): number {
  if (!(to > from)) return 0;
  const half = (to - from) / 2;
  const middle = (to + from) / 2;
  let total = 0;
  for (let i = 0; i < rule.nodes.length; i++) {
    total += (rule.weights[i] as number) * f(middle + half * (rule.nodes[i] as number));
  }
  return total * half;
}

function legendre(order: number, x: number): [number, number] {
  let previous = 1;
  let current = x;
  for (let k = 2; k <= order; k++) {
    const next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
    previous = current;
    current = next;
  }
  return [current, (order * (x * current - previous)) / (x * x - 1)];
}
