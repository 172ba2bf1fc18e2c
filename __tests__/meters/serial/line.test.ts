// Class: system.
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { SerialPort } from 'serialport';
import { MeasureError } from '../../../src/errors.ts';
import { SerialLine } from '../../../src/meters/serial/line.ts';
import { listSerialPorts, portsThatAreThere } from '../../../src/meters/serial/ports.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';
import { itAsRoot } from '../../setup/as-root.ts';
import { asNobody } from '../as-nobody.ts';
import { rejection } from '../collect.ts';

const format = { baudRate: 115_200 };
const folder = mkdtempSync(join(tmpdir(), 'joulediff-serial-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('SerialLine on what is no serial port', () => {
  it('tells that there is no such port, and which there are', async () => {
    const error = await rejection(SerialLine.open('/dev/serial/by-id/nothing', format));
    expect(error).toBeInstanceOf(MeasureError);
    expect(error.message).toBe('The serial port /dev/serial/by-id/nothing does not exist.');
    expect(error.advice).toBe(portsThatAreThere());
  });

  it.each(['/dev/null', folder, join(folder, 'file')])('tells that %s is none', async (path) => {
    writeFileSync(join(folder, 'file'), '');
    expect((await rejection(SerialLine.open(path, format))).message).toBe(`${path} is not a serial port.`);
  });
});

describe('SerialLine on a pseudo-terminal', () => {
  let emulator: StartedEmulator;
  beforeAll(async () => {
    emulator = await startEmulator('watts-up-pro', '--play', 'echo');
  });
  afterAll(() => emulator.stop());
  const lines: SerialLine[] = [];
  afterEach(() => Promise.all(lines.splice(0).map((line) => line.close())));
  const open = async (path = emulator.port, more: object = {}) => {
    const line = await SerialLine.open(path, { ...format, ...more });
    lines.push(line);
    return line;
  };

  it('is opened again while a child of ours that was just started has a copy of what we closed', async () => {
    const port = new SerialPort({ path: emulator.port, ...format, lock: true, autoOpen: false });
    await new Promise<void>((done, fail) => port.open((error) => (error ? fail(error) : done())));
    const { fd } = port.port as unknown as { fd: number };
    spawn('sleep', ['0.5'], { stdio: ['ignore', 'ignore', 'ignore', fd] });
    await new Promise<void>((done) => port.close(() => done()));
    expect((await open()).path).toBe(emulator.port);
  });

  it('carries every byte both ways, with the time of its arrival', async () => {
    const line = await open();
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const beforeNs = process.hrtime.bigint();
    const chunks: Buffer[] = [];
    const times: bigint[] = [];
    const all = new Promise<void>((resolve) =>
      line.onData((chunk, tNs) => {
        chunks.push(Buffer.from(chunk));
        times.push(tNs);
        if (Buffer.concat(chunks).length >= 256) resolve();
      }),
    );
    await line.write(bytes);
    await all;
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(bytes));
    expect(times.every((tNs) => tNs > beforeNs && tNs <= process.hrtime.bigint())).toBe(true);
  });

  it('opens with other formats, and again after it was closed', async () => {
    for (const more of [{ baudRate: 9600 }, { parity: 'even', stopBits: 2 }, {}])
      await (await open(undefined, more)).close();
  });

  it('leaves the settings of a port alone that is in use', async () => {
    await open(emulator.port, { baudRate: 9600 });
    const error = await rejection(open());
    expect(error.message).toContain(`in use by process ${process.pid}`);
    expect(execFileSync('stty', ['-F', emulator.port, 'speed'], { encoding: 'utf8' }).trim()).toBe('9600');
  });

  it('refuses to write after it was closed', async () => {
    const line = await open();
    await line.close();
    await line.close();
    expect((await rejection(line.write(Buffer.from('x')))).message).toBe(`The serial port ${emulator.port} is closed.`);
  });

  itAsRoot('tells a user without rights which group to join', async () => {
    const device = realpathSync(emulator.port);
    chownSync(device, 0, 20);
    chmodSync(device, 0o660);
    const group = execFileSync('stat', ['-c', '%G', device], { encoding: 'utf8' }).trim();
    const error = await asNobody(() => rejection(SerialLine.open(device, format)));
    expect(error.message).toContain(`is not allowed to use the serial port ${device}.`);
    expect(error.advice).toContain(`It belongs to the group ${group}: \`sudo usermod -aG ${group} `);
  });

  it('lists ports by their stable names, without those that point nowhere', () => {
    symlinkSync(emulator.port, join(folder, 'usb-b'));
    symlinkSync('/dev/nowhere', join(folder, 'usb-a'));
    expect(listSerialPorts(folder)).toContainEqual({
      path: join(folder, 'usb-b'),
      device: realpathSync(emulator.port),
    });
    expect(listSerialPorts(folder).map(({ path }) => path)).not.toContain(join(folder, 'usb-a'));
  });
});

describe('SerialLine that is unplugged', () => {
  it.each([
    'SIGKILL',
    'SIGTERM',
  ] as const)('tells it once when the far end ends by %s, and ends what is asked of it', async (signal) => {
    const emulator = await startEmulator('watts-up-pro', '--play', 'silent');
    try {
      const line = await SerialLine.open(emulator.port, format);
      const lost: Error[] = [];
      const reported = new Promise<void>((resolve) =>
        line.onLost((error) => {
          lost.push(error);
          resolve();
        }),
      );
      portProcess(emulator, signal);
      await reported;
      expect((await rejection(line.write(Buffer.from('x')))).message).toContain('was unplugged or failed');
      await line.close();
      expect(lost).toHaveLength(1);
      expect(lost[0]?.message).toContain(`The serial port ${emulator.port} was unplugged or failed`);
    } finally {
      await emulator.stop();
    }
  });

  it('gives up a write that is not taken, and survives an unplug with bytes in flight', async () => {
    const emulator = await startEmulator('watts-up-pro', '--play', 'silent');
    try {
      const line = await SerialLine.open(emulator.port, format);
      const lost: Error[] = [];
      line.onLost((error) => lost.push(error));
      portProcess(emulator, 'SIGSTOP');
      const error = await rejection(line.write(Buffer.alloc(200_000, 'x')));
      expect(error.message).toBe(`The serial port ${emulator.port} accepts no data.`);
      const again = line.write(Buffer.from('y')).catch(() => {});
      portProcess(emulator, 'SIGKILL');
      await again;
      await line.close();
      expect(lost.length).toBeLessThanOrEqual(1);
    } finally {
      await emulator.stop();
    }
  });
});

/** Sends a signal to the process that holds the far end. */
function portProcess(emulator: StartedEmulator, signal: NodeJS.Signals): void {
  const pid = execFileSync('pgrep', ['-P', String(emulator.process.pid), '-x', 'socat'], { encoding: 'utf8' });
  process.kill(Number(pid), signal);
}
