import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** None that is asked so takes a second; a directory of users in the network may. */
const WITHIN_MS = 20_000;

/** Asks a small program of the system something, and waits: it is killed where it hangs, and its answer has 1 MiB at most (Node's own limit). */
export const askProgram = (program: string, words: readonly string[], withinMs = WITHIN_MS): SpawnSyncReturns<string> =>
  spawnSync(program, words, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: withinMs,
    killSignal: 'SIGKILL',
  });
