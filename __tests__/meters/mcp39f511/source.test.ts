// Class: system.
import { describe, expect, it } from '@jest/globals';
import { randomUnit } from '../../../src/meters/emulator/emulator.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import { TWO_CHANNEL_CHIP } from '../../../src/meters/mcp39f511/chips.ts';
import { McpEmulator } from '../../../src/meters/mcp39f511/emulator.ts';
import { accumulationS, activePowerW, Block, periodS } from '../../../src/meters/mcp39f511/outputs.ts';
import { frameOf, READS } from '../../../src/meters/mcp39f511/reply.ts';
import { Phase } from '../../../src/meters/mcp39f511/source.ts';

const at = (seconds: number) => BigInt(Math.round(seconds * 1e9));
const IDLE_W = 40;
const LOAD_W = 65;

/** How late each question is asked, seconds: on an idle host, and on one whose processors are all taken. */
const hosts = {
  idle: (chance: number, size: number) => 0.002 * size * Number(chance < 1),
  busy: (chance: number, size: number) => (chance < 0.15 ? 0.05 : 0.004) * size,
};

/** Error of the energy of a run of 20 to 21 s, as a part of it, at phases and latenesses that only depend on `seed`. */
function errorOfRun(accumulation: number, lineHz: number, late: (typeof hosts)['idle'], seed: number): number {
  const random = (index: number) => randomUnit(seed, index);
  const startS = 10 + random(1);
  const lengthS = 20 + random(2);
  const load = new Load({ idleW: IDLE_W, loadW: LOAD_W, noiseW: 0, seed, originNs: 0n }, [
    { tNs: at(startS), on: true },
    { tNs: at(startS + lengthS), on: false },
  ]);
  const meter = new McpEmulator({
    energyJ: (from, to) => load.energyJ(from, to),
    originNs: at(random(3)),
    seed,
    latencyNs: at(0.02),
    state: { accumulation, lineHz },
  });
  const settings = { accumulation, voltageRange: 18, currentRanges: [12, 12], powerRanges: [19, 19] };
  // The clocks of the meter and of the host differ by up to 25 in a million.
  const frequencyHz = lineHz * (1 + 5e-5 * (random(4) - 0.5));
  const evenS = periodS(settings, frequencyHz);
  const everyResult = evenS === accumulationS(settings, frequencyHz);
  const phase = new Phase();
  let aboveJ = 0;
  let lastS: number | null = null;
  for (let dueS = 5, index = 10; dueS < startS + lengthS + 3; index += 2) {
    const nowS = dueS + late(random(index), random(index + 1));
    const block = new Block(READS.outputs.address, meter.receive(frameOf('outputs'), at(nowS)).slice(2, -1));
    const powerW = activePowerW(block, TWO_CHANNEL_CHIP.channels[0]!, 19);
    if (lastS !== null) aboveJ += (powerW - IDLE_W) * (nowS - lastS);
    lastS = nowS;
    dueS += evenS * (everyResult ? phase.after(block) : 1);
  }
  return (aboveJ - (LOAD_W - IDLE_W) * lengthS) / (LOAD_W * lengthS);
}

const RUNS = 200;

describe.each([
  ['16 cycles of 50 Hz, as delivered', 4, 50],
  ['16 cycles of 60 Hz', 4, 60],
  ['8 cycles of 50 Hz', 3, 50],
  ['2 cycles of 50 Hz, as other software sets it', 1, 50],
] as const)('a meter that averages %s', (_, accumulation, lineHz) => {
  it.each([
    'idle',
    'busy',
  ] as const)('gives the energy of every run of 20 s within 0.5 %%, without bias, on a host that is %s', (host) => {
    const errors = Array.from({ length: RUNS }, (__, seed) => errorOfRun(accumulation, lineHz, hosts[host], seed));
    expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.005);
    expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / RUNS)).toBeLessThan(0.0005);
  });
});

describe('Phase', () => {
  /** Readings every result period, `jitterS` around the moment at which a new result is put in: numbers of the results that were read. */
  function readAtTheEdge(jitterS: number): number[] {
    const periodS = 0.32;
    const phase = new Phase();
    const results: number[] = [];
    for (let dueS = 100 * periodS, index = 0; results.length < 200; index++) {
      const result = Math.floor((dueS + (randomUnit(7, index) - 0.5) * 2 * jitterS) / periodS);
      results.push(result);
      dueS += periodS * phase.after(new Block(0, Uint8Array.of(result & 0xff, result >> 8)));
    }
    return results;
  }

  it('gets away from the edge of the results, and reads each once from then on', () => {
    const results = readAtTheEdge(0.003).slice(50);
    expect(results.slice(1).map((result, index) => result - results[index]!)).toEqual(Array(149).fill(1));
  });

  it('loses no more than half a period where two results are alike by chance', () => {
    const phase = new Phase();
    const after = (number: number) => phase.after(new Block(0, Uint8Array.of(number)));
    expect([1, 2, 3, 3, 3, 4, 5].map(after)).toEqual([1, 1, 1, 1.5, 1.5, 1, 1]);
  });
});
