// What the program itself costs while it waits for readings.
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from '../emulators/start.ts';
import type { Figure } from './figure.ts';
import { processUse, startMeasuring } from './joulediff.ts';

const SAMPLING_S = 60;

interface Sampling {
  readonly what: string;
  readonly type: string;
  readonly emulator?: readonly string[];
  readonly goal: string;
}

const SAMPLINGS: readonly Sampling[] = [
  { what: '1 Hz (Watts Up?)', type: 'watts-up-pro', goal: 'under 0.05 %' },
  { what: '25 Hz (MCP39F511N)', type: 'mcp39f511n', emulator: ['--state', '{"accumulation":1}'], goal: 'under 0.5 %' },
];

export async function* figures(folder: string): AsyncGenerator<Figure> {
  for (const sampling of SAMPLINGS) yield* whileSampling(folder, sampling);
}

async function* whileSampling(folder: string, { what, type, emulator = [], goal }: Sampling): AsyncGenerator<Figure> {
  const meter = await startEmulator(type, ...emulator);
  const experiment = {
    workload: { run: ['true'] },
    variants: { a: {}, b: {} },
    repetitions: 1,
    warmup: { runs: 0 },
    rest: SAMPLING_S + 60,
    guard: 3,
    meter: `${type}:${meter.port}`,
  };
  const child = startMeasuring(folder, experiment);
  try {
    // Opening the meter and the first rest; then nothing but sampling.
    await sleep(15_000);
    const before = processUse(child.pid as number);
    await sleep(SAMPLING_S * 1000);
    const after = processUse(child.pid as number);
    const share = (after.cpuS - before.cpuS) / SAMPLING_S;
    yield {
      what: `processor while sampling at ${what}, ${SAMPLING_S} s`,
      joulediff: `${(share * 3600).toFixed(1)} s an hour (${(100 * share).toFixed(2)} %)`,
      beside: '',
      goal,
    };
    yield {
      what: `peak memory while sampling at ${what}`,
      joulediff: `${after.peakMiB.toFixed(0)} MiB`,
      beside: '',
      goal: 'under 80 MiB',
    };
  } finally {
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGTERM');
    await ended;
    await meter.stop();
  }
}
