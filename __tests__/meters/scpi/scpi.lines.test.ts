// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { type EmulatorSettings, runEmulator } from '../../../src/meters/emulator/emulator.ts';
import { Load } from '../../../src/meters/emulator/load.ts';
import { openPty } from '../../../src/meters/emulator/pty.ts';
import { serveLine } from '../../../src/meters/emulator/tcp.ts';
import { TcpLine } from '../../../src/meters/network/tcp-line.ts';
import { openMeters, THIS_HOST } from '../../../src/meters/registry.ts';
import { YokogawaEmulator } from '../../../src/meters/scpi/yokogawa-emulator.ts';
import { ZesEmulator } from '../../../src/meters/scpi/zes-emulator.ts';
import { SYSTEM_CLOCK, sleep } from '../../../src/system/clock.ts';
import { Collected, rejection } from '../collect.ts';

// The instrument on real lines; what it says over them is tried in scpi.test.ts, in no time.

const folder = mkdtempSync(join(tmpdir(), 'joulediff-scpi-'));
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function settings(): EmulatorSettings {
  const originNs = process.hrtime.bigint();
  const load = new Load({ idleW: 40, loadW: 40, noiseW: 0, seed: 1, originNs });
  const energyJ = load.energyJ.bind(load);
  return { energyJ, originNs, seed: 1, latencyNs: 0n };
}

const emulator = () => new YokogawaEmulator(settings(), { updateS: 0.1 });

/** Opens it, takes some readings and lets go. */
async function metered(name: string, host = THIS_HOST): Promise<Collected> {
  const { meters } = await openMeters([name], host);
  const collected = new Collected();
  try {
    await meters[0]?.start(collected);
    await collected.until(({ samples }) => samples.length >= 4);
  } finally {
    await meters[0]?.stop();
  }
  return collected;
}

/** How much is tried on a clock that stands still: here a busy machine decides when an answer is heard. */
const read = ({ samples }: Collected) => samples.every(({ powerW }) => powerW > 0);

describe('an instrument', () => {
  it('is read over a socket, and left as it was', async () => {
    const meter = emulator();
    const before = new Map(meter.state);
    const { address, close } = await serveLine(meter, 0);
    closing.push(close);
    const collected = await metered(`scpi:${address}?period=0.1`);
    expect(read(collected)).toBe(true);
    expect(collected.lostWith).toEqual([]);
    expect(meter.state).toEqual(before);
    expect(meter.integrator).toBe('RES');
    // What is told last is on its way when the driver has let go.
    while (meter.reported.at(-1) !== ':COMM:REM OFF') await sleep(SYSTEM_CLOCK, 5);
  });

  it('of another family is read over a socket, and left as it was', async () => {
    const meter = new ZesEmulator(settings(), { cycleS: 0.1 });
    const before = new Map(meter.state);
    const { address, close } = await serveLine(meter, 0);
    closing.push(close);
    const collected = await metered(`scpi:${address}?period=0.1`);
    expect(read(collected)).toBe(true);
    expect(collected.lostWith).toEqual([]);
    while (meter.reported.at(-1) !== 'gtl') await sleep(SYSTEM_CLOCK, 5);
    expect(meter.state).toEqual(before);
    expect(meter.isReset).toBe(true);
  });

  it('is read as a file, as the kernel’s USB driver shows it', async () => {
    const pty = await openPty(join(folder, 'usbtmc'));
    const meter = emulator();
    closing.push(runEmulator(meter, pty), () => pty.close());
    const { openUsbtmc } = THIS_HOST;
    const collected = await metered('scpi:/dev/usbtmc0?period=0.1', {
      ...THIS_HOST,
      openUsbtmc: () => openUsbtmc(pty.path),
    });
    expect(read(collected)).toBe(true);
    expect(meter.integrator).toBe('RES');
  });

  it('is told where it is not there', async () => {
    const missing = await rejection(openMeters(['scpi:/dev/usbtmc77']));
    expect(missing.message).toMatch(/^The instrument \/dev\/usbtmc77 can't be opened: it is not there\.$/);
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    const refused = await rejection(openMeters([`scpi:127.0.0.1:${port}`]));
    expect(refused.message).toMatch(
      new RegExp(`^No connection could be made to 127.0.0.1:${port}: the connection was refused\\.$`),
    );
  });

  it('is lost when its connection breaks off', async () => {
    const { address, close } = await serveLine(emulator(), 0);
    const { meters } = await openMeters([`scpi:${address}?period=0.1`]);
    const collected = new Collected();
    await meters[0]?.start(collected);
    await close();
    await collected.until(({ lostWith }) => lostWith.length > 0);
    expect(collected.lostWith[0]?.message).toMatch(new RegExp(`^The connection to ${address} broke off \\(`));
    await meters[0]?.stop();
  });
});

describe('TcpLine', () => {
  it('tells its loss to whoever listens late, and takes nothing afterwards', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const line = await TcpLine.open('127.0.0.1', (server.address() as AddressInfo).port);
    line.onData(() => {});
    const lost = await new Promise<Error>((resolve) => line.onLost(resolve));
    expect(lost.message).toMatch(/broke off \(it was closed at the other end\)\.$/);
    expect((await rejection(line.write(Buffer.from('x')))).message).toBe(lost.message);
    expect(await new Promise<Error>((resolve) => line.onLost(resolve))).toBe(lost);
    await line.close();
    await line.close();
    server.close();
  });
});
