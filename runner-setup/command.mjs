// Runs programs for the set-up scripts. These run on any Node.js from 18 on: they are what brings Node.js 24.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What a person must do first; shown without a stack. */
export class SetupError extends Error {}

/** A line about what is being done, on stderr, where it never mixes with results. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Full path of a program on `path`, or null. */
export function find(program, path = `${process.env.PATH}${delimiter}/usr/sbin${delimiter}/sbin`) {
  for (const folder of path.split(delimiter)) {
    try {
      const file = join(folder || '.', program);
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // not in this folder
    }
  }
  return null;
}

/** What the program printed on stdout, or null when it failed or took longer than `seconds`. */
export function output(program, args, { seconds = 20, ...options } = {}) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: seconds * 1000,
    ...options,
  });
  return status === 0 ? stdout : null;
}

/**
 * Runs a program that installs something; its output is shown only when it fails, because it is long.
 * Throws SetupError, with the end of that output, when it fails or takes longer than `seconds`. An abort ends it.
 */
export async function run(program, args, { seconds = 600, signal, ...options } = {}) {
  // A group of its own, so that an abort or the limit ends its children too.
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      tail = (tail + data).slice(-4000);
    });
  }
  let ended = '';
  const end = (reason) => {
    ended ||= reason;
    signalGroup(child.pid, 'SIGTERM');
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), 5000).unref();
  };
  const onAbort = () => end('was interrupted');
  signal?.addEventListener('abort', onAbort);
  const timer = setTimeout(() => end(`took longer than ${seconds} s`), seconds * 1000);
  try {
    const failure = await new Promise((done) => {
      child.on('error', (error) => done(error.message));
      child.on('close', (code, by) => done(ended || (code === 0 ? null : `ended with ${by ?? code}`)));
    });
    if (failure) {
      throw new SetupError(`${[program, ...args].join(' ')} ${failure}\n${tail.trim()}`.trim());
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

/** Signals a process group; one that is gone already is fine. */
export function signalGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch (error) {
    // EPERM: it is root's, as that of sudo is; it ends with the terminal, or by itself.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') {
      throw error;
    }
  }
}
