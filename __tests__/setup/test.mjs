// npm test: installs what the tests need, runs them all under Node.js 24, and leaves nothing behind.
// Arguments go to jest: npm test -- __tests__/store. Ends with a line for machines: "N passed, N failed".
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { find, run, SetupError, say, signalGroup } from '../../runner-setup/command.mjs';
import { ensureDocker } from '../../runner-setup/docker.mjs';
import { ensureNode24, installedAsLocked, npmCi, root } from '../../runner-setup/node24.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';
import { ensureAct } from './act.mjs';
import { builtCompose, ensureCompose } from './compose.mjs';
import { ensureDuckdb } from './duckdb.mjs';
import { builtGitea, ensureGitea } from './gitea.mjs';
import { builtGiteaRunner, ensureGiteaRunner } from './gitea-runner.mjs';
import { removeGo } from './go.mjs';
import { ensureGuest } from './guest.mjs';
import { endMarked, imagesNow, MARK, removeNewImages } from './leftovers.mjs';
import { ensurePySpy } from './py-spy.mjs';
import { ensureRoots, hasRoots } from './roots.mjs';
import { ensureActionlint, ensureZizmor } from './workflow-linters.mjs';

const LIMIT_MINUTES = 28;

/** What isn't built by then is done without, by name: the tests that wait for it would not end in time. */
const BUILD_MINUTES = 25;

/** What the examples run, and a second machine to measure. Their tests are skipped, by name, where it can't be had. */
const EXAMPLES = [
  'linux-perf',
  'strace',
  'uftrace',
  'openssh-server',
  ...['redis-server', 'redis-tools', 'nginx-light', 'apache2-utils', 'fio', 'iperf3', 'sockperf'],
  ...['gcc', 'libc6-dev', 'make', 'musl-tools', 'openssl', 'postgresql', 'hpcc', 'stress-ng'],
  ...['default-jre-headless', 'python3-pip'],
  ...['mariadb-server-core', 'sysbench', 'apache2-bin', 'hey'],
  ...['php', 'php-fpm', 'wordpress', 'wordpress-theme-twentytwentythree'],
  'r-base-core',
];

/** What the caller asks for; empty: everything. */
const asked = process.argv.slice(2);

/** Folders whose tests start experiments, containers, meters or the program: these mostly wait, so many of them run side by side. */
const FOLDERS = [
  ...[
    'action',
    'doctor',
    'e2e',
    'executors',
    'forge',
    'gitea',
    'history',
    'hosts',
    'measure',
    'meters',
    'observers',
    'processes',
  ],
  ...['report/page', 'run', 'runner-setup', 'soak', 'terminal'],
];
const WAITING = `/__tests__/(?:(?:${FOLDERS.join('|')})/|(?:cli|dist)\\.test)`;

/** Tests of what a killed experiment leaves: the start of any other experiment would clear it away, so these come one after the other. */
const ALONE =
  '/__tests__/(?:e2e/(?:action-)?stop|executors/leftovers/reaper|measure/lock|soak/(?:left|soak))\\.test\\.ts$';

/** Whole experiments whose energy is held against a known truth: they only wait, but a reading that a busy processor delays is lost. */
const TRUTH = '/__tests__/e2e/(?:meter-return|phase-energy|meters|watts-up-pro)\\.test\\.ts$';

/** Pages in a browser: no experiment, so they may go on beside what must have no other one beside it. */
const PAGES = '/__tests__/(?:report|history)/page/.*\\.test\\.ts$';

const processors = availableParallelism();

/** Tests that need Docker Compose: where it has to be built first, they come last. */
const COMPOSE = '/__tests__/.*(?:compose|wordpress)[^/]*\\.test\\.ts$';

/** The test of install.sh: where the systems that it needs have to be made first, it comes last. */
const INSTALL = '/__tests__/runner-setup/install\\.test\\.ts$';

/** An archive that answers slowly, or not at all, must not hold up everything. */
const ROOTS_MS = 420_000;

/** What has the machine to itself, before all other tests. */
const before = [`--maxWorkers=${2 * processors}`, '--testPathPatterns', TRUTH];

