import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Entry, type Truth, truthOf } from './truth.ts';

/** The counter is as old as this at most where no stall is logged, nanoseconds. */
export const STALL_NS = 5_000_000n;

export interface PowercapTruth extends Pick<Truth, 'energyJ'> {
  /** Joules that the counter may have been behind at a moment. */
  behindJ(tNs: bigint): number;
}

export interface StartedPowercap {
  /** Meter name with the tree as its root. */
  readonly name: string;
  /** Folder of the FIFO, to be mounted into a container under the same path. */
  readonly folder: string;
  readonly control: string;
  readonly process: ChildProcess;
  steer(line: string): void;
  truth(): PowercapTruth;
  stop(): Promise<void>;
}

/** Starts `powercap.ts`, which tells what it does. */
export async function startPowercap(): Promise<StartedPowercap> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-powercap-'));
  const program = fileURLToPath(new URL('./powercap.ts', import.meta.url));
  const env = { ...process.env, NODE_OPTIONS: '' };
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'inherit'], env });
  const exited = once(child, 'exit');
  const ready = await Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)]);
  if (!ready) throw new Error('the emulated counters ended before they were ready');
  const control = join(folder, 'control');
  return {
    name: `rapl?root=${join(folder, 'tree')}&period=0.05`,
    folder,
    control,
    process: child,
    steer: (line) => appendFileSync(control, `${line}\n`),
    truth: () => readTruth(join(folder, 'truth.jsonl')),
    stop: async () => {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readTruth(path: string): PowercapTruth {
  const lines = readFileSync(path, 'utf8').split('\n');
  const entries: Entry[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  const loadW = Number(entries.find(({ kind }) => kind === 'load')?.loadW);
  const stalls = entries
    .filter(({ kind }) => kind === 'stall')
    .map((entry) => ({ fromNs: BigInt(entry.from_ns as string), toNs: BigInt(entry.to_ns as string) }));
  return {
    energyJ: truthOf(entries).energyJ,
    behindJ(tNs) {
      const around = stalls.filter(({ fromNs, toNs }) => fromNs <= tNs && tNs <= toNs);
      const longestNs = Math.max(Number(STALL_NS), ...around.map(({ fromNs, toNs }) => Number(toNs - fromNs)));
      return (longestNs / 1e9) * loadW;
    },
  };
}
