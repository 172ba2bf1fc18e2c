// Class: system.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { main } from '../../../../src/cli.ts';
import { meterTypes } from '../../../../src/meters/registry.ts';
import { SerialLine } from '../../../../src/meters/serial/line.ts';
import { findPorts, findRapl } from '../../../../src/parts/bench/tools/find.ts';
import { type StartedEmulator, startEmulator } from '../../../emulators/start.ts';
import { asNobody } from '../../../meters/as-nobody.ts';
import { PowercapTree } from '../../../meters/rapl/powercap-tree.ts';
import { VirtualHost } from '../../../meters/virtual-host.ts';
import { itAsRoot } from '../../../setup/as-root.ts';

let ports: string;
let tree: PowercapTree;
const emulators: StartedEmulator[] = [];
const environment = { ...process.env };

beforeEach(() => {
  ports = mkdtempSync(join(tmpdir(), 'joulediff-ports-'));
  tree = new PowercapTree();
  process.env.JOULEDIFF_SERIAL_PORTS = ports;
  process.env.JOULEDIFF_POWERCAP_ROOT = tree.root;
});
afterEach(async () => {
  await Promise.all(emulators.splice(0).map((one) => one.stop()));
  tree.remove();
  rmSync(ports, { recursive: true });
  process.env = { ...environment };
});

async function plug(name: string, ...args: string[]): Promise<StartedEmulator> {
  const emulator = await startEmulator('watts-up-pro', ...args);
  emulators.push(emulator);
  symlinkSync(emulator.port, join(ports, name));
  return emulator;
}

async function list(...words: string[]) {
  let stdout = '';
  const streams = { stdout: { write: (text: string) => (stdout += text) }, stderr: { write: () => {} } };
  return { code: await main(['meter', 'list', ...words], streams), stdout };
}

describe('findPorts', () => {
  it('tells of a chip that only its owner can name', async () => {
    const host = new VirtualHost();
    host.plug('/dev/usb-mcp', 'mcp39f511n');
    const [found] = await host.clock.run(
      findPorts(meterTypes, host, [{ path: '/dev/usb-mcp', device: '/dev/ttyACM0' }]),
    );
    expect(found).toMatchObject({
      path: '/dev/usb-mcp',
      state: 'meter',
      meter: null,
      detail: expect.stringMatching(/MCP39F511N or MCP39F511/),
    });
  });

  it('tells what answers, with the name to use, and asks nothing that changes a meter', async () => {
    const host = new VirtualHost();
    const [meter, other] = [
      host.plug('/dev/a', 'watts-up-pro'),
      host.plug('/dev/b', 'watts-up-pro', '--play', 'silent'),
    ];
    const wattsUp = meterTypes.filter(({ type }) => type === 'watts-up-pro');
    const ports = ['/dev/a', '/dev/b'].map((path) => ({ path, device: path }));
    expect(await host.clock.run(findPorts(wattsUp, host, ports))).toMatchObject([
      {
        path: '/dev/a',
        state: 'meter',
        meter: 'watts-up-pro:/dev/a',
        detail: 'An emulated Watts Up? PRO answers.',
      },
      {
        path: '/dev/b',
        state: 'silent',
        meter: null,
        detail: 'No meter that can be identified answers.',
      },
    ]);
    expect(meter.truth().received).toBe('#V,R,0;');
    expect(other.truth().received).toBe('#V,R,0;#V,R,0;');
  });

  it('asks each port once, under its most stable name', async () => {
    const meter = await plug('usb-a');
    symlinkSync(meter.port, join(ports, 'usb-a-again'));
    const wattsUp = meterTypes.filter(({ type }) => type === 'watts-up-pro');
    expect((await findPorts(wattsUp)).map(({ path }) => path)).toEqual([join(ports, 'usb-a')]);
    expect(meter.truth().received).toBe('#V,R,0;');
  });

  it('names the process that has a port, and does not touch that', async () => {
    const used = await plug('usb-a');
    const line = await SerialLine.open(used.port, { baudRate: 115_200 });
    const [found] = await findPorts(meterTypes);
    await line.close();
    expect(found).toMatchObject({ state: 'unusable', holder: { pid: process.pid } });
    expect(found?.detail).toContain(`is in use by process ${process.pid}`);
    expect(used.truth().received).toBe('');
  });

  itAsRoot('tells of a port that this user may not use, with the remedy', async () => {
    const meter = await plug('usb-a');
    chmodSync(meter.port, 0o600);
    chmodSync(ports, 0o755);
    chmodSync(join(meter.port, '..'), 0o755);
    const [found] = await asNobody(() => findPorts(meterTypes));
    expect(found).toMatchObject({ state: 'unusable', holder: null });
    expect(found?.detail).toMatch(/is not allowed to use the serial port/);
    expect(found?.advice).toMatch(/udev rule/);
  });
});