/** Words for jest: everything else that mostly waits, side by side. */
const waiting = (later) => [
  ...[
    `--maxWorkers=${Math.ceil(2.5 * processors)}`,
    '--testPathPatterns',
    WAITING,
    '--testPathIgnorePatterns',
    ALONE,
    TRUTH,
    PAGES,
  ],
  ...later,
];

/**
 * What only computes, and starts no experiment, takes the time that others leave: its first share beside what has the machine to itself, its second
 * beside what comes one by one. It runs at a low priority, because a meter's readings have to be taken when they come; and beside what has the
 * machine to itself, only when nothing else wants to.
 */
const computing = (share, later) => [
  ...[`--maxWorkers=${processors}`, `--shard=${share}/2`, '--testPathIgnorePatterns', WAITING],
  ...later,
];
const LOW = 10;
const LOWEST = 19;

/** What is built beside the tests; null where it can't be had in time, which is told unless everything is being stopped. */
const hadOrTold = (building, signal, without) =>
  building.catch((error) => {
    const isLate = signal.reason?.name === 'TimeoutError';
    if (isLate || !signal.aborted) {
      say(`${without}: ${isLate ? 'it could not be had in time' : error.message.split('\n')[0]}`);
    }
    return null;
  });

/** The real Gitea of __tests__/gitea and its runner, where one of them has to be built first; null where both are there, or aren't asked for. */
function buildGitea(signal, ready) {
  const isAsked = asked.length === 0 || asked.some((word) => word.includes('gitea'));
  if (!isAsked || (builtGitea() !== null && builtGiteaRunner() !== null)) {
    return null;
  }
  const build = async () => {
    await ensureGitea({ signal, ready });
    await ensureGiteaRunner({ signal });
  };
  return hadOrTold(build(), signal, 'There is no real Gitea with a runner, so tests that need it are skipped');
}

/** Where the tests find what was built of both. */
const giteaThere = () => ({
  JOULEDIFF_TEST_GITEA: builtGitea() ?? '',
  JOULEDIFF_TEST_GITEA_RUNNER: builtGiteaRunner() ?? '',
});

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

/** Compose, where it has to be built first; null where it is there already, or isn't asked for. */
function buildCompose(signal, ready) {
  if (builtCompose() !== null || (asked.length > 0 && !asked.some((word) => /compose|wordpress/.test(word)))) {
    return null;
  }
  return hadOrTold(
    ensureCompose({ signal, ready }),
    signal,
    'There is no Docker Compose, so the tests that need it are skipped',
  );
}

/** The systems of install.sh's test, where they have to be made first; null where they are there already, or aren't asked for. */
function makeRoots(signal) {
  if (hasRoots() || (asked.length > 0 && !asked.some((word) => word.includes('runner-setup')))) {
    return null;
  }
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(ROOTS_MS)]);
  return hadOrTold(ensureRoots({ signal: inTime }), inTime, 'Tests of install.sh are skipped');
}

