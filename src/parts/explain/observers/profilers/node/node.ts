import { ObserverError } from '../../tool.ts';
import type { FileProfiler } from '../profiler.ts';
import { samplesOf } from './cpuprofile.ts';
import { PRELOAD } from './preload.ts';

const FILE = 'joulediff-profile.cjs';
/** Maximum size of a profile: a made-up one may take some thirty times its size in memory. */
const MAX_BYTES = 64 * 2 ** 20;

/** Node.js's profiler: script functions by the time that a thread spent in them, sampled every millisecond. */
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
