// Installs what tests need, runs them under Node.js 24, and leaves nothing behind. Ends with a line for machines: "N passed, N failed".
//   npm test               what needs nothing but Docker and a browser: the classes `unit` and `system`
//   npm run test:world     the rest: the class `world`
//   npm run test:all       everything
//   npm run test:affected  what the change since origin/main, or since the last commit, can reach
//   npm test -- WORDS      what jest makes of the words: npm test -- __tests__/store
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { find, run, SetupError, say, signalGroup } from '../../runner-setup/command.mjs';
import { ensureDocker } from '../../runner-setup/docker.mjs';
import { ensureNode24, installedAsLocked, npmCi, root } from '../../runner-setup/node24.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';
import { affected } from './affected.mjs';
import { testFiles } from './classes.mjs';
import { removeGo } from './go.mjs';
import { endMarked, imagesNow, MARK, removeNewImages } from './leftovers.mjs';
import { BUILDS, ensureWorld, ROOTS_MS } from './world.mjs';

/** Minutes for the tests of the world: what the check of everything has left, or half an hour. */
const WORLD_MINUTES = Number(process.env.JOULEDIFF_TEST_MINUTES || 29);

/**
 * What may be asked for, and minutes that it may take. A file of the world that has not begun after `beginMinutes` is skipped, by name: on a slow machine
 * the check ends in time all the same. Their order is another with each commit, so that none is skipped always.
 */
const ASKED = {
  // The aim is 8 minutes on two processors; the limit is for a machine that is slow or busy.
  main: { limitMinutes: 20, files: (all) => all.filter((file) => file.class !== 'world') },
  world: {
    limitMinutes: WORLD_MINUTES,
    beginMinutes: WORLD_MINUTES / 2,
    files: (all) => all.filter((file) => file.class === 'world'),
  },
  all: { limitMinutes: 30, files: (all) => all },
  affected: { limitMinutes: 30, files: affected },
  words: { limitMinutes: 30, files: () => [] },
};

const [first = 'main', ...more] = process.argv.slice(2);
const isNamed = Object.hasOwn(ASKED, first) && more.length === 0;
const asked = ASKED[isNamed ? first : 'words'];
/** Milliseconds until the limit of time ends everything. */
const msLeft = () => asked.limitMinutes * 60_000 - performance.now();
/** For jest. */
const words = isNamed ? [] : process.argv.slice(2);

const processors = availableParallelism();

/** Of what only computes: a meter's readings have to be taken when they come. */
const LOW = 10;
/** Of the same beside what has the machine to itself: only when nothing else wants to. */
const LOWEST = 19;

/** Between sessions the scheduler compares these values and not those of their processes, where it groups by session (sched_autogroup_enabled). */
function lowerSession(pid, niceness) {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // A kernel without such groups goes by the processes' own.
  }
}

/** What was idle work in this process group takes its share again. */
function wake(group, niceness) {
  lowerSession(group, niceness);
  const { stdout } = spawnSync('pgrep', ['-g', String(group)], { encoding: 'utf8' });
  for (const pid of stdout.split('\n').filter(Boolean))
    spawnSync('chrt', ['--all-tasks', '--other', '--pid', '0', pid]);
}

