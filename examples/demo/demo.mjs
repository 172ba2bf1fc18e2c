// npm run demo: gets what it needs (Node.js 24, a Docker engine, a static busybox), then measures the example in this folder.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { find, SetupError, say } from '../../runner-setup/command.mjs';
import { ensureDocker } from '../../runner-setup/docker.mjs';
import { ensureNode24, root } from '../../runner-setup/node24.mjs';
import { ensurePackages } from '../../runner-setup/packages.mjs';

const here = dirname(fileURLToPath(import.meta.url));

/** Runs joulediff, forwards only the first signal to it, and resolves to its exit code. */
async function joulediff(node, args, signal) {
  // In its own process group, so that Ctrl-C reaches it once, through us, and it cleans up while we wait.
  const child = spawn(node, [join(root, 'dist', 'cli.js'), ...args], {
    cwd: process.cwd(),
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  const onAbort = () => child.kill(signal.reason.signalName === 'SIGINT' ? 'SIGINT' : 'SIGTERM');
  signal.addEventListener('abort', onAbort);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('exit', (code, by) => done(code ?? 128 + constants.signals[by]));
  });
}

/** The demo's pauses suit counters and the model; a meter on a serial port averages and reports late, so it needs longer ones. */
function pauses() {
  const ports = '/dev/serial/by-id';
  if (!existsSync(ports) || readdirSync(ports).length === 0) return [];
  say('a serial port is there: if it is a meter, guards of 3 s and rests of 20 s make this take about half an hour');
  return ['--set', 'guard=3s', '--set', 'rest=20s'];
}

/** What was measured is in the result, and the next demo builds it again. One that was stopped needs it to go on (--resume). */
function removeImage() {
  const docker = (...words) => execFileSync('docker', words, { encoding: 'utf8', timeout: 30_000, stdio: 'pipe' });
  try {
    const ids = docker('image', 'ls', '--quiet', '--filter', 'label=joulediff-demo').split('\n').filter(Boolean);
    if (ids.length === 0) return;
    docker('image', 'rm', '--force', ...new Set(ids));
    say('the image of the demo was removed again');
  } catch (error) {
    say(`the image of the demo is still there: ${error.message.split('\n')[0]}`);
  }
}

async function main(signal) {
  const node = await ensureNode24({ signal });
  await ensurePackages(['busybox-static'], { signal });
  copyFileSync(find('busybox'), join(here, 'image', 'busybox'));
  const docker = await ensureDocker({ signal });
  try {
    signal.throwIfAborted();
    const file = join(here, 'joulediff.yml');
    const words = ['run', file, '--out', 'joulediff-out', ...pauses(), ...process.argv.slice(2)];
    const code = await joulediff(node, words, signal);
    if (code === 0) removeImage();
    return code;
  } finally {
    await docker.stop();
  }
}

const stopping = new AbortController();
for (const signalName of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signalName, () => {
    stopping.abort(Object.assign(new SetupError(`stopped by ${signalName}`), { signalName }));
  });
}
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  say(error instanceof SetupError ? error.message : error.stack);
  process.exitCode = error.signalName ? 128 + constants.signals[error.signalName] : 3;
}