/** Runs jest in a process group of its own until it ends, or `signal` aborts it. Gives its exit code. */
async function runJest(node, { env, args, niceness = 0, idleUntil = null, signal }) {
  const hook = '--import=./__tests__/setup/hook.mjs';
  // Files share a process, which holds much: a larger nursery costs less to keep clean.
  const words = ['--max-semi-space-size=64', '--disable-warning=ExperimentalWarning'];
  const jest = [hook, ...words, 'node_modules/jest/bin/jest.js'];
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
function resultOf(reportFile) {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    const tests = report.testResults.flatMap((suite) => suite.assertionResults);
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

/** The calls of jest share the files among them by patterns: gives those that no call ran, or more than one. */
function miscounted(results) {
  const run = results.flatMap(({ files }) => files);
  const times = (file) => run.filter((other) => other === file).length;
  return globSync('__tests__/**/*.test.ts', { cwd: root })
    .map((file) => ({ file, times: times(file) }))
    .filter(({ times }) => times !== 1);
}

/** So many test files are named that took longest. */
const LONGEST = 12;

/** What the longest files took, in seconds and in seconds of a processor, which is what all of them together have to share; null: nothing is known. */
function tellLongest(costsFile) {
  let lines;
  try {
    lines = readFileSync(costsFile, 'utf8').trimEnd().split('\n');
  } catch {
    return null;
  }
  const costs = lines
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

async function main(signal) {
  if (!installedAsLocked()) {
    await npmCi([], { signal });
  }
  const node = await ensureNode24({ signal });
  const dockerClient = find('docker') ? [] : ['docker.io'];
  await ensurePackages(['busybox-static', 'chromium', 'git', 'procps', 'python3', 'socat', ...dockerClient], {
    signal,
  });
  await ensurePackages(EXAMPLES, { signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message}\nThe tests of the examples that need them are skipped.`);
  });
  const more = [
    ['runsc'],
    ['crun'],
    ['systemd'],
    ['shellcheck'],
    ['git-lfs'],
    ['podman', 'netavark', 'fuse-overlayfs', 'slirp4netns', 'uidmap', 'rootlesskit'],
  ];
  for (const programs of more) {
    await ensurePackages(programs, { signal }).catch((error) => {
      signal.throwIfAborted();
      say(`${error.message}\nThe tests of ${programs[0]} are skipped.`);
    });
  }
  const act = await ensureAct({ signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message}\nThe tests of the action under a workflow runner will fail.`);
    return '';
  });
  const duckdb = await ensureDuckdb({ signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message.split('\n')[0]}\nThe tests that ask DuckDB are skipped.`);
    return '';
  });
  const pySpy = await ensurePySpy({ signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message.split('\n')[0]}\nThe tests of py-spy are skipped.`);
    return '';
  });
  const linters = [];
  for (const [name, ensure] of [
    ['actionlint', ensureActionlint],
    ['zizmor', ensureZizmor],
  ]) {
    await ensure({ signal }).then(
      (bin) => linters.push(bin),
      (error) => {
        signal.throwIfAborted();
        say(`${error.message.split('\n')[0]}\nThe test by ${name} is skipped.`);
      },
    );
  }
  const guest = await ensureGuest({ signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message.split('\n')[0]}\nThe tests of virtual machines are skipped.`);
    return '';
  });
  const docker = await ensureDocker({ signal });
  const images = await imagesNow();
  const stopBuilding = new AbortController();
  const inTime = AbortSignal.timeout(BUILD_MINUTES * 60_000);
  const building = AbortSignal.any([signal, stopBuilding.signal, inTime]);
  let compose = null;
  let gitea = null;
  let roots = null;
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-test-'));
  // The program in it is run as other users too.
  chmodSync(folder, 0o755);
  const mark = randomUUID();
  try {
    signal.throwIfAborted();
    const bin = join(root, 'node_modules', '.bin');
    const path = [bin, act, ...linters, process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(delimiter);
    const env = {
      ...process.env,
      PATH: path,
      [MARK]: mark,
      ...giteaThere(),
      JOULEDIFF_TEST_COMPOSE: builtCompose() ?? '',
      JOULEDIFF_TEST_DUCKDB: duckdb,
      JOULEDIFF_TEST_PY_SPY: pySpy,
      JOULEDIFF_TEST_GUEST: guest,
      JOULEDIFF_TEST_COSTS: join(folder, 'costs'),
      // The program is started many hundred times: compiled once, a start takes half as long.
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
    };
    if (asked.length === 0) env.JOULEDIFF_TEST_BUILT = await buildProgram(node, join(folder, 'built'), signal);
    const results = [];
    const runTests = async (args, priority) => {
      const reportFile = join(folder, `${randomUUID()}.json`);
      const words = ['--json', '--outputFile', reportFile, ...args];
      // What a test that failed has noted there is nothing that a second try has to do with.
      const state = { XDG_STATE_HOME: join(folder, `state-${randomUUID()}`) };
      const exitCode = await runJest(node, { env: { ...env, ...state }, args: words, ...priority, signal });
      const result = { exitCode, ...resultOf(reportFile) };
      results.push(result);
      return result;
    };
    if (asked.length > 0) {
      gitea = buildGitea(building);
      await gitea;
      Object.assign(env, giteaThere());
      compose = buildCompose(building);
      env.JOULEDIFF_TEST_COMPOSE ||= (await compose) ?? '';
      await makeRoots(building);
      await runTests(asked);
    } else {
      // A compiler would take readings from what has the machine to itself.
      const alone = Promise.withResolvers();
      compose = buildCompose(building, alone.promise);
      gitea = buildGitea(building, alone.promise);
      const laterComputing = compose === null ? [] : [COMPOSE];
      const computed = runTests(computing(1, laterComputing), { niceness: LOW, idleUntil: alone.promise });
      await runTests(before).finally(alone.resolve);
      roots = makeRoots(building);
      const later = [
        ...(gitea === null ? [] : ['/__tests__/gitea/']),
        ...(compose === null ? [] : [COMPOSE]),
        ...(roots === null ? [] : [INSTALL]),
      ];
      const experiments = async () => {
        if (!signal.aborted) await runTests(waiting(later));
        if (signal.aborted) return;
        await Promise.all([
          runTests(['--maxWorkers=1', '--testPathPatterns', ALONE]),
          runTests(computing(2, laterComputing), { niceness: LOW }),
          runTests([`--maxWorkers=${processors}`, '--testPathPatterns', PAGES], { niceness: LOW }),
        ]);
      };
      await Promise.all([computed, experiments()]);
      // Compilers have the machine to themselves now, and what is done first is tested beside the others.
      const onceDone = async (building, args) => {
        const made = await building;
        if (!signal.aborted) await runTests(args(made));
      };
      const last = [
        compose &&
          onceDone(compose, (made) => {
            env.JOULEDIFF_TEST_COMPOSE = made ?? '';
            return [`--maxWorkers=${2 * processors}`, '--testPathPatterns', COMPOSE];
          }),
        roots && onceDone(roots, () => ['--maxWorkers=1', '--testPathPatterns', INSTALL]),
        gitea &&
          onceDone(gitea, () => {
            Object.assign(env, giteaThere());
            // Each file has a forge of its own, and waits for it.
            return ['--maxWorkers=3', '__tests__/gitea'];
          }),
      ];
      await Promise.all(last);
    }
    const wrong = asked.length === 0 && !signal.aborted ? miscounted(results) : [];
    let exitCode = results.find((result) => result.exitCode !== 0)?.exitCode ?? 0;
    let { passed, failed, skipped, failing } = added(results);
    const onlyTests = results.every((result) => result.exitCode === 0 || result.failing.size > 0);
    if (asked.length === 0 && onlyTests && failing.size > 0 && failing.size <= SECOND_TRIES && !signal.aborted) {
      const files = [...failing.keys()];
      say(`once more, with the machine to themselves: ${files.join(', ')}`);
      const again = await runTests(['--maxWorkers=1', '--runTestsByPath', ...files]);
      if (again.exitCode === 0) {
        // Tests of real processes share a machine here with hundreds of others. One that holds alone says that the product is right: it is
        // told, and wants mending all the same.
        say(
          `unsteady: failed beside other tests, passed alone:\n${files.map((file) => `  ${file}: ${failing.get(file).join('; ')}`).join('\n')}`,
        );
        passed += failed;
        [exitCode, failed] = [0, 0];
      }
    }
    if (wrong.length > 0) {
      // A file that nobody ran proves nothing, however green the rest is.
      say(`to be run once:\n${wrong.map(({ file, times }) => `  ${file} was run ${times} times`).join('\n')}`);
      failed += wrong.length;
      exitCode ||= 1;
    }
    if (skipped.size > 0) {
      say(`skipped:\n${[...skipped].map((name) => `  ${name}`).join('\n')}`);
    }
    const longest = tellLongest(env.JOULEDIFF_TEST_COSTS);
    if (asked.length === 0 && longest !== null) say(longest);
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
    await gitea;
    await compose;
    await roots;
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
  stopping.abort(new SetupError(`stopped: the tests took longer than ${LIMIT_MINUTES} minutes`));
}, LIMIT_MINUTES * 60_000);

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
