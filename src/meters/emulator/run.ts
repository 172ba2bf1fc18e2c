import { type Clock, SYSTEM_CLOCK } from '../../system/clock.ts';
import type { Bytes, EmulatedMeter } from './emulator.ts';
import type { Pty } from './pty.ts';

/** Lets an emulated meter send on a pseudo-terminal, at its times. Gives a function that ends it. */
export function runEmulator(
  meter: EmulatedMeter,
  port: Pick<Pty, 'write' | 'onData'>,
  clock: Clock = SYSTEM_CLOCK,
): () => void {
  let callOff = () => {};
  const plan = () => {
    callOff();
    const dueNs = meter.dueNs();
    if (dueNs === null) return;
    const waitMs = Math.ceil(Number(dueNs - clock.nowNs()) / 1e6);
    callOff = clock.after(Math.max(0, waitMs), send);
  };
  const send = () => {
    const dueNs = meter.dueNs();
    if (dueNs !== null && clock.nowNs() >= dueNs) port.write(bytesOf(meter.record()));
    plan();
  };
  port.onData((chunk) => {
    port.write(bytesOf(meter.receive(chunk, clock.nowNs())));
    plan();
  });
  plan();
  return () => callOff();
}

function bytesOf(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}
