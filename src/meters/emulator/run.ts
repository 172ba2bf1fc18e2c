import type { Bytes, EmulatedMeter } from './emulator.ts';
import type { Pty } from './pty.ts';

/** Lets an emulated meter speak on a pseudo-terminal, at its times. Gives a function that ends it. */
export function runEmulator(meter: EmulatedMeter, pty: Pty): () => void {
  let timer: NodeJS.Timeout | undefined;
  const plan = () => {
    clearTimeout(timer);
    const dueNs = meter.dueNs();
    if (dueNs === null) return;
    const waitMs = Math.ceil(Number(dueNs - process.hrtime.bigint()) / 1e6);
    timer = setTimeout(speak, Math.max(0, waitMs));
  };
  const speak = () => {
    const dueNs = meter.dueNs();
    if (dueNs !== null && process.hrtime.bigint() >= dueNs) pty.write(bytesOf(meter.record()));
    plan();
  };
  pty.onData((chunk) => {
    pty.write(bytesOf(meter.receive(chunk, process.hrtime.bigint())));
    plan();
  });
  plan();
  return () => clearTimeout(timer);
}

function bytesOf(bytes: Bytes): Uint8Array {
  return typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
}
