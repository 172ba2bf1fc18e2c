// Class: world.
import { describe, expect, it } from '@jest/globals';
import { randomUnit, runEmulator } from '../../../src/meters/emulator/emulator.ts';
import { McpEmulator } from '../../../src/meters/mcp39f511/emulator.ts';
import { Block } from '../../../src/meters/mcp39f511/outputs.ts';
import { Results } from '../../../src/meters/mcp39f511/source.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';

/** Milliseconds for which a host whose processors are all taken does nothing before a timer's work. */
const busyMs = (chance: number, size: number): number => (chance < 0.05 ? Math.trunc(30 * size) : 0);

it.each([
  ['16 cycles of 50 Hz, as delivered', 4, 50, 20, 0.004],
  ['16 cycles of 60 Hz', 4, 60, 20, 0.004],
  ['8 cycles of 50 Hz', 3, 50, 10, 0.004],
  ['2 cycles of 50 Hz, as other software sets it', 1, 50, 2, 0.01],
] as const)('a meter that averages %s measures the true energy of 200 runs on a busy host', async (...row) => {
  const [, accumulation, lineHz, seconds, within] = row;
  const world = new World({ idleW: 40, loadW: 65 });
  const { clock } = world.host;
  const far = world.host.wire('/dev/meter');
  // Its crystal is off by 25 in a million.
  const state = { accumulation, lineHz: lineHz * (1 + 2.5e-5) };
  runEmulator(new McpEmulator({ ...world.settings, state }), far, clock);
  let steps = 0;
  clock.onStep = () => clock.block(busyMs(randomUnit(3, steps++), randomUnit(4, steps)));
  await measuresTheTruth(world, 'mcp39f511n:/dev/meter', within, { seconds });
});

describe('Results', () => {
  const result = (number: number) => new Block(0, Uint8Array.of(number));
  /** Milliseconds since the beginning at which results that come every 100 ms are said to be new; null: known. */
  function times(asked: readonly (readonly [ms: number, result: number])[]): (number | null)[] {
    const results = new Results();
    return asked.map(([ms, number]) => {
      const newNs = results.take(result(number), BigInt(ms) * 1_000_000n, 100_000_000n);
      return newNs === null ? null : Number(newNs) / 1e6;
    });
  }

  it('takes each result once, at the expected moment where the questions allow it', () => {
    const asked = [
      [0, 1],
      [45, 1],
      [50, 2], // put in between 45 and 50
      [140, 2],
      [148, 3], // expected at 145 after 45
      [240, 3],
      [244, 4], // a little early
    ] as const;
    expect(times(asked)).toEqual([null, null, 50, null, 148, null, 244]);
  });

  it('takes a result that was missed for lost, and the next one at its own time', () => {
    const asked = [
      [0, 1],
      [10, 2],
      [230, 4],
      [305, 4],
      [312, 5],
    ] as const;
    expect(times(asked)).toEqual([null, 10, 210, null, 310]);
  });

  it('takes two results that are alike by chance for two', () => {
    const asked = [
      [0, 1],
      [10, 2],
      [140, 2],
      [165, 2],
      [205, 2],
      [215, 3],
    ] as const;
    expect(times(asked)).toEqual([null, 10, null, 110, null, 210]);
  });
});
