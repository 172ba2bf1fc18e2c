import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTruth, type Truth } from './truth.ts';

export interface StartedEmulator {
  /** The port, or HOST:PORT: the address of a meter name. */
  readonly port: string;
  /** FIFO that takes the lines that `program.ts` knows; a workload can write to it, also from a container. */
  readonly control: string;
  readonly log: string;
  steer(line: string): void;
  truth(): Truth;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
  readonly process: ChildProcess;
}

/** Starts an emulated meter of this type on a port of its own; `args` as `program.ts` takes them. */
export async function startEmulator(type: string, ...args: string[]): Promise<StartedEmulator> {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-emulator-'));
  const [link, control, log] = ['meter', 'control', 'truth.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const program = fileURLToPath(new URL('./program.ts', import.meta.url));
  const words = [program, type, '--link', link, '--control', control, '--log', log, ...args];
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const exited = once(child, 'exit');
  const port = await Promise.race([
    once(child.stdout, 'data').then(([line]) => String(line).trim()),
    exited.then(() => null),
  ]);
  if (port === null) throw new Error('the emulator ended before it was ready: is socat installed?');
  return {
    port,
    control,
    log,
    process: child,
    steer: (line) => {
      if (existsSync(control)) appendFileSync(control, `${line}\n`);
    },
    truth: () => readTruth(log),
    stop: async () => {
      child.kill();
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
