// The order of test files: what says that it is long begins first, then what starts experiments; what only computes fills in beside them.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { CLASSES, readClass } from './classes.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Where the order changes with each commit, what is long begins within this share of it: the end must not wait for it. */
const LONG_SHARE = 0.6;

/** A sequencer of jest's, whose own one knows lengths only from earlier runs of the same checkout. */
export default class LongFirst {
  sort(tests) {
    const known = tests.map((test) => {
      const head = readClass(relative(ROOT, test.path));
      const rank = head.traits.includes('long') ? CLASSES.length : CLASSES.indexOf(head.class);
      return { test, rank, size: statSync(test.path).size };
    });
    const order = process.env.JOULEDIFF_TEST_ORDER;
    if (order) {
      const turn = ({ test, rank }) => {
        const hash = createHash('sha256')
          .update(`${order} ${relative(ROOT, test.path)}`)
          .digest();
        return hash.readUInt32BE() * (rank === CLASSES.length ? LONG_SHARE : 1);
      };
      return known.toSorted((a, b) => turn(a) - turn(b)).map(({ test }) => test);
    }
    return known.sort((a, b) => b.rank - a.rank || b.size - a.size).map(({ test }) => test);
  }

  shard(tests) {
    return tests;
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // Nothing is kept between runs.
  }
}