/** Runs jest in a process group of its own until it ends, or `signal` aborts it. Gives its exit code. */
async function runJest(node, { env, args, niceness = 0, idleUntil = null, signal }) {
  const hook = '--import=./__tests__/setup/hook.mjs';
  // Files share a process, which holds much: a larger nursery costs less to keep clean.
  const flags = ['--max-semi-space-size=64', '--disable-warning=ExperimentalWarning'];
  const jest = [hook, ...flags, 'node_modules/jest/bin/jest.js'];
  const idle = idleUntil === null ? [] : ['chrt', '--idle', '0'];
  const child = spawn('nice', ['-n', String(niceness), ...idle, node, ...jest, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  child.on('spawn', () => {
    if (niceness > 0) lowerSession(child.pid, idleUntil === null ? niceness : LOWEST);
    idleUntil?.then(() => wake(child.pid, niceness));
  });
  const onAbort = () => {
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), 8000).unref();
  };
  signal.addEventListener('abort', onAbort);
  try {
    return await new Promise((done, fail) => {
      child.on('error', fail);
      child.on('exit', (code) => done(code ?? 1));
    });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Gives the terminal program as one file, built from the source as it is; empty: it can't be built, and is run as it lies there. */
async function buildProgram(node, folder, signal) {
  try {
    await run(node, ['esbuild.config.mjs', folder], { seconds: 120, signal });
    return join(folder, 'cli.js');
  } catch (error) {
    signal.throwIfAborted();
    say(`${error.message.split('\n')[0]}\nThe terminal program is tested as it lies in src/, which takes longer.`);
    return '';
  }
}

/** More files than this don't fail because a machine was busy. */
const SECOND_TRIES = 4;

const fullName = ({ ancestorTitles, title }) => [...ancestorTitles, title].join(' ');

/** What jest's own report says; a suite that could not run counts as one failed test. `failing`: the tests of each file that failed. */
function resultOf(reportFile, late) {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const begun = report.testResults.filter(({ name }) => !late.includes(relative(root, name)));
    const tests = begun.flatMap((suite) => suite.assertionResults);
    const skipped = tests.filter(({ status }) => status === 'pending' || status === 'todo');
    const failing = report.testResults.filter(({ status }) => status === 'failed');
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
      skipped: skipped.map(fullName),
      files: report.testResults.map(({ name }) => relative(root, name)),
      failing: new Map(
        failing.map(({ name, assertionResults }) => [
          relative(root, name),
          assertionResults.filter(({ status }) => status === 'failed').map(fullName),
        ]),
      ),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: [], files: [], failing: new Map() };
  }
}

/** Numbers of several calls of jest, added up. */
function added(results) {
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    skipped: new Set(results.flatMap(({ skipped }) => skipped)),
    failing: new Map(results.flatMap(({ failing }) => [...failing])),
  };
}

/** So many test files are named that took longest. */
const LONGEST = 12;

