// npm test: installs what the tests need, runs them all under Node.js 24, and leaves nothing behind.
// Arguments go to jest: npm test -- __tests__/store. Ends with a line for machines: "N passed, N failed".
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { find, SetupError, say, signalGroup } from '../../runner-setup/command.mjs';
import { ensureDocker } from '../../runner-setup/docker.mjs';
import { ensureNode24, installedAsLocked, npmCi, root } from '../../runner-setup/node24.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';
import { ensureAct } from './act.mjs';
import { builtGitea, ensureGitea } from './gitea.mjs';
import { endMarked, MARK } from './leftovers.mjs';

const limitMinutes = 25;

/** Folders whose tests start no workload, container or meter, and so may run side by side; all others share one machine. */
const pure = [
  'action',
  'analysis',
  'experiment',
  'findings',
  'forge',
  'history',
  'published',
  'report',
  'schedule',
  'simulate',
  'stats',
  'store',
];
const purePattern = `/__tests__/(?:${pure.join('|')})/`;

/** Whole experiments that start no container and mostly wait for a meter that sends once a second: they may wait together. */
const waiting = ['meter-return', 'phase-energy', 'serial-meters', 'watts-up-pro'];
const waitingPattern = `/__tests__/e2e/(?:${waiting.join('|')})\\.test\\.ts$`;

/** What jest is called with, one call after the other. A choice of the caller's is run as it is, one file at a time. */
const passes =
  process.argv.length > 2
    ? [['--maxWorkers=1', ...process.argv.slice(2)]]
    : [
        ['--maxWorkers=100%', '--testPathPatterns', purePattern],
        [`--maxWorkers=${waiting.length}`, '--testPathPatterns', waitingPattern],
        ['--maxWorkers=1', '--testPathIgnorePatterns', purePattern, waitingPattern],
      ];

/**
 * The Gitea of __tests__/gitea, ready before the second pass: one that is there, or one that is built beside the first pass. With two
 * processors that would hold up all tests for minutes, so there it is built only for who asks for those tests.
 */
function startGitea(signal) {
  const isAsked = process.argv.some((word) => word.includes('gitea'));
  if (process.argv.length > 2 && !isAsked) {
    return Promise.resolve('');
  }
  const there = builtGitea();
  if (there === null && !isAsked && availableParallelism() <= 2) {
    say(
      'There is no real Gitea here, and two processors are too few to build one meanwhile: npm test -- __tests__/gitea',
    );
    return Promise.resolve('');
  }
  return ensureGitea({ signal }).catch((error) => {
    if (!signal.aborted) {
      say(`There is no real Gitea, so the tests that need one are skipped: ${error.message.split('\n')[0]}`);
    }
    return '';
  });
}

/** Runs jest in a process group of its own until it ends, or `signal` aborts it. Gives its exit code. */
async function runJest(node, { env, args, signal }) {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const child = spawn(node, [...jest, ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
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

/** Counts of jest's own report; a suite that could not run counts as one failed test. */
function countsOf(reportFile) {
  try {
    const report = JSON.parse(readFileSync(reportFile, 'utf8'));
    return [report.numPassedTests, report.numFailedTests + report.numRuntimeErrorTestSuites];
  } catch {
    return [0, 1];
  }
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
  const act = await ensureAct({ signal }).catch((error) => {
    signal.throwIfAborted();
    say(`${error.message}\nThe tests of the action under a workflow runner will fail.`);
    return '';
  });
  const docker = await ensureDocker({ signal });
  const stopBuilding = new AbortController();
  const gitea = startGitea(AbortSignal.any([signal, stopBuilding.signal]));
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-test-'));
  const mark = randomUUID();
  try {
    signal.throwIfAborted();
    const bin = join(root, 'node_modules', '.bin');
    const path = [bin, act, process.env.PATH, '/usr/sbin', '/sbin'].filter(Boolean).join(delimiter);
    const env = { ...process.env, PATH: path, [MARK]: mark };
    let [exitCode, passed, failed] = [0, 0, 0];
    for (const [i, chosen] of passes.entries()) {
      if (signal.aborted) break;
      // Nothing else may be at work while workloads are measured; a single pass is one that was asked for by name.
      if (i > 0 || passes.length === 1) {
        env.JOULEDIFF_TEST_GITEA = await gitea;
      }
      const reportFile = join(folder, `report-${i}.json`);
      exitCode =
        (await runJest(node, { env, args: ['--json', '--outputFile', reportFile, ...chosen], signal })) || exitCode;
      const counts = countsOf(reportFile);
      passed += counts[0];
      failed += counts[1];
    }
    const left = await endMarked(mark, signal.aborted ? 0 : 3000);
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
  stopping.abort(new SetupError(`stopped: the tests took longer than ${limitMinutes} minutes`));
}, limitMinutes * 60_000);

try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
clearTimeout(limit);
if (stoppedBy !== null) {
  process.exitCode = 128 + constants.signals[stoppedBy];
}
