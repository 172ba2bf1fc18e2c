import type { CommitRange } from './commits.ts';
import type { Posterior } from './posterior.ts';

/** The commit that is named is the right one with this probability. */
export const CERTAINTY = 0.97;
/** Commits that are tried in the same blocks as the good end: more share its runs, and each needs a checkout and a build. */
const TRIED = 3;
/** Blocks of a step of the search. */
const MIN_BLOCKS = 3;
const MAX_BLOCKS = 12;
/** Standard errors by which a step of the search tells a commit with the change from one without. */
const STANDARD_ERRORS = 2.5;
/** A commit that splits off less than this tells nothing. */
const MIN_SHARE = 0.005;
/** What breaks a commit mostly breaks its neighbors too, so the next one tried is this share of the probability away from it. */
const AWAY = 1 / (2 * (TRIED + 1));
/** Measured steps after which a session ends: the posterior doesn't settle, and the history is probably not one step. */
export const MAX_STEPS = 40;

export interface Search {
  /** Positions in the range. */
  readonly commits: readonly number[];
  readonly blocks: number;
}

/**
 * What to measure beside the good end: the commits that split what is still possible most evenly, in so many blocks that each is told apart. No
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
    // Outweighs the way from the even split: in a long range that does not build, any split that builds tells more.
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

/** Commits that nothing can tell apart, since what lies between them can't be measured. */
export interface Suspects {
  /** Positions in the range, oldest first. */
  readonly commits: readonly number[];
  readonly probability: number;
  /** What shows the step by itself: the nearest commits without the change and with it. */
  readonly neighbours: readonly [before: number, after: number];
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
    neighbours: [before, after],
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
  | { readonly kind: 'neighbours'; readonly pair: readonly [before: number, after: number] }
  | { readonly kind: 'found' }
  /** The session has used up its steps. */
  | { readonly kind: 'open' };

/** What a bisection knows of its steps so far. */
export interface Taken {
  /** Positions that can be measured, as far as is known. */
  readonly testable: readonly number[];
  /** Pairs that were compared by themselves. */
  readonly shown: readonly (readonly number[])[];
  /** What remains of the last step where one of its commits failed; null: nothing. */
  readonly left: Search | null;
  /** Steps of this session that did not fail. A failed one needs no limit: each leaves one commit less to try. */
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
  const [before, after] = likeliest.neighbours;
  if (isSure && shown.some(([a, b]) => a === before && b === after)) return { kind: 'found' };
  if (measured >= MAX_STEPS) return { kind: 'open' };
  if (!isSure) return { kind: 'search', ...(left ?? search) };
  return { kind: 'neighbours', pair: [before, after] };
}
