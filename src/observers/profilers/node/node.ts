import { ObserverError } from '../../tool.ts';
import type { FileProfiler } from '../profiler.ts';
import { samplesOf } from './cpuprofile.ts';
import { PRELOAD } from './preload.ts';

const FILE = 'joulediff-profile.cjs';

/** Node.js' own sampler: functions of scripts by the time that a thread was in them, looked at every millisecond. */
export const node = {
  name: 'node',
  way: 'files',
  suffix: '.cpuprofile',
  files: { [FILE]: PRELOAD },
  words: (folder) => ({ NODE_OPTIONS: `--require=${folder}/${FILE}` }),
  async read(content, window) {
    let profile: unknown;
    try {
      profile = JSON.parse(content.toString());
    } catch (cause) {
      throw new ObserverError('unreadable', { cause });
    }
    return samplesOf(profile, window);
  },
} as const satisfies FileProfiler;