describe('findRapl', () => {
  it('tells the domains, which are summed up, and which may be read', async () => {
    tree.zone('intel-rapl:0', 'package-0').zone('intel-rapl:0:0', 'core').zone('intel-rapl:0:1', 'dram');
    tree.zone('intel-rapl-mmio:0', 'package-0').zone('intel-rapl:1', 'psys');
    const { domains, usable } = await findRapl();
    expect(usable).toBe(true);
    expect(domains.map(({ path, name, counted }) => [path.slice(tree.root.length + 1), name, counted])).toEqual([
      ['intel-rapl-mmio:0', 'package-0', false],
      ['intel-rapl:0', 'package-0', true],
      ['intel-rapl:0:0', 'core', false],
      ['intel-rapl:0:1', 'dram', true],
      ['intel-rapl:1', 'psys', false],
    ]);
    expect(domains.every(({ readable }) => readable)).toBe(true);
  });

  it('tells the remedy where the counters are for root only', async () => {
    tree.zone('intel-rapl:0', 'package-0');
    chmodSync(tree.root, 0o755);
    chmodSync(join(tree.root, 'intel-rapl:0', 'energy_uj'), process.getuid?.() === 0 ? 0o400 : 0o000);
    const found = await asNobody(() => findRapl());
    expect(found).toMatchObject({ usable: false, domains: [{ name: 'package-0', readable: false, counted: true }] });
    expect(found.detail).toContain('this user may not read');
    expect(found.advice).toContain('SUBSYSTEM=="powercap"');
  });
});

describe('joulediff meter list', () => {
  it('has a sentence for everything that is not there', async () => {
    mkdirSync(join(tree.root, 'intel-rapl'));
    const { code, stdout } = await list();
    expect(code).toBe(0);
    expect(stdout).toContain(`There is no serial port in ${ports}. Is the meter connected to this machine?`);
    expect(stdout).toContain(`RAPL is not available: there is no processor package in ${tree.root}.`);
    expect(stdout).toContain('--meter estimate');
  });

  it('shows meters by the names that --meter takes, and as JSON', async () => {
    await plug('usb-a');
    tree.zone('intel-rapl:0', 'package-0');
    const found = JSON.parse((await list('--json')).stdout);
    expect(found).toMatchObject({ serial_ports: [{ state: 'meter' }], rapl: { usable: true } });
    const chip = await startEmulator('mcp39f511n');
    emulators.push(chip);
    symlinkSync(chip.port, join(ports, 'usb-mcp'));
    const { stdout } = await list();
    expect(stdout).toContain('MCP39F511N');
    expect(stdout).toContain(`\n    --meter watts-up-pro:${join(ports, 'usb-a')}\n`);
    expect(stdout).toMatch(/\n {2}package-0 {2}readable {6}counted {6}intel-rapl:0\n/);
    expect(stdout).toContain('\n  --meter rapl\n');
  });
});
