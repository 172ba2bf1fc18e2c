import { sleep } from '../../../src/system/clock.ts';
import type { World } from '../network/runs.ts';
import type { VirtualProgram } from '../virtual-host.ts';

/** What a program prints at a moment that it prints at. */
type Lines = (nowNs: bigint) => readonly string[];

/** Prints until the program ends; `between`: what comes between the lines of two moments. */
export async function keepPrinting(
  world: World,
  program: VirtualProgram,
  everyMs: number,
  lines: Lines,
): Promise<void> {
  const { clock } = world.host;
  while (program.isRunning) {
    await sleep(clock, everyMs);
    for (const line of lines(clock.nowNs())) program.print(line);
  }
}
