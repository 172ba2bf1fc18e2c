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
  const shares = testable.map((of) => ({ of, share: shareOf(probability, has[of] as Uint8Array) }));
  const chosen = new Set<number>();
  for (let i = 1; i <= TRIED; i++) {
    const open = shares.filter(({ of, share }) => share >= MIN_SHARE && share <= 1 - MIN_SHARE && !chosen.has(of));
    const distance = ({ share }: { share: number }): number => Math.abs(share - i / (TRIED + 1));
    const [nearest] = open.toSorted((a, b) => distance(a) - distance(b));
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
  | { readonly kind: 'found' };

/** What comes after a posterior. `shown`: pairs that were compared by themselves. */
export function nextStep(
  posterior: Posterior,
  range: CommitRange,
  { testable, shown }: { readonly testable: readonly number[]; readonly shown: readonly (readonly number[])[] },
): NextStep {
  const likeliest = suspects(posterior, range, testable);
  const search = nextSearch(posterior, range, testable);
  if (likeliest.probability < CERTAINTY && search.commits.length > 0) return { kind: 'search', ...search };
  const [before, after] = likeliest.neighbours;
  if (shown.some(([a, b]) => a === before && b === after)) return { kind: 'found' };
  return { kind: 'neighbours', pair: [before, after] };
}
