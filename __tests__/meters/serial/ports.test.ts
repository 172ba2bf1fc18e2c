// Class: system.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lastingName } from '../../../src/meters/serial/ports.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'joulediff-ports-')));
  for (const folder of ['dev/serial/by-id', 'dev/serial/by-path', 'sys/bus/usb/devices', 'sys/class/tty'])
    mkdirSync(join(root, folder), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** An adapter in a socket, as Linux and udev show it: of those that are called the same, the last has the link. */
function plugIn(socket: string, tty: string, serial: string | null): void {
  const usb = join(root, 'sys/devices/usb1', socket);
  mkdirSync(join(usb, `${socket}:1.0`, tty), { recursive: true });
  const files = { idVendor: '1a86', idProduct: '7523', ...(serial === null ? {} : { serial }) };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(usb, name), `${text}\n`);
  symlinkSync(usb, join(root, 'sys/bus/usb/devices', socket));
  mkdirSync(join(root, 'sys/class/tty', tty));
  symlinkSync(join(usb, `${socket}:1.0`, tty), join(root, 'sys/class/tty', tty, 'device'));
  writeFileSync(join(root, 'dev', tty), '');
  const byId = join(root, 'dev/serial/by-id', `usb-1a86_${serial ?? 'USB_Serial'}`);
  rmSync(byId, { force: true });
  symlinkSync(`../../${tty}`, byId);
  symlinkSync(`../../${tty}`, join(root, 'dev/serial/by-path', socket));
}

const dev = (path: string) => join(root, 'dev', path);

describe('the name by which a lost port is opened again', () => {
  it('is its serial number’s where no other adapter has the same', () => {
    plugIn('1-1', 'ttyUSB0', 'A600');
    plugIn('1-2', 'ttyUSB1', 'B700');
    expect(lastingName(dev('ttyUSB1'), root)).toBe(dev('serial/by-id/usb-1a86_B700'));
    expect(lastingName(dev('serial/by-id/usb-1a86_B700'), root)).toBeNull();
    expect(lastingName(dev('serial/by-path/1-2'), root)).toBeNull();
  });

  it.each([
    null,
    '',
    '0001',
  ])('is its socket’s where two adapters share a name in by-id (serial number: %j)', (serial) => {
    plugIn('1-1', 'ttyUSB0', serial);
    plugIn('1-2', 'ttyUSB1', serial);
    const byId = dev(`serial/by-id/usb-1a86_${serial ?? 'USB_Serial'}`);
    expect(lastingName(dev('ttyUSB0'), root)).toBe(dev('serial/by-path/1-1'));
    for (const path of [dev('ttyUSB1'), byId]) expect(lastingName(path, root)).toBe(dev('serial/by-path/1-2'));
  });

  it('is its socket’s for an adapter without a serial number that is the only one yet', () => {
    plugIn('1-1', 'ttyUSB0', null);
    expect(lastingName(dev('ttyUSB0'), root)).toBe(dev('serial/by-path/1-1'));
    expect(lastingName(dev('ttyUSB7'), root)).toBeNull();
  });
});
