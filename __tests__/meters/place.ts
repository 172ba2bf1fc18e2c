import { setTimeout } from 'node:timers/promises';
import type { Meter, MeterHost } from '../../src/meters/meter.ts';
import { openMeters, THIS_HOST } from '../../src/meters/registry.ts';
import { sleep } from '../../src/system/clock.ts';
import { startEmulator } from '../emulators/start.ts';
import type { Truth } from '../emulators/truth.ts';
import { Collected } from './collect.ts';
import { VirtualHost } from './virtual-host.ts';

/** A test with an emulated meter of its own on a port. */
export interface Place {
  readonly port: string;
  readonly host: MeterHost;
  readonly collected: Collected;
  steer(line: string): void;
  truth(): Truth;
  /** The driver of this type, or of another one, on the port; `options` as `?unit=1`. It is stopped in the end. */
  open(options?: string, driver?: string): Promise<Meter>;
  /** On the clock of the host. */
  wait(ms: number): Promise<void>;
  /** Another program sends bytes at this rate, and goes. */
  leave(bytes: Uint8Array, baudRate: number): Promise<void>;
}

type Work = (place: Place) => Promise<void>;

/** In no time: a virtual port, on a clock that the test steps. `args` as of `startEmulator`. */
export function onVirtualPort(type: string, args: readonly string[], work: Work): () => Promise<void> {
  return async () => {
    const host = new VirtualHost();
    const port = '/dev/virtual';
    const meter = host.plug(port, type, ...args);
    const wait = (ms: number) => sleep(host.clock, ms);
    await host.clock.run(inPlace(type, { port, host, wait, ...meter }, work));
  };
}

/** In real time, on a pseudo-terminal. */
export function onRealPort(type: string, args: readonly string[], work: Work): () => Promise<void> {
  return async () => {
    const { port, steer, truth, stop } = await startEmulator(type, ...args);
    const wait = (ms: number) => setTimeout(ms);
    await inPlace(type, { port, host: THIS_HOST, steer, truth, wait }, work).finally(stop);
  };
}

async function inPlace(type: string, place: Omit<Place, 'collected' | 'open' | 'leave'>, work: Work): Promise<void> {
  const { host, port } = place;
  const opened: Meter[] = [];
  const open = async (options = '', driver = type) => {
    const { meters } = await openMeters([`${driver}:${port}${options}`], host);
    opened.push(...meters);
    return meters[0] as Meter;
  };
  const leave = async (bytes: Uint8Array, baudRate: number) => {
    const line = await host.openLine(port, { baudRate });
    await line.write(bytes);
    await line.close();
  };
  try {
    await work({ ...place, collected: new Collected(), open, leave });
  } finally {
    await Promise.all(opened.map((meter) => meter.stop()));
  }
}
