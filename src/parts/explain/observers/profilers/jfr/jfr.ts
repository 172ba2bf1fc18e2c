import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nowNs } from '../../../../../system/clock.ts';
import { ObserverError, Tool, takeLines } from '../../tool.ts';
import type { FileProfiler } from '../profiler.ts';
import { PrintedSamples } from './printed.ts';

const PRINT_MS = 120_000;
/** The printer of a Java runtime, which is there without a JDK, too (`jfr print`). */
const PRINTER = ['-Xmx512m', '-Duser.timezone=UTC', '-m', 'jdk.jfr/jdk.jfr.internal.tool.Main', 'print'];

/** Flight Recorder of HotSpot: methods by how often a thread was found running in them, looked at every 10 ms (`settings=profile`). */
export const jfr = {
  name: 'jfr',
  way: 'files',
  suffix: '.jfr',
  // Another virtual machine goes on without it; and what it keeps meanwhile has no place in a root that is read-only.
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