/** Lines of a file, without empty ones; none where it isn't there. */
function linesOf(path) {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

/** What the longest files took, in seconds and in seconds of a processor, which is what all of them together have to share. */
function tellLongest(costsFile) {
  const costs = linesOf(costsFile)
    .map((line) => line.split(' '))
    .map(([s, cpuS, file]) => ({ s: Number(s), cpuS: Number(cpuS), file }));
  const total = costs.reduce((sum, { cpuS }) => sum + cpuS, 0);
  const rows = costs
    .toSorted((a, b) => b.s - a.s)
    .slice(0, LONGEST)
    .map(
      ({ s, cpuS, file }) => `${s.toFixed(0).padStart(5)} s ${cpuS.toFixed(0).padStart(4)} s of a processor  ${file}`,
    );
  return `longest of ${costs.length} files, which had ${total.toFixed(0)} s of ${processors} processors together:\n${rows.join('\n')}`;
}

/** What each test file is for, in the order in which they may run. */
function grouped(files) {
  const isUnit = (file) => file.class === 'unit' || file.traits.includes('computes');
  const isNeeded = (trait) => files.some(({ traits }) => traits.includes(trait));
  const needs = ['compose', 'gitea'].filter((trait) => isNeeded(trait) && !BUILDS[trait].isThere());
  const groupOf = (file) => {
    const has = (trait) => file.traits.includes(trait);
    if (isUnit(file)) return 'units';
    if (needs.some(has)) return 'waiting';
    if (has('truth') && has('alone')) return 'still';
    return ['truth', 'alone', 'browser', 'systems'].find(has) ?? 'shared';
  };
  return {
    units: [],
    truth: [],
    shared: [],
    systems: [],
    browser: [],
    alone: [],
    still: [],
    waiting: [],
    ...Object.groupBy(files, groupOf),
    needs,
  };
}

/** For files that may come too late: until when they may begin, and what their order follows from. */
function inTurn() {
  if (asked.beginMinutes === undefined) return {};
  const head = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout;
  return {
    JOULEDIFF_TEST_BEGIN_UNTIL: String(performance.timeOrigin + asked.beginMinutes * 60_000),
    JOULEDIFF_TEST_ORDER: head || 'any',
  };
}

/** Milliseconds that tests may take which wait for a build. */
const WAITING_MS = 300_000;

/**
 * Runs the files in this order: readings that are held against a truth; everything else, side by side; files that need an idle machine; and, if there
 * is time to build it, what needs Compose or a forge.
 */
async function runGroups(files, runTests, { env, signal, msLeft }) {
  const { needs, units, truth, shared, systems, browser, alone, still, waiting } = grouped(files);
  const isFree = Promise.withResolvers();
  const isWorld = shared.every((file) => file.class === 'world');
  // With the least share, the long computations of the world would outlast every limit.
  const computed = runTests(units, processors, { niceness: isWorld ? LOW / 2 : LOW, idleUntil: isFree.promise });
  await runTests(truth, 2 * processors).finally(isFree.resolve);
  // What is tried in other systems comes one by one, once they are there.
  const tried = systems.length === 0 ? null : BUILDS.systems.build(signal, ROOTS_MS).then(() => runTests(systems, 1));
  // Tests of the world wait for most of their time.
  await runTests(shared, Math.ceil((isWorld ? 3.5 : 2.5) * processors), { env: inTurn() });
  await Promise.all([computed, tried, runTests(alone, 1), runTests(browser, processors, { niceness: LOW })]);
  await runTests(still, 1);
  for (const trait of needs) {
    await BUILDS[trait].build(signal, msLeft() - WAITING_MS);
    Object.assign(env, BUILDS[trait].env());
  }
  await runTests(waiting, Math.ceil(1.5 * processors));
}

async function main(signal) {
  if (!installedAsLocked()) await npmCi([], { signal });
  const node = await ensureNode24({ signal });
  const all = testFiles();
  const files = asked.files(all);
  const dockerClient = find('docker') ? [] : ['docker.io'];
  await ensurePackages(
    ['busybox-static', 'chromium', 'git', 'openssl', 'procps', 'python3', 'socat', ...dockerClient],
    {
      signal,
    },
  );
  const needsWorld = words.length > 0 || files.some((file) => file.class === 'world');
  const world = needsWorld ? await ensureWorld(signal) : { bins: [], env: {} };
  const docker = await ensureDocker({ signal });
  const images = await imagesNow();
  const stopBuilding = new AbortController();
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-test-'));
  // The program in it is run as other users too.
  chmodSync(folder, 0o755);
  const mark = randomUUID();
  try {
    signal.throwIfAborted();
    const bin = join(root, 'node_modules', '.bin');
    const path = [bin, ...world.bins, process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      [MARK]: mark,
      ...world.env,
      ...Object.assign({}, ...Object.values(BUILDS).map((build) => build.env())),
      JOULEDIFF_TEST_COSTS: join(folder, 'costs'),
      // The program is started many hundred times: compiled once, a start takes half as long.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    };
    if (words.length === 0) env.JOULEDIFF_TEST_BUILT = await buildProgram(node, join(folder, 'built'), signal);
    const results = [];
    const lateFiles = () => linesOf(`${env.JOULEDIFF_TEST_COSTS}.late`);
    const runJestWith = async (args, { env: more, ...priority } = {}) => {
      const reportFile = join(folder, `${randomUUID()}.json`);
      // What a test that failed has noted there is nothing that a second try has to do with.
      const state = { XDG_STATE_HOME: join(folder, `state-${randomUUID()}`) };
      const options = {
        env: { ...env, ...more, ...state },
        args: ['--json', '--outputFile', reportFile, ...args],
        ...priority,
      };
      const exitCode = await runJest(node, { ...options, signal });
      const result = { exitCode, ...resultOf(reportFile, lateFiles()) };
      results.push(result);
      return result;
    };
    const runTests = async (some, workers, priority) => {
      if (some.length === 0 || signal.aborted) return;
      await runJestWith([`--maxWorkers=${workers}`, '--runTestsByPath', ...some.map((file) => file.path)], priority);
    };
    const building = AbortSignal.any([signal, stopBuilding.signal]);
    if (words.length > 0) {
      for (const build of Object.values(BUILDS)) if (!build.isThere()) await build.build(building, msLeft());
      Object.assign(env, ...Object.values(BUILDS).map((build) => build.env()));
      await runJestWith(words);
    } else {
      await runGroups(files, runTests, { env, signal: building, msLeft });
    }
    let exitCode = results.find((result) => result.exitCode !== 0)?.exitCode ?? 0;
    let { passed, failed, skipped, failing } = added(results);
    const onlyTests = results.every((result) => result.exitCode === 0 || result.failing.size > 0);
    if (words.length === 0 && onlyTests && failing.size > 0 && failing.size <= SECOND_TRIES && !signal.aborted) {
      const again = [...failing.keys()];
      say(`once more, with the machine to themselves: ${again.join(', ')}`);
      const second = await runJestWith(['--maxWorkers=1', '--runTestsByPath', ...again]);
      if (second.exitCode === 0) {
        // Tests of real processes share a machine here with hundreds of others. One that holds alone says that the product is right: it is
        // told, and wants mending all the same.
        say(
          `unsteady: failed beside other tests, passed alone:\n${again.map((file) => `  ${file}: ${failing.get(file).join('; ')}`).join('\n')}`,
        );
        passed += failed;
        [exitCode, failed] = [0, 0];
      }
    }
    const late = lateFiles();
    if (late.length > 0) {
      say(
        `skipped, since ${asked.beginMinutes.toFixed(1)} minutes were over:\n${late.map((name) => `  ${name}`).join('\n')}`,
      );
    }
    if (skipped.size > 0) say(`skipped:\n${[...skipped].map((name) => `  ${name}`).join('\n')}`);
    if (words.length === 0) say(`${files.length} of ${all.length} test files were asked for`);
    const longest = tellLongest(env.JOULEDIFF_TEST_COSTS);
    if (words.length === 0) say(longest);
    const left = await endMarked(mark, signal.aborted ? 0 : 3000);
    const leftImages = await removeNewImages(images, docker.isOwn);
    if (leftImages.length > 0) say(`left behind by the tests, and removed now:\n${leftImages.join('\n')}`);
    if (signal.aborted) {
      say(signal.reason.message);
    } else if (left.length > 0) {
      // Tests that were let run to their end have no right to leave anything: one more failure.
      say(`left behind by the tests, and ended now:\n${left.join('\n')}`);
      console.log(`${passed} passed, ${failed + 1} failed`);
      return exitCode || 1;
    }
    console.log(`${passed} passed, ${failed} failed`);
    return exitCode;
  } finally {
    stopBuilding.abort();
    rmSync(folder, { recursive: true, force: true });
    await docker.stop();
  }
}

const stopping = new AbortController();
let stoppedBy = null;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(name, () => {
    stoppedBy ??= name;
    stopping.abort(new SetupError(`stopped by ${stoppedBy}`));
  });
}
const limit = setTimeout(() => {
  stopping.abort(new SetupError(`stopped: the tests took longer than ${asked.limitMinutes} minutes`));
}, asked.limitMinutes * 60_000);

try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  removeGo();
}
clearTimeout(limit);
if (stoppedBy !== null) {
  process.exitCode = 128 + constants.signals[stoppedBy];
}
