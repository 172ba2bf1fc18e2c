// Class: system.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { runEmulator } from '../../../src/meters/emulator/emulator.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import { openPty, type Pty } from '../../../src/meters/emulator/pty.ts';
import { HidrawLine } from '../../../src/meters/fnirsi/hidraw.ts';
import { openMeters, THIS_HOST } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';
import { FnirsiEmulator, hidrawTree } from './emulator.ts';

// A pseudo-terminal in raw mode stands in the place of the device: it gives and takes the same bytes, a report at a time.

const folder = mkdtempSync(join(tmpdir(), 'joulediff-hidraw-'));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function plug(): Promise<{ pty: Pty; emulator: FnirsiEmulator }> {
  const pty = await openPty(join(folder, 'hidraw0'));
  const originNs = process.hrtime.bigint();
  const load = new Load({ idleW: 40, loadW: 40, noiseW: 0, seed: 1, originNs });
  const emulator = new FnirsiEmulator({ energyJ: load.energyJ.bind(load), originNs, seed: 1, latencyNs: 0n });
  const end = runEmulator(emulator, pty);
  closing.push(end, () => pty.close());
  return { pty, emulator };
}

describe('a HID device', () => {
  it('is read report by report, and each command is a report without a number', async () => {
    const { pty, emulator } = await plug();
    const root = hidrawTree(join(folder, 'tree'), { hidraw0: { id: '0483:003A' } });
    const { meters } = await openMeters([`fnirsi:/dev/hidraw0?root=${encodeURIComponent(root)}`], {
      ...THIS_HOST,
      openHidraw: () => THIS_HOST.openHidraw(pty.path),
    });
    const collected = new Collected();
    await meters[0]?.start(collected);
    await collected.until(({ samples, lostWith }) => samples.length >= 4 || lostWith.length > 0);
    await meters[0]?.stop();
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 40) < 0.001)).toBe(true);
    expect(emulator.received.slice(0, 3)).toEqual([0x81, 0x82, 0x83]);
  });

  it('is lost when it is pulled out, and takes nothing afterwards', async () => {
    const { pty } = await plug();
    const line = await HidrawLine.open(pty.path);
    const lost = new Promise<Error>((resolve) => line.onLost(resolve));
    await pty.close();
    expect((await lost).message).toMatch(/^The meter .*hidraw0 was unplugged or failed \(/);
    expect((await rejection(line.write(new Uint8Array(64)))).message).toBe((await lost).message);
    expect(await new Promise<Error>((resolve) => line.onLost(resolve))).toBe(await lost);
    await line.close();
    await line.close();
  });

  it('gets what it can not take at once a little later', async () => {
    const path = join(folder, 'full');
    execFileSync('mkfifo', [path]);
    const line = await HidrawLine.open(path);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(2 ** 16, 'x'));
    const heard: Uint8Array[] = [];
    // What is read makes room.
    line.onData((bytes) => heard.push(bytes));
    await line.write(new Uint8Array(64).fill(7));
    while (!Buffer.concat(heard).includes(7)) await setTimeout(10);
    expect(Buffer.concat(heard).subarray(2 ** 16)).toEqual(Buffer.from([0, ...new Uint8Array(64).fill(7)]));
    await line.close();
    closeSync(file);
  });

  it('is told where it is not there', async () => {
    const error = await rejection(HidrawLine.open('/dev/hidraw77'));
    expect(error.message).toBe("The instrument /dev/hidraw77 can't be opened: it is not there.");
    expect(error.advice).toContain('USB port');
  });

  it('takes nothing when it is closed', async () => {
    const { pty } = await plug();
    const line = await HidrawLine.open(pty.path);
    await line.close();
    expect((await rejection(line.write(new Uint8Array(64)))).message).toMatch(/ is closed\.$/);
  });
});
