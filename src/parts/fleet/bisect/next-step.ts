import type { CommitRange } from './commits.ts';
import type { Posterior } from './posterior.ts';

/** Probability with which the reported commit must be the right one. */
export const CERTAINTY = 0.97;
/** Number of commits measured in the same blocks as the good end: more share its runs, but each needs a checkout and a build. */
const TRIED = 3;
/** Minimum blocks of a search step. */
const MIN_BLOCKS = 3;
const MAX_BLOCKS = 12;
/** Separation, in standard errors, of commits with and without the change in a search step. */
const STANDARD_ERRORS = 2.5;
/** Minimum probability mass that a commit must split off. */
const MIN_SHARE = 0.005;
/** Minimum probability distance from a broken commit for the next candidate, since its neighbors are often broken too. */
const AWAY = 1 / (2 * (TRIED + 1));
/** Maximum measured steps of a session: a posterior that has not settled means that the history has more than one step. */
export const MAX_STEPS = 40;

export interface Search {
  /** Positions in the range. */
  readonly commits: readonly number[];
  readonly blocks: number;
}

/**
 * Commits to measure next to the good end: those that split the posterior most evenly, and the blocks needed to distinguish them. No
 * commits: none splits it. `testable`: positions that can be measured.
 */
export function nextSearch(
  { probability, step, scatter }: Posterior,
  { has }: CommitRange,
  testable: readonly number[],
): Search {
  const share = Float64Array.from(has, (row) => shareOf(probability, row));
  const canBuild = new Set([0, ...testable, has.length - 1]);
  const skipped = share.filter((_, of) => !canBuild.has(of));
  const shares = testable.map((of) => {
    const one = share[of] as number;
    return { of, share: one, away: skipped.reduce((least, other) => Math.min(least, Math.abs(one - other)), AWAY) };
  });
  const chosen = new Set<number>();
  for (let i = 1; i <= TRIED; i++) {
    const open = shares.filter(({ of, share }) => share >= MIN_SHARE && share <= 1 - MIN_SHARE && !chosen.has(of));
    // Dominates the deviation from an even split: in a long range that does not build, any split that builds helps.
    const cost = ({ share, away }: (typeof open)[number]): number => Math.abs(share - i / (TRIED + 1)) - 8 * away;
    const [nearest] = open.toSorted((a, b) => cost(a) - cost(b));
    if (nearest !== undefined) chosen.add(nearest.of);
  }
  const needed = Math.ceil(2 * ((STANDARD_ERRORS * scatter) / step) ** 2);
  return { commits: [...chosen], blocks: Math.min(MAX_BLOCKS, Math.max(MIN_BLOCKS, needed)) };
}

/** Probability that a commit has the change. */
function shareOf(probability: Float64Array, row: Uint8Array): number {
  let share = 0;
  for (const [k, one] of probability.entries()) if (row[k] === 1) share += one;
  return share;
}

/** Commits that can't be distinguished, because those between them can't be measured. */
export interface Suspects {
  /** Positions in the range, oldest first. */
  readonly commits: readonly number[];
  readonly probability: number;
  /** The nearest measurable commits without and with the change. */
  readonly neighbors: readonly [before: number, after: number];
}

/** The likeliest ones. */
export function suspects({ probability }: Posterior, { has }: CommitRange, testable: readonly number[]): Suspects {
  const ends = [0, ...testable, has.length - 1];
  const likeliest = probability.indexOf(Math.max(...probability));
  const isAlike = (k: number): boolean => ends.every((of) => has[of]?.[k] === has[of]?.[likeliest]);
  const commits = Array.from(probability.keys()).filter((k) => k > 0 && isAlike(k));
  const ancestors = (of: number): number => (has[of] as Uint8Array).reduce((n, one) => n + one, 0);
  const byAge = ends.toSorted((a, b) => ancestors(a) - ancestors(b));
  const after = byAge.find((of) => has[of]?.[likeliest] === 1) as number;
  const isBefore = (of: number): boolean => has[of]?.[likeliest] === 0 && (of === 0 || has[after]?.[of] === 1);
  const before = byAge.findLast(isBefore) as number;
  return {
    commits,
    probability: commits.reduce((all, k) => all + (probability[k] as number), 0),
    neighbors: [before, after],
  };
}

/** The fewest commits that hold the step with this probability, the likeliest first. */
export function credibleSet({ probability }: Posterior, least = CERTAINTY): number[] {
  const order = Array.from(probability.keys()).toSorted(
    (a, b) => (probability[b] as number) - (probability[a] as number),
  );
  let all = 0;
  const needed = order.findIndex((k) => {
    all += probability[k] as number;
    return all >= least;
  });
  return order.slice(0, needed + 1);
}

export type NextStep =
  | ({ readonly kind: 'search' } & Search)
  /** The nearest commits without the change and with it, as an experiment of their own. */
  | { readonly kind: 'neighbors'; readonly pair: readonly [before: number, after: number] }
  | { readonly kind: 'found' }
  /** The session has reached its maximum number of steps. */
  | { readonly kind: 'open' };

/** State of a bisection. */
export interface Taken {
  /** Positions that are measurable as far as is known. */
  readonly testable: readonly number[];
  /** Pairs that have been compared separately. */
  readonly shown: readonly (readonly number[])[];
  /** Rest of the last step after one of its commits failed; null: none. */
  readonly left: Search | null;
  /** Successful steps of this session. Failed steps need no limit, since each removes a commit. */
  readonly measured: number;
}

/** What comes after a posterior. */
export function nextStep(
  posterior: Posterior,
  range: CommitRange,
  { testable, shown, left, measured }: Taken,
): NextStep {
  const likeliest = suspects(posterior, range, testable);
  const search = nextSearch(posterior, range, testable);
  const isSure = likeliest.probability >= CERTAINTY || search.commits.length === 0;
  const [before, after] = likeliest.neighbors;
  if (isSure && shown.some(([a, b]) => a === before && b === after)) return { kind: 'found' };
  if (measured >= MAX_STEPS) return { kind: 'open' };
  if (!isSure) return { kind: 'search', ...(left ?? search) };
  return { kind: 'neighbors', pair: [before, after] };
}
