// What jest's own runner would do for each test file and the bare one leaves out: limits of time, and an environment as it was. Where
// JOULEDIFF_TEST_COSTS names a file, each test file adds a line to it: what it took. A file that begins after JOULEDIFF_TEST_BEGIN_UNTIL is skipped, and named in a second file.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { addEventHandler } from 'jest-circus';
import config from '../../jest.config.mjs';

// A job is told less of who holds the machine: what is under test is told by its test whether it runs in one, never by where the tests run.
for (const name of ['CI', 'GITHUB_ACTIONS']) delete process.env[name];

const realEnvironment = process.env;
const environment = { ...process.env };
const costs = process.env.JOULEDIFF_TEST_COSTS;
const last = { type: 'afterAll', fn: tellCost };
let file = null;
let isLate = false;
let before = null;

addEventHandler((event, { currentDescribeBlock, rootDescribeBlock }) => {
  // The last one is what the event added, as long as no hook of this file is behind it.
  const { children, hooks } = currentDescribeBlock;
  const added = event.name === 'add_test' ? children.at(-1) : event.name === 'add_hook' ? hooks.at(-1) : null;
  if (file !== rootDescribeBlock) {
    file = rootDescribeBlock;
    file.hooks.push({ type: 'afterAll', fn: restoreEnvironment });
    if (costs) before = costNow();
    isLate = Date.now() > Number(environment.JOULEDIFF_TEST_BEGIN_UNTIL ?? Infinity);
    if (isLate) appendFileSync(`${costs}.late`, `${relative(process.cwd(), expect.getState().testPath)}\n`);
  }
  // After all that the file itself does at its end.
  if (costs && file.hooks.at(-1) !== last) file.hooks = [...file.hooks.filter((hook) => hook !== last), last];
  if (isLate && event.name === 'add_test') added.mode = 'skip';
  // What is made for all tests of a file may take twice as long as one of them.
  const limitMs = event.timeout ?? (event.name === 'add_hook' ? 2 : 1) * config.testTimeout;
  if (added?.fn) added.fn = isLate ? () => {} : bounded(added.fn, limitMs);
});

/** Files share a process. A plain object in the place of its environment would keep what later ones set from Node.js itself, as TMPDIR from os.tmpdir. */
function restoreEnvironment() {
  process.env = realEnvironment;
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Seconds, and processor seconds of this process and of the children that it has waited for: those of a Docker engine are in no test's. */
function costNow() {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return { s: performance.now() / 1000, cpuS: ticks.reduce((sum, one) => sum + Number(one), 0) / 100 };
}

function tellCost() {
  const now = costNow();
  const name = relative(process.cwd(), expect.getState().testPath);
  appendFileSync(costs, `${(now.s - before.s).toFixed(1)} ${(now.cpuS - before.cpuS).toFixed(1)} ${name}\n`);
}

/** The bare runner would wait for ever. */
function bounded(run, limitMs) {
  return async () => {
    let timer;
    const late = new Promise((_, fail) => {
      timer = setTimeout(() => fail(new Error(`not ended after ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([run(), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
