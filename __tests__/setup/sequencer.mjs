// The order of test files: whole experiments, which mostly wait, begin first, so that nothing long is left for the end; then what
// starts containers; what only computes fills in beside them.
import { statSync } from 'node:fs';

const first = [
  /e2e\/(?:phase-energy|meters|watts-up-pro|meter-return)\./,
  /gitea\//,
  // Minutes, and none of them can be told by its size.
  /e2e\/examples\/libc|observers\/profilers\/look|commands\/plan|measure\/(?:observe|measure\.vm)\.|executors\/vm\//,
  /e2e\/(?:two-by-two|thresholds|examples|action|phases|readme|run)[./]/,
  /measure\/measure\.disk\.|history\/stores\/branch\.|action\/publish\./,
  /e2e\//,
  /(?:measure|run)\/|commands\/(?:compare|meter-check)\./,
  /executors\//,
  /simulate\//,
];

const rank = (path) => {
  const found = first.findIndex((pattern) => pattern.test(path));
  return found === -1 ? first.length : found;
};

/** A sequencer of jest's, whose own one knows lengths only from earlier runs of the same checkout. */
export default class LongFirst {
  sort(tests) {
    const known = tests.map((test) => ({ test, rank: rank(test.path), size: statSync(test.path).size }));
    return known.sort((a, b) => a.rank - b.rank || b.size - a.size).map(({ test }) => test);
  }

  /**
   * Two shares: the time beside the first stage is longer than that beside the last. Files are counted by their paths, because jest lists
   * them in the order in which it found them, which two calls of it need not share; a file would then be in both shares, and another in none.
   */
  shard(tests, { shardIndex }) {
    const byPath = tests.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    return byPath.filter((_, i) => (i % 10 < 7 ? 1 : 2) === shardIndex);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // Nothing is kept between runs.
  }
}
