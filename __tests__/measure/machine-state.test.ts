// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { MachineSensors } from '../../src/measure/machine-state.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A tree of /sys and /proc with these files. */
function machine(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), 'joulediff-machine-'));
  folders.push(root);
  for (const [path, text] of Object.entries(files)) put(root, path, text);
  return root;
}

function put(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${text}\n`);
}

const stat = (busyTicks: number): string => `cpu  ${busyTicks} 0 0 90000 50 0 0 0 0 0\ncpu0 1 0 0 1 1 0 0 0 0 0`;
const wait = (s: number): Promise<void> => new Promise((done) => setTimeout(done, 1000 * s));

describe('the state of the machine before a run', () => {
  it('is the governor of all processors, and the hottest package', () => {
    const root = machine({
      'sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'performance',
      'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'performance',
      'sys/class/hwmon/hwmon0/name': 'nvme',
      'sys/class/hwmon/hwmon0/temp1_input': '80000',
      'sys/class/hwmon/hwmon1/name': 'coretemp',
      'sys/class/hwmon/hwmon1/temp1_label': 'Package id 0',
      'sys/class/hwmon/hwmon1/temp1_input': '51000',
      'sys/class/hwmon/hwmon1/temp2_label': 'Core 0',
      'sys/class/hwmon/hwmon1/temp2_input': '66000',
      'sys/class/hwmon/hwmon2/name': 'coretemp',
      'sys/class/hwmon/hwmon2/temp1_label': 'Package id 1',
      'sys/class/hwmon/hwmon2/temp1_input': '53500',
      'sys/class/thermal/thermal_zone0/type': 'acpitz',
      'sys/class/thermal/thermal_zone0/temp': '99000',
    });
    const sensors = new MachineSensors(root);
    expect(sensors.read()).toEqual({ governor: 'performance', temperatureC: 53.5, load: null });
    put(root, 'sys/devices/system/cpu/cpufreq/policy1/scaling_governor', 'powersave');
    put(root, 'sys/class/hwmon/hwmon1/temp1_input', '60000');
    expect(sensors.read()).toMatchObject({ governor: 'performance, powersave', temperatureC: 60 });
  });

  it.each([
    [
      'a thermal zone',
      { 'sys/class/thermal/thermal_zone2/type': 'x86_pkg_temp', 'sys/class/thermal/thermal_zone2/temp': '47000' },
      47,
    ],
    [
      'a board',
      { 'sys/class/thermal/thermal_zone0/type': 'cpu-thermal', 'sys/class/thermal/thermal_zone0/temp': '38459' },
      38.459,
    ],
    [
      'an AMD processor',
      {
        'sys/class/hwmon/hwmon3/name': 'k10temp',
        'sys/class/hwmon/hwmon3/temp1_label': 'Tctl',
        'sys/class/hwmon/hwmon3/temp1_input': '44125',
      },
      44.125,
    ],
    ['no sensor', {}, null],
    [
      'a sensor that fails',
      { 'sys/class/thermal/thermal_zone0/type': 'cpu-thermal', 'sys/class/thermal/thermal_zone0/temp': 'N/A' },
      null,
    ],
  ])('reads the temperature of %s', (_, files, temperature) => {
    expect(new MachineSensors(machine(files)).read()).toEqual({
      governor: null,
      temperatureC: temperature,
      load: null,
    });
  });

  it('has the load of what else runs during the rest', async () => {
    const root = machine({ 'proc/stat': stat(1000) });
    const sensors = new MachineSensors(root);
    const beforeMs = performance.now();
    sensors.begin();
    await wait(0.5);
    put(root, 'proc/stat', stat(1100));
    const { load } = sensors.read();
    // A second of work in half a second, or more where this machine was late; a timer may come up to 1 ms early.
    expect(load).toBeGreaterThanOrEqual(1000 / (performance.now() - beforeMs));
    expect(load).toBeLessThanOrEqual(1 / 0.499);
  });

  it('does not tell a load by a few ticks, nor without a beginning', () => {
    const sensors = new MachineSensors(machine({ 'proc/stat': stat(1000) }));
    expect(sensors.read().load).toBeNull();
    sensors.begin();
    expect(sensors.read().load).toBeNull();
  });

  it('is null where the files have another form', () => {
    const sensors = new MachineSensors(machine({ 'proc/stat': 'intr 5' }));
    sensors.begin();
    expect(sensors.read()).toEqual({ governor: null, temperatureC: null, load: null });
  });
});
