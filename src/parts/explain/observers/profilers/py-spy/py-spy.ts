import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { mayTrace, tracesOthers } from '../../ptrace.ts';
import { ObserverError, Tool } from '../../tool.ts';
import type { AttachedProfiler } from '../profiler.ts';
import { samplesOf } from './raw.ts';

const TRIAL_MS = 20_000;
const SAMPLES_A_SECOND = 100;

/**
 * py-spy: functions of Python by how often a thread was found running in them, a hundred times a second. It reads them out of the process, which is
 * stopped for each look; threads that don't run are left out, and where a variant is in a container also those without the interpreter's lock. Processes in containers are looked at from the host, by their numbers there.
 */
export const pySpy = {
  name: 'py-spy',
  way: 'attached',
  async probe() {
    const tool = await Tool.start('py-spy', ['--version']);
    tool.child.stdout?.resume();
    tool.child.stderr?.resume();
    if ((await tool.end(TRIAL_MS)) !== 0) throw new ObserverError('unreadable');
    if (!mayTrace()) throw new ObserverError('not-allowed');
  },
  isFor(pid) {
    try {
      if (/python/i.test(basename(readlinkSync(`/proc/${pid}/exe`)))) return true;
      return /\/libpython\d/.test(readFileSync(`/proc/${pid}/maps`, 'latin1'));
    } catch {
      return false;
    }
  },
  command: (pid, output, numbering) => [
    'py-spy',
    ...['record', '--pid', String(pid), '--format', 'raw', '--rate', String(SAMPLES_A_SECOND)],
    ...['--function', '--full-filenames', '--output', output],
    // Which threads run it finds out by the numbers that Python keeps of them (3.11 and newer): where these are a container's, every thread would run.
    // Whoever has the interpreter's lock runs anywhere, and what is compared has to be looked at alike.
    ...(numbering === 'own' ? ['--gil'] : []),
  ],
  read: (content) => samplesOf(content.toString(), 1e9 / SAMPLES_A_SECOND),
  limitation: () => (tracesOthers() ? 'ended' : 'not-allowed'),
} as const satisfies AttachedProfiler;
