import type { FileProfilerWithPort } from '../profiler.ts';
import { cpuProfile } from './pprof.ts';
import { samplesOf } from './samples.ts';
import { pollOnce } from './served.ts';

/**
 * Go's own sampler: functions by the processor time that their threads had, a hundred looks in each second of it. A program (`go test`, or one with
 * runtime/pprof) writes it to the folder that it is given, or a server with net/http/pprof is asked for it.
 */
export const go = {
  name: 'go',
  way: 'files',
  suffix: '.pprof',
  words: (folder) => ({ JOULEDIFF_PROFILE_DIR: folder }),
  read: async (content) => samplesOf((await cpuProfile(content)).stacks),
  atPort: { poll: pollOnce },
} as const satisfies FileProfilerWithPort;
