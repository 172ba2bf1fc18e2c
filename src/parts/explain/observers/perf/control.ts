import type { Readable, Writable } from 'node:stream';
import { ObserverError, Tool, takeLines } from '../tool.ts';
import type { PerfFile } from './file.ts';

/** Time limit, ms: enabling a tracepoint waits for every processor. */
const READY_MS = 30_000;
const WRITE_MS = 120_000;
const SCRIPT_MS = 600_000;

export const CONTROL = ['--control', 'fd:3,4'] as const;

/** Waits until perf counts, by its answer after enabling events. Throws ObserverError. */
export async function untilReady(tool: Tool, signal: AbortSignal): Promise<void> {
  const [asked, answers] = [tool.child.stdio[3] as Writable, tool.child.stdio[4] as Readable];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new ObserverError('hangs')), READY_MS);
  const stop = () => reject(signal.reason);
  answers.once('data', () => resolve());
  tool.child.once('exit', () => reject(new ObserverError('not-allowed')));
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  asked.write('ping\n');
  try {
    await promise;
  } catch (thrown) {
    await tool.kill();
    throw thrown;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Tests briefly whether perf works with these arguments. Throws ObserverError. */
export async function tryOut(start: () => Promise<Tool>, withinMs = TRIAL_MS): Promise<void> {
  const tool = await start();
  tool.child.stdout?.resume();
  tool.child.stderr?.resume();
  if ((await tool.end(withinMs)) !== 0) throw new ObserverError('not-allowed');
}

const TRIAL_MS = 20_000;

/** Starts `perf record` with these arguments, and waits until it records. Throws ObserverError. */
export async function startRecording(args: readonly string[], signal: AbortSignal): Promise<Tool> {
  const tool = await Tool.start('perf', ['record', '-q', '-N', ...args, ...CONTROL], true);
  tool.child.stdout?.resume();
  tool.child.stderr?.resume();
  await untilReady(tool, signal);
  return tool;
}

/** Ends a recording, whose file is complete then. Throws ObserverError, also if it ended before. */
export async function endRecording(tool: Tool, file: PerfFile): Promise<void> {
  if (!tool.isRunning) throw file.lost(tool);
  tool.interrupt();
  await tool.end(WRITE_MS);
}

/** Passes on each line of `perf script` about a recording. Throws ObserverError. */
export async function readScript(
  { path }: PerfFile,
  args: readonly string[],
  signal: AbortSignal,
  take: (line: string) => void,
): Promise<void> {
  const tool = await Tool.start('perf', ['script', '-i', path, '--ns', ...args]);
  tool.child.stderr?.resume();
  takeLines(tool.child.stdout, take);
  if ((await tool.end(SCRIPT_MS, signal)) !== 0) throw new ObserverError('unreadable');
}
