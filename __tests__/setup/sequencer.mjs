// The order of test files: what says that it is long begins first, then what starts experiments; what only computes fills in beside them.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { CLASSES, headOf } from './classes.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A sequencer of jest's, whose own one knows lengths only from earlier runs of the same checkout. */
export default class LongFirst {
  sort(tests) {
    const known = tests.map((test) => {
      const head = headOf(relative(ROOT, test.path));
      const rank = head.traits.includes('long') ? CLASSES.length : CLASSES.indexOf(head.class);
      return { test, rank, size: statSync(test.path).size };
    });
    const order = process.env.JOULEDIFF_TEST_ORDER;
    const turn = ({ path }) =>
      createHash('sha256')
        .update(`${order} ${relative(ROOT, path)}`)
        .digest('hex');
    if (order) return tests.toSorted((a, b) => turn(a).localeCompare(turn(b)));
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
