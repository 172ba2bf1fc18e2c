import { expect } from '@jest/globals';
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

/** A million bytes of rubbish between true lines are no reading, no error of the program, and nothing that a terminal would obey. */
export async function survivesRubbish(world: World, name: string, program: () => VirtualProgram): Promise<void> {
  const { collected } = world;
  let state = 77;
  const byte = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
  await world.run(async () => {
    const meter = await world.open(name);
    await meter.start(collected);
    for (let sent = 0; sent < 1_000_000; ) {
      const bytes = Buffer.from(Array.from({ length: 1 + 40 * byte() }, byte));
      sent += bytes.length;
      for (const line of bytes.toString('latin1').split('\n')) program().print(line);
      const known = collected.samples.length;
      await collected.until(({ samples }) => samples.length > known);
    }
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.5)).toBe(true);
    for (const { detail } of collected.events) expect(detail).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    await meter.stop();
  });
}
