// What tests of the class `world` need beside the project: packages, programs and builds. What can't be had is done without, by name.
import { say } from '../../runner-setup/command.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';
import { ensureAct } from './act.mjs';
import { builtCompose, ensureCompose } from './compose.mjs';
import { ensureDuckdb } from './duckdb.mjs';
import { builtGitea, ensureGitea } from './gitea.mjs';
import { builtGiteaRunner, ensureGiteaRunner } from './gitea-runner.mjs';
import { ensureGuest } from './guest.mjs';
import { ensureHarnesses, rustHomes } from './harnesses.mjs';
import { ensurePySpy } from './py-spy.mjs';
import { ensureRoots, hasRoots } from './roots.mjs';
import { ensureActionlint, ensureZizmor } from './workflow-linters.mjs';

/** An archive that answers slowly, or not at all, must not hold up everything. */
export const ROOTS_MS = 420_000;

/** By what is skipped without them. */
const PACKAGES = {
  'the examples': [
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
  ],
  runsc: ['runsc'],
  crun: ['crun'],
  systemd: ['systemd'],
  shellcheck: ['shellcheck'],
  'git-lfs': ['git-lfs'],
  podman: ['podman', 'netavark', 'fuse-overlayfs', 'slirp4netns', 'uidmap', 'rootlesskit'],
};

/** Gives what `ensure` does; empty, and told, where that can't be had. */
async function hadOr(without, ensure, signal) {
  try {
    return await ensure({ signal });
  } catch (error) {
    signal.throwIfAborted();
    say(`${error.message.split('\n')[0]}\n${without}`);
    return '';
  }
}

/** Installs what takes no building. Gives folders for PATH, and variables that tests read. */
export async function ensureWorld(signal) {
  for (const [what, packages] of Object.entries(PACKAGES)) {
    await hadOr(`The tests of ${what} are skipped.`, (options) => ensurePackages(packages, options), signal);
  }
  const act = await hadOr('The tests of the action under a workflow runner will fail.', ensureAct, signal);
  const actionlint = await hadOr('The test by actionlint is skipped.', ensureActionlint, signal);
  const zizmor = await hadOr('The test by zizmor is skipped.', ensureZizmor, signal);
  const rust = rustHomes();
  const harnesses = await ensureHarnesses({ signal });
  const env = {
    JOULEDIFF_TEST_HARNESSES: JSON.stringify(harnesses),
    ...rust,
    JOULEDIFF_TEST_DUCKDB: await hadOr('The tests that ask DuckDB are skipped.', ensureDuckdb, signal),
    JOULEDIFF_TEST_PY_SPY: await hadOr('The tests of py-spy are skipped.', ensurePySpy, signal),
    JOULEDIFF_TEST_GUEST: await hadOr('The tests of virtual machines are skipped.', ensureGuest, signal),
  };
  return { bins: [act, actionlint, zizmor].filter(Boolean), env };
}

/**
 * What takes long to build, by the trait of the tests that need it. `isThere`: nothing has to be built. `build` gives what it can, and ends
 * within `limitMs`; `env`: what tests read, once it is built.
 */
export const BUILDS = {
  compose: {
    isThere: () => builtCompose() !== null,
    build: (signal, limitMs) =>
      inTime('Docker Compose', limitMs, signal, (within) => ensureCompose({ signal: within })),
    env: () => ({ JOULEDIFF_TEST_COMPOSE: builtCompose() ?? '' }),
  },
  gitea: {
    isThere: () => builtGitea() !== null && builtGiteaRunner() !== null,
    build: (signal, limitMs) =>
      inTime('real Gitea with a runner', limitMs, signal, async (within) => {
        await ensureGitea({ signal: within });
        await ensureGiteaRunner({ signal: within });
      }),
    env: () => ({ JOULEDIFF_TEST_GITEA: builtGitea() ?? '', JOULEDIFF_TEST_GITEA_RUNNER: builtGiteaRunner() ?? '' }),
  },
  systems: {
    isThere: hasRoots,
    build: (signal, limitMs) =>
      inTime('system to try install.sh in', limitMs, signal, (within) => ensureRoots({ signal: within })),
    env: () => ({}),
  },
};

/** In less, neither Compose nor a forge is built, however fast the machine is. */
const MIN_BUILD_MS = 120_000;

async function inTime(what, limitMs, signal, build) {
  if (limitMs < MIN_BUILD_MS) {
    say(`There is no ${what}, so the tests that need it are skipped: too little time was left to get it`);
    return;
  }
  const late = AbortSignal.timeout(Math.ceil(limitMs));
  try {
    await build(AbortSignal.any([signal, late]));
  } catch (error) {
    if (signal.aborted) return;
    const why = late.aborted ? 'it could not be had in time' : error.message.split('\n')[0];
    say(`There is no ${what}, so the tests that need it are skipped: ${why}`);
  }
}
