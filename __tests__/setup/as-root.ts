import { it } from '@jest/globals';

/** A test of what only root can do: for others it is skipped, and its name says why. */
export function itAsRoot(name: string, run: () => void | Promise<void>, timeoutMs?: number): void {
  if (process.getuid?.() === 0) {
    it(name, run, timeoutMs);
  } else {
    it.skip(`${name} (only root can prepare this)`, run, timeoutMs);
  }
}
