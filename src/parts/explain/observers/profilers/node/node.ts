import { ObserverError } from '../../tool.ts';
import type { FileProfiler } from '../profiler.ts';
import { samplesOf } from './cpuprofile.ts';
import { PRELOAD } from './preload.ts';

const FILE = 'joulediff-profile.cjs';
/** A larger profile of a process is not read: a made-up one may take some thirty times its size in memory. */
const MAX_BYTES = 64 * 2 ** 20;

/** Node.js' own sampler: functions of scripts by the time that a thread was in them, looked at every millisecond. */
export const node = {
  name: 'node',
  way: 'files',
  suffix: '.cpuprofile',
  begun: '.begun',
  files: { [FILE]: PRELOAD },
  words: (folder) => ({ NODE_OPTIONS: `--require=${folder}/${FILE}` }),
  async read(content, window) {
    if (content.length > MAX_BYTES) throw new ObserverError('wrote-too-much');
    let profile: unknown;
    try {
      profile = JSON.parse(content.toString());
    } catch (cause) {
      throw new ObserverError('unreadable', { cause });
    }
    return samplesOf(profile, window);
  },
} as const satisfies FileProfiler;
