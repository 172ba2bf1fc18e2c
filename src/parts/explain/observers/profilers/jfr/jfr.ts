import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowNs } from '../../../../../system/clock.ts';
import { ObserverError, Tool, takeLines } from '../../tool.ts';
import type { FileProfiler } from '../profiler.ts';
import { PrintedSamples } from './printed.ts';

const PRINT_MS = 120_000;
/** Arguments for the printer `jfr print`, which every Java runtime has, even without a JDK. */
const PRINTER = ['-Xmx512m', '-Duser.timezone=UTC', '-m', 'jdk.jfr/jdk.jfr.internal.tool.Main', 'print'];

/** HotSpot's Flight Recorder: methods by the number of samples in which a thread ran them, every 10 ms (`settings=profile`). */
export const jfr = {
  name: 'jfr',
  way: 'files',
  suffix: '.jfr',
  // Other virtual machines ignore the option; the repository needs a writable folder, since the root may be read-only.
  words: (folder) => ({
    JAVA_TOOL_OPTIONS: `-XX:+IgnoreUnrecognizedVMOptions -XX:FlightRecorderOptions=repository=${folder} -XX:StartFlightRecording=filename=${folder},settings=profile,dumponexit=true -Xlog:jfr+startup=off`,
  }),
  async read(content, window, folder) {
    const file = join(folder, 'recording.jfr');
    writeFileSync(file, content);
    try {
      const aheadNs = BigInt(Date.now()) * 1_000_000n - nowNs();
      const samples = new PrintedSamples(window, aheadNs);
      const args = ['--events', 'jdk.ExecutionSample', '--stack-depth', '200', file];
      const tool = await Tool.start('java', [...PRINTER, ...args]);
      tool.child.stderr?.resume();
      takeLines(tool.child.stdout, (line) => samples.take(line));
      if ((await tool.end(PRINT_MS)) !== 0) throw new ObserverError('unreadable');
      return samples.all();
    } finally {
      rmSync(file, { force: true });
    }
  },
} as const satisfies FileProfiler;
