/**
 * What Node.js loads before a program (`--require`), any version and with any rights: `--cpu-prof` is refused in NODE_OPTIONS before version 24, and writes
 * files that only their owner can read. A program must not notice: what goes wrong here costs the profile alone. An empty file tells of each process that began: one that a
 * signal ends writes nothing more. Threads of a process end as it likes.
 */
export const PRELOAD = `'use strict';
try {
  const { Session } = require('inspector');
  const { isMainThread, threadId } = require('worker_threads');
  const { chmodSync, writeFileSync } = require('fs');
  const { randomBytes } = require('crypto');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1000 });
  session.post('Profiler.start');
  const name = __dirname + '/' + process.pid + '-' + threadId + '-' + randomBytes(8).toString('hex');
  const path = name + '.cpuprofile';
  if (isMainThread) writeFileSync(name + '.begun', '', { flag: 'wx' });
  process.on('exit', () => {
    try {
      session.post('Profiler.stop', (error, told) => {
        if (error) return;
        writeFileSync(path, JSON.stringify(told.profile), { flag: 'wx' });
        chmodSync(path, 0o644);
      });
    } catch {}
  });
} catch {}
`;
