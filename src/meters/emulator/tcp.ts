import { createServer, type Socket } from 'node:net';
import { type EmulatedMeter, runEmulator } from './emulator.ts';
import { listenOn, type ServedDevice } from './http-device.ts';

/** Lets an emulated meter answer on a plain socket of this machine's loopback, one connection at a time. Throws InputError where the port is taken. */
export async function serveLine(meter: EmulatedMeter, port: number): Promise<ServedDevice> {
  let connected: Socket | null = null;
  let take = (_: Uint8Array) => {};
  const end = runEmulator(meter, {
    write: (bytes) => void (bytes.length > 0 && connected?.write(bytes)),
    onData: (listener) => {
      take = listener;
    },
  });
  const server = createServer((socket) => {
    connected?.destroy();
    connected = socket.on('data', (chunk) => take(chunk)).on('error', () => socket.destroy());
  });
  const address = await listenOn(server, port);
  return {
    address,
    close: () =>
      new Promise((resolve) => {
        end();
        server.close(() => resolve());
        connected?.destroy();
      }),
  };
}
