/**
 * Script that Node.js preloads (`--require`), in any version and with any rights: before version 24, NODE_OPTIONS refuses `--cpu-prof`, which writes
 * files that only their owner can read. Errors must not affect the program; they only lose the profile. An empty file marks each started process,
 * because one that a signal kills writes no profile. Worker threads get none, since a program may end them at any time.
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
