/**
 * What Node.js loads before a program (`--require`), any version and with any rights: `--cpu-prof` is refused in NODE_OPTIONS before version 24, and writes
 * files that only their owner can read. A program must not notice: what goes wrong here costs the profile alone.
 */
export const PRELOAD = `'use strict';
try {
  const { Session } = require('inspector');
  const { threadId } = require('worker_threads');
  const { chmodSync, writeFileSync } = require('fs');
  const { randomBytes } = require('crypto');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.setSamplingInterval', { interval: 1000 });
  session.post('Profiler.start');
  const path = __dirname + '/' + process.pid + '-' + threadId + '-' + randomBytes(8).toString('hex') + '.cpuprofile';
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
