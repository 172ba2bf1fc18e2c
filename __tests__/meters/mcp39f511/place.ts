import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';
import { Collected } from '../collect.ts';

export interface Place extends StartedEmulator {
  readonly collected: Collected;
  /** Opens a driver on the emulator's port: `mcp39f511n` unless told otherwise, with the options of its name. */
  open(options?: string, type?: string): Promise<Meter>;
}

/** A test with an emulator of its own on a pseudo-terminal, so that many can wait side by side. */
export function on(type: string, args: readonly string[], work: (place: Place) => Promise<void>): () => Promise<void> {
  return async () => {
    const emulator = await startEmulator(type, ...args);
    const opened: Meter[] = [];
    const open = async (options = '', name = 'mcp39f511n') => {
      const { meters } = await openMeters([`${name}:${emulator.port}${options}`]);
      opened.push(...meters);
      return meters[0] as Meter;
    };
    try {
      await work({ ...emulator, collected: new Collected(), open });
    } finally {
      await Promise.all(opened.map((meter) => meter.stop()));
      await emulator.stop();
    }
  };
}

/** The frames in everything that was sent to a meter; throws where anything else is between them. */
export function framesIn(received: string): string[] {
  const bytes = Buffer.from(received, 'latin1');
  const frames: string[] = [];
  for (let at = 0; at < bytes.length; at += 8) {
    const frame = bytes.subarray(at, at + 8);
    if (frame[0] !== 0xa5 || frame[1] !== frame.length) throw new Error(`no frame: ${frame.toString('hex')}`);
    frames.push(frame.toString('hex'));
  }
  return frames;
}
