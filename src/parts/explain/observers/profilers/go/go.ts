import type { FileProfilerWithPort } from '../profiler.ts';
import { cpuProfile } from './pprof.ts';
import { samplesOf } from './samples.ts';
import { pollOnce } from './served.ts';

/**
 * Go's CPU profiler: functions by processor time, 100 samples per second of it. A program (`go test`, or one with runtime/pprof) writes
 * its profile to the given folder, or a server with net/http/pprof is polled.
 */
export const go = {
  name: 'go',
  way: 'files',
  suffix: '.pprof',
  words: (folder) => ({ JOULEDIFF_PROFILE_DIR: folder }),
  read: async (content) => samplesOf((await cpuProfile(content)).stacks),
  atPort: { poll: pollOnce },
} as const satisfies FileProfilerWithPort;
