// What a test run leaves. Processes that it started inherit a mark in their environment, wherever they have been moved since; images are those
// that the engine has at the end, and had not before.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

export const MARK = 'JOULEDIFF_TEST_RUN';

function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1');
  } catch {
    return ''; // ended meanwhile, or another user's
  }
}

function marked(mark) {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => read(pid, 'environ').split('\0').includes(`${MARK}=${mark}`)).map(Number);
}

function signalAll(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // ended meanwhile
    }
  }
}

/**
 * Ends every process of the run that is still there after `graceMs`, first kindly.
 * Gives a line for each: number and command.
 */
export async function endMarked(mark, graceMs) {
  const goneWithin = async (ms) => {
    const end = Date.now() + ms;
    while (marked(mark).length > 0 && Date.now() < end) {
      await wait(100);
    }
    return marked(mark);
  };
  const left = await goneWithin(graceMs);
  const lines = left.map((pid) => `${pid} ${read(pid, 'cmdline').replaceAll('\0', ' ').trim()}`);
  signalAll(left, 'SIGTERM');
  signalAll(await goneWithin(6000), 'SIGKILL');
  await goneWithin(1000);
  return lines;
}

const ENGINE_MS = 30_000;

/** The engine that the tests use, whatever context the user has chosen. */
const asked = () => ({ ...process.env, DOCKER_HOST: process.env.DOCKER_HOST || 'unix:///var/run/docker.sock' });

const docker = async (...words) =>
  (await promisify(execFile)('docker', words, { timeout: ENGINE_MS, env: asked() })).stdout;

/** Ids and names of the engine's images, those without a name too; null where it doesn't tell. */
export async function imagesNow() {
  try {
    const lines = await docker('image', 'ls', '--no-trunc', '--format', '{{.ID}} {{.Repository}}:{{.Tag}}');
    return new Map(
      lines
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')),
    );
  } catch {
    return null;
  }
}

/** Images of the tests that several files use: they are made once. */
const SHARED = /^joulediff-test[:/]/;

/**
 * Removes the images that were not there `before`: those that files share, and where `isOwn` all, since nobody else uses the engine. None where nobody knows which
 * were there: they would be all of the machine's. Gives a line for each that a test should have removed.
 */
export async function removeNewImages(before, isOwn) {
  if (before === null) return [];
  const left = [...((await imagesNow()) ?? [])].filter(([id, name]) => !before.has(id) && (isOwn || SHARED.test(name)));
  for (const [id] of left) await docker('image', 'rm', '--force', id).catch(() => {}); // gone with another
  return left.filter(([, name]) => !SHARED.test(name)).map(([id, name]) => `image ${name} (${id.slice(7, 19)})`);
}
