// Class: unit.
import { expect, it } from '@jest/globals';
import {
  frequencyLimits,
  governors,
  hottestC,
  processorsIn,
  temperatureSensors,
  throttleCounters,
  timesThrottled,
  turbo,
} from '../../src/machine/processors.ts';
import { LaidMachine } from './laid-files.ts';

const CPUS = 'sys/devices/system/cpu';

it.each([
  ['0', [0]],
  ['0,2-5', [0, 2, 3, 4, 5]],
  ['', []],
])('reads the list %j', (list, numbers) => {
  expect(processorsIn(list)).toEqual(numbers);
});

it('names each governor once', () => {
  const policy = (n: number): string => `${CPUS}/cpufreq/policy${n}/scaling_governor`;
  using machine = new LaidMachine({ [policy(0)]: 'powersave', [policy(1)]: 'performance', [policy(2)]: 'powersave' });
  expect(governors(machine.files)).toEqual(['performance', 'powersave']);
});

it.each([
  ['Intel, on', 'intel_pstate/no_turbo', '0', true, '1'],
  ['Intel, off', 'intel_pstate/no_turbo', '1', false, '1'],
  ['AMD, on', 'cpufreq/boost', '1', true, '0'],
  ['AMD, off, one file a processor', 'cpu0/cpufreq/boost', '0', false, '0'],
])('tells whether processors may exceed their base frequency: %s', (_, file, text, on, offValue) => {
  using machine = new LaidMachine();
  expect(turbo(machine.files)).toBeNull();
  const path = `${CPUS}/${file}`;
  machine.lay({ [path]: text });
  expect(turbo(machine.files)).toEqual({ on, file: path, offValue });
});

it('gives the limit of each policy, and who set it', () => {
  const policy = (n: number, files: Readonly<Record<string, string>>) =>
    Object.entries(files).map(([name, text]): [string, string] => [`${CPUS}/cpufreq/policy${n}/${name}`, text]);
  using machine = new LaidMachine(
    Object.fromEntries([
      ...policy(0, { cpuinfo_max_freq: '4000000', scaling_max_freq: '2000000', scaling_min_freq: '800000' }),
      ...policy(1, { cpuinfo_max_freq: '4000000', scaling_max_freq: '4000000', bios_limit: '3000000' }),
      ...policy(2, { cpuinfo_max_freq: '0', scaling_max_freq: '4000000' }),
    ]),
  );
  expect(frequencyLimits(machine.files)).toEqual([
    {
      policy: `${CPUS}/cpufreq/policy0`,
      mostHz: 4e9,
      limitHz: 2e9,
      leastHz: 8e8,
      file: `${CPUS}/cpufreq/policy0/scaling_max_freq`,
    },
    {
      policy: `${CPUS}/cpufreq/policy1`,
      mostHz: 4e9,
      limitHz: 3e9,
      leastHz: null,
      file: `${CPUS}/cpufreq/policy1/bios_limit`,
    },
  ]);
});

it('sums how often processors were throttled, where all of them tell', () => {
  const count = (cpu: number, of: string): string => `${CPUS}/cpu${cpu}/thermal_throttle/${of}_throttle_count`;
  using machine = new LaidMachine({ [count(0, 'core')]: '3', [count(0, 'package')]: '4', [count(1, 'core')]: '5' });
  const counters = throttleCounters(machine.files);
  expect(counters).toEqual([count(0, 'core'), count(0, 'package'), count(1, 'core')]);
  expect(timesThrottled(machine.files, counters)).toBe(12);
  expect(timesThrottled(machine.files, [...counters, count(2, 'core')])).toBeNull();
  expect(timesThrottled(machine.files, [])).toBeNull();
});

it('reads the package where a driver names one, else all of its sensors, else the zones of processors', () => {
  const disk = { 'sys/class/hwmon/hwmon0/name': 'nvme', 'sys/class/hwmon/hwmon0/temp1_input': '90000' };
  const zone = (n: number, type: string, milli: string) => ({
    [`sys/class/thermal/thermal_zone${n}/type`]: type,
    [`sys/class/thermal/thermal_zone${n}/temp`]: milli,
  });
  using board = new LaidMachine({ ...disk, ...zone(0, 'acpitz', '30000'), ...zone(1, 'cpu-thermal', '51500') });
  expect(hottestC(board.files, temperatureSensors(board.files))).toBe(51.5);
  const chip = 'sys/class/hwmon/hwmon1';
  board.lay({ [`${chip}/name`]: 'coretemp', [`${chip}/temp2_input`]: '60000', [`${chip}/temp3_input`]: '70000' });
  expect(hottestC(board.files, temperatureSensors(board.files))).toBe(70);
  board.lay({ [`${chip}/temp1_input`]: '65000', [`${chip}/temp1_label`]: 'Package id 0' });
  expect(hottestC(board.files, temperatureSensors(board.files))).toBe(65);
  using nothing = new LaidMachine();
  expect(hottestC(nothing.files, temperatureSensors(nothing.files))).toBeNull();
});
