import { normalQuantile, normalTail, normalTwoSided } from './normal.ts';
import { gaussLegendre, type Rule } from './quadrature.ts';

// Locals for the functions of Math: global lookups cost time in the innermost loops.
const { abs, exp, log, log1p, max, min, sqrt } = Math;

/** How the error of the whole experiment is spent on its interim analyses (Lan and DeMets 1983). */
export type Spending = 'obrien-fleming' | 'pocock';

/** The bound of one interim analysis. */
export interface Bound {
  /** Information fraction: share of the planned data that this analysis has. */
  readonly information: number;
  /** Critical |z|: the experiment stops when the statistic reaches it; Infinity: it never stops here. */
  readonly z: number;
  /** Nominal level of this analysis: the same bound as a two-sided p. */
  readonly nominalP: number;
}

const ROOT = sqrt(2 * Math.PI);

/** Standard deviations beyond which the normal tail is 0 in doubles. */
const REACH = 9;

/**
 * Bounds of a two-sided test that is done several times, so that the chance of ever crossing one is `alpha` when there is nothing:
 * Lan–DeMets error spending, the recursion of Armitage, McPherson and Rowe (1969) by Gauss–Legendre quadrature.
 * `information`: increasing, above 0 and up to 1. Throws RangeError otherwise.
 */
export function lanDeMets(
  information: readonly number[],
  alpha = 0.05,
  spending: Spending = 'obrien-fleming',
): Bound[] {
  information.forEach((share, i) => {
    if (share > (information[i - 1] ?? 0) && share <= 1) return;
    throw new RangeError(`looks at ${information.join(', ')}: shares of the data must increase, and end at 1 at most`);
  });
  const key = `${information.join(' ')} ${alpha} ${spending}`;
  const known = computed.get(key) ?? boundsOf(information, alpha, spending);
  if (computed.size >= MAX_KEPT) computed.clear();
  computed.set(key, known);
  return [...known];
}

/** Bounds take milliseconds, and every comparison of an experiment asks for the same ones. */
const computed = new Map<string, readonly Bound[]>();
const MAX_KEPT = 256;

function boundsOf(information: readonly number[], alpha: number, spending: Spending): Bound[] {
  const bounds: Bound[] = [];
  let spent = 0;
  let before: Density | null = null;
  for (const [i, share] of information.entries()) {
    const total = spentAt(share, alpha, spending);
    const sd = sqrt(share - (information[i - 1] ?? 0));
    const z = boundFor(total - spent, share, sd, before);
    spent = total;
    bounds.push({ information: share, z, nominalP: z === Infinity ? 0 : normalTwoSided(z) });
    before = densityInside(min(z, REACH) * sqrt(share), sd, before, (information[i + 1] ?? 1) - share);
  }
  return bounds;
}

/** Error spent when this share of the data is in. */
function spentAt(share: number, alpha: number, spending: Spending): number {
  if (spending === 'pocock') return alpha * log1p((Math.E - 1) * share);
  return 4 * normalTail(normalQuantile(1 - alpha / 4) / sqrt(share));
}

/** Density of the running sum (of variance 1 at the end) where no bound was crossed yet, on nodes with their weights. */
interface Density {
  readonly at: Float64Array;
  readonly mass: Float64Array;
}

function boundFor(spend: number, share: number, sd: number, before: Density | null): number {
  // Less than this can't be told from nothing beside what was spent before.
  if (!(spend > 1e-300)) return Infinity;
  if (before === null) return -normalQuantile(spend / 2);
  const scale = sqrt(share) / sd;
  /** P(beyond z now, and never before), and its slope. */
  const crossing = (z: number): [number, number] => {
    let total = 0;
    let slope = 0;
    for (let i = 0; i < before.at.length; i++) {
      // The nodes and their masses lie the same on both sides of zero, so that one tail is half of both.
      const x = z * scale - (before.at[i] as number) / sd;
      const mass = 2 * (before.mass[i] as number);
      total += mass * normalTail(x);
      slope -= (mass * scale * exp((-x * x) / 2)) / ROOT;
    }
    return [total, slope];
  };
  // Had no analysis been before, this would be the bound; so the root is below it. The logarithm is concave: from beyond the root Newton's
  // steps come down to it and never pass it.
  let z = -normalQuantile(spend / 2);
  for (let i = 0; i < 100; i++) {
    const [total, slope] = crossing(z);
    const step = (log(total / spend) * total) / slope;
    z -= step;
    // Each step squares the error of the one before.
    if (abs(step) <= 1e-10 * z) break;
  }
  return z;
}

function densityInside(limit: number, sd: number, before: Density | null, nextStep: number): Density {
  const rule = ruleFor((2 * limit) / min(sd, sqrt(max(nextStep, 1e-6))));
  const at = rule.nodes.map((node) => node * limit);
  const mass = at.map((b, i) => (rule.weights[i] as number) * limit * densityAt(b, sd, before));
  return { at, mass };
}

function densityAt(b: number, sd: number, before: Density | null): number {
  if (before === null) return exp((-b * b) / (2 * sd * sd)) / (sd * ROOT);
  let total = 0;
  for (let i = 0; i < before.at.length; i++) {
    const x = (b - (before.at[i] as number)) / sd;
    total += (before.mass[i] as number) * exp((-x * x) / 2);
  }
  return total / (sd * ROOT);
}

const rules = new Map<number, Rule>();

/** Nodes enough for a normal density that is so many times narrower than the range. */
function ruleFor(widths: number): Rule {
  const order = widths < 15 ? 80 : widths < 60 ? 240 : 720;
  const rule = rules.get(order) ?? gaussLegendre(order);
  rules.set(order, rule);
  return rule;
}
