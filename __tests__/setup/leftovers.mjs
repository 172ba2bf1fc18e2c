// Processes that a test run started: they inherit a mark in their environment, wherever they have been moved since.
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

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
