// A Docker engine: the one that answers, else Debian's, started.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { find, run, SetupError, say } from './command.mjs';
import { ensurePackages } from './packages.mjs';

const nothingToStop = { isOwn: false, stop: async () => {} };

function socketPath() {
  const host = process.env.DOCKER_HOST || 'unix:///var/run/docker.sock';
  return host.startsWith('unix://') ? host.slice('unix://'.length) : null;
}

/** null when the engine answers, else the code of the error. */
function ping(path) {
  return new Promise((done) => {
    const asked = request({ socketPath: path, path: '/_ping', timeout: 3000 }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode === 200 ? null : `HTTP ${answer.statusCode}`));
      answer.on('error', (error) => done(error.code));
    });
    asked.on('timeout', () => asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    asked.on('error', (error) => done(error.code ?? error.message));
    asked.end();
  });
}

async function answersWithin(path, seconds, { signal, alive = () => true } = {}) {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end && alive()) {
    if ((await ping(path)) === null) {
      return true;
    }
    signal?.throwIfAborted();
    await wait(200);
  }
  return false;
}

/** Without systemd: dockerd as a child. It ends with us even when we are killed, because the kernel is asked to see to it. */
async function startByHand(path, { signal }) {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-dockerd-'));
  const logFile = join(folder, 'dockerd.log');
  const log = openSync(logFile, 'w');
  const dockerd = find('dockerd');
  const command = find('setpriv') ? ['setpriv', '--pdeathsig', 'TERM', dockerd] : [dockerd];
  const child = spawn(command[0], command.slice(1), { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  const ended = new Promise((done) => {
    child.on('close', done);
    child.on('error', done);
  });
  let alive = true;
  ended.then(() => {
    alive = false;
  });
  const stop = async () => {
    if (alive) {
      child.kill('SIGTERM');
      // dockerd waits for its containers; a second signal ends it at once.
      await Promise.race([ended, wait(30_000, undefined, { ref: false }).then(() => child.kill('SIGKILL'))]);
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    if (await answersWithin(path, 60, { signal, alive: () => alive })) {
      return { stop };
    }
    const tail = readFileSync(logFile, 'utf8').trim().split('\n').slice(-8).join('\n');
    throw new SetupError(`dockerd was started and does not answer at ${path}. The end of its log:\n${tail}`);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startBySystemd(path, { signal }) {
  await run('systemctl', ['start', 'docker'], { seconds: 90, signal });
  const stop = () => run('systemctl', ['stop', 'docker.socket', 'docker.service'], { seconds: 90 });
  if (await answersWithin(path, 30, { signal })) {
    return { stop };
  }
  await stop();
  throw new SetupError(`systemctl has started docker, and it does not answer at ${path}: see journalctl -u docker`);
}

/**
 * Sees to it that a Docker engine answers: an existing one is used as it is; else Debian's docker.io is installed and
 * started, which needs root. `stop()` ends what this started, and nothing else; `isOwn`: that it did, so that nobody else uses the engine. Throws SetupError.
 */
export async function ensureDocker({ signal } = {}) {
  const path = socketPath();
  if (path === null) {
    return nothingToStop;
  }
  const failure = await ping(path);
  if (failure === null) {
    return nothingToStop;
  }
  if (failure === 'EACCES' || failure === 'EPERM') {
    throw new SetupError(
      `A Docker engine is at ${path}, and this user may not use it. Run: sudo usermod -aG docker "$USER", and log in again.`,
    );
  }
  if (process.getuid?.() !== 0 || process.env.DOCKER_HOST) {
    throw new SetupError(
      `No Docker engine answers at ${path} (${failure}). Start one (sudo systemctl start docker), or run this as root, ` +
        "which installs Debian's docker.io and starts it.",
    );
  }
  const cgroups = '/sys/fs/cgroup';
  const withoutCgroups = !existsSync(cgroups) || readdirSync(cgroups).length === 0;
  await ensurePackages(['docker.io', ...(withoutCgroups ? ['cgroupfs-mount'] : [])], { signal });
  if (withoutCgroups) {
    await run('cgroupfs-mount', [], { seconds: 30, signal });
  }
  say('starting a Docker engine (it is stopped again at the end)');
  const start = existsSync('/run/systemd/system') ? startBySystemd : startByHand;
  return { isOwn: true, ...(await start(path, { signal })) };
}
