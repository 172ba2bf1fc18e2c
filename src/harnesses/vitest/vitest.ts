import { shellWord } from '../../text/shell.ts';
import { exactly, type Harness, markedLines, markedTime, TIME_MARK } from '../harness.ts';

const MARK = '::joulediff benchmark ';
const BETWEEN = ' > ';

/**
 * Replaces Vitest's measuring: calls one benchmark a fixed number of times in the test process, and no other. Every benchmark gets dummy results,
 * since a test may compare them; `totalTime` is in milliseconds, 0 for those that did not run.
 */
const PROVIDER = `
const [name, n] = __WANTED__;
const numbers = { samplesCount: 1, samples: undefined };
for (const key of "min max mean p50 p75 p99 p995 p999 sd variance sem df critical moe rme mad aad".split(" ")) numbers[key] = 1;
async function timed({ fn, fnOpts = {} }) {
  await fnOpts.beforeAll?.("run");
  const began = performance.now();
  for (let i = 0; i < n; i++) {
    if (fnOpts.beforeEach) await fnOpts.beforeEach("run");
    const result = fn();
    if (typeof result?.then === "function") await result;
    if (fnOpts.afterEach) await fnOpts.afterEach("run");
  }
  const took = performance.now() - began;
  await fnOpts.afterAll?.("run");
  return took;
}
export default {
  async run({ registrations }) {
    const results = [];
    for (const one of registrations) {
      const totalTime = one.name === name ? await timed(one) : 0;
      results.push({ name: one.name, state: "completed", latency: numbers, throughput: numbers, period: 1, totalTime });
    }
    return results;
  },
};`;

/** Lists the benchmarks below a target, or runs one of a file. Arguments: mode, filter, the test's pattern, benchmark, number. */
const SCRIPT = `
const { startVitest, version } = await import("vitest/node").catch(() => ({ version: "0" }));
if (Number.parseInt(version) < 5) {
  console.error("Vitest 5 or newer is needed here, and " + (version === "0" ? "none" : version) + " was found.");
  process.exit(1);
}
const [mode, filter, testNamePattern, name, n] = process.argv.slice(1);
const isListing = mode === "list";
const provider = "data:text/javascript," + encodeURIComponent(
  ${JSON.stringify(PROVIDER)}.replace("__WANTED__", () => JSON.stringify([isListing ? null : name, Number(n)])));
const vitest = await startVitest("test", filter === "." ? [] : [filter], {
  benchmarkOnly: true, watch: false, run: true, cache: false, passWithNoTests: true, maxWorkers: 1, testTimeout: 0, reporters: [{}],
  benchmark: { provider }, ...(isListing ? {} : { testNamePattern: new RegExp(testNamePattern) }),
});
let isDone = isListing;
const errors = [...vitest.state.getUnhandledErrors()];
for (const file of vitest.state.getTestModules()) {
  errors.push(...file.errors());
  for (const test of file.children.allTests()) {
    errors.push(...(test.result().errors ?? []));
    for (const task of test.benchmarks().flatMap(({ tasks }) => tasks)) {
      if (isListing) console.log("\\n${MARK}" + [file.relativeModuleId, ...test.fullName.split(" > "), task.name].join("${BETWEEN}"));
      if (!isListing && task.name === name && task.totalTime > 0) {
        isDone = true;
        console.log("\\n${TIME_MARK}" + (task.totalTime * 1e6) / n);
      }
    }
  }
}
// What a test expects of results that nobody measured says nothing; a benchmark that threw has none.
const hasFailed = !isDone || (isListing && vitest.state.getTestModules().some((file) => file.errors().length > 0));
if (hasFailed) for (const { stack, message } of errors) console.error(stack ?? message);
await vitest.close();
process.exit(hasFailed ? 1 : 0);`;

const start = `node --input-type=module -e ${shellWord(SCRIPT)} --`;

/** https://vitest.dev/guide/benchmarking: `bench` in files of `vitest bench`. A name is file, test and benchmark, as Vitest shows them. */
export const vitest: Harness = {
  name: 'vitest',
  target: 'a file of benchmarks, or a part of its path',
  defaultTarget: '.',
  needs: 'Node.js, and Vitest 5 or newer',
  list: (target) => `${start} list ${shellWord(target)}`,
  namesIn: (output) => [...new Set(markedLines(output, MARK))],
  run(_, given) {
    const [file = '', ...rest] = given.split(BETWEEN);
    const name = rest.pop() ?? '';
    // Vitest matches the names of suites and tests with spaces between them.
    const test = exactly(rest.join(BETWEEN)).replaceAll(BETWEEN, '(?: > | )');
    return `exec ${start} run ${[file, test, name].map(shellWord).join(' ')} {executions}`;
  },
  timeIn: markedTime,
};
