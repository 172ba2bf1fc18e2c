import type { Meter } from '../../src/meters/meter.ts';
import { openMeters } from '../../src/meters/registry.ts';
import { type StartedEmulator, startEmulator } from '../emulators/start.ts';
import { Collected } from './collect.ts';

export interface Place extends StartedEmulator {
  readonly collected: Collected;
  /** The driver of `type` on the emulator's port; `options` as `?unit=1`. */
  open(options?: string, type?: string): Promise<Meter>;
}

/** An emulator of its own for one test, and what the test opens on it is closed. */
export async function withEmulator(
  type: string,
  args: readonly string[],
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator(type, ...args);
  const opened: Meter[] = [];
  const open = async (options = '', driver = type) => {
    const { meters } = await openMeters([`${driver}:${emulator.port}${options}`]);
    opened.push(...meters);
    return meters[0] as Meter;
  };
  try {
    await work({ ...emulator, collected: new Collected(), open });
  } finally {
    await Promise.all(opened.map((meter) => meter.stop()));
    await emulator.stop();
  }
}
