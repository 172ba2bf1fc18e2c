// Class: system.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { pmic } from '../../../src/meters/pmic/pmic.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { sleep } from '../../../src/system/clock.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { keepPrinting } from '../program/played.ts';
import type { VirtualProgram } from '../virtual-host.ts';
import { adcLines, answerOf } from './rails.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-pmic-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const END = 'joulediff: ended with';
const LINE = `while :; do 'vcgencmd' pmic_read_adc 2>&1; echo "${END} $?"; sleep 0.5; done`;

type Answer = readonly string[];

/** A Raspberry Pi 5 that answers every 0.52 s; `faults` are what it prints instead the next times. */
function board(load: ConstructorParameters<typeof World>[0] = { idleW: 4, loadW: 9 }) {
  const world = new World(load);
  const started: VirtualProgram[] = [];
  const faults: Answer[] = [];
  world.host.play = (program) => {
    started.push(program);
    const shownW = (nowNs: bigint) => world.load.energyJ(nowNs - 1_000_000n, nowNs) * 1000;
    void keepPrinting(world, program, 520, (nowNs) => faults.shift() ?? answerOf(shownW(nowNs)));
  };
  return { world, started, faults };
}

/** Without the line of this rail. */
const without = (line: string): Answer => answerOf(4).filter((one) => !one.includes(line));
const instead = (line: string, other: string): Answer => answerOf(4).map((one) => (one.includes(line) ? other : one));

describe('pmic', () => {
  it('measures the true sum of the rails over 200 runs, with one shell as long as the meter', async () => {
    const { world, started } = board({ idleW: 4, loadW: 9, noiseW: 0.05 });
    await measuresTheTruth(world, 'pmic', 0.015);
    expect(started.map(({ command }) => command)).toEqual([LINE]);
  });

  it('says that it is a sum of rails, of which ones, and what is not in it', async () => {
    const { world } = board();
    const { info } = await world.run(() => world.open('pmic?gain=5'));
    const rails = ['0V8_AON', '0V8_SW', '1V1_SYS', '1V8_SYS', '3V3_ADC', '3V3_DAC', '3V3_SYS', '3V7_WL_SW'];
    const others = ['DDR_VDD2', 'DDR_VDDQ', 'HDMI', 'VDD_CORE'];
    expect(info).toMatchObject({
      type: 'pmic',
      address: null,
      source: 'measured',
      identity: { sumOfRails: [...rails, ...others].join(' ') },
      accuracy: { gainPercent: 5, offsetW: 0 },
      minimumGuardS: 2,
      channels: [{ channel: 'sum-of-rails', integration: 'guard', clock: 'host', samplingPeriodS: 0.52, edgeS: 0.52 }],
    });
    expect(info.channels[0]).not.toHaveProperty('part');
    expect(info.remarks.slice(0, 2)).toEqual([
      `A sum of rails, not the board’s 5 V input: ${[...rails, ...others].join(', ')}. USB, PCIe and the converters’ own losses are not in it.`,
      'Not in the sum, for lack of a current or a voltage: BATT, EXT5V.',
    ]);
  });

  it.each<[string, Answer, string]>([
    [
      'no program',
      ['sh: 1: vcgencmd: not found', `${END} 127`],
      'is no rail of a Raspberry Pi 5: "sh: 1: vcgencmd: not found".',
    ],
    ['no right', ["Can't open device file: /dev/vcio", `${END} 255`], `"Can't open device file: /dev/vcio".`],
    ['another firmware', ['error=1 error_msg="Command not registered"', '', `${END} 0`], 'Command not registered'],
    ['nothing to say', ['', `${END} 0`], 'without a rail that has a current and a voltage.'],
    ['voltages alone', [...adcLines(4).filter((line) => line.includes('volt')), `${END} 0`], 'without a rail'],
    ['a failure', [...adcLines(4), `${END} 1`], 'says that vcgencmd failed: "ended with 1".'],
  ])('refuses a machine with %s', async (_, answer, reported) => {
    const { world, faults } = board();
    faults.push(answer);
    const error = await world.run(() => rejection(world.open('pmic')));
    expect(error.message).toMatch(/^vcgencmd prints a line that /);
    expect(error.message).toContain(reported);
    expect(error.advice).toContain('vcgencmd pmic_read_adc');
  });

  it.each<[string, Answer, RegExp]>([
    [
      'a rail that is named twice',
      [...adcLines(4), adcLines(4)[0] ?? '', `${END} 0`],
      /names the rail 3V7_WL_SW twice/,
    ],
    ['a current that is missing', without('VDD_CORE_A'), /with other rails than the first: 0V8_AON .* HDMI$/],
    ['a voltage that is missing', without('VDD_CORE_V'), /with other rails than the first/],
    ['a negative current', instead('VDD_CORE_A', 'VDD_CORE_A current(7)=-0.75012000A'), /is no rail/],
    ['a current in volts', instead('VDD_CORE_A', 'VDD_CORE_A current(7)=0.75012000V'), /is no rail/],
    ['half a line', instead('VDD_CORE_V', '    VDD_CORE_V volt(15)='), /is no rail/],
    ['no number', instead('HDMI_V', '        HDMI_V volt(23)=nanV'), /is no rail/],
    ['what no board takes', answerOf(400), /ends an answer of 400 W, more than a Raspberry Pi 5 can take/],
    ['garbage', ['\x1b[31m\u202e garbage', ...answerOf(4)], /is no rail of a Raspberry Pi 5: "\\u001b\[31m/],
    ['a firmware that is busy', ['vc_gencmd_read_response returned -1', '', `${END} 255`], /returned -1"/],
    ['half an answer', [...adcLines(4).slice(0, 5), `${END} 137`], /says that vcgencmd failed: "ended with 137"/],
  ])('has one gap at %s, and goes on', async (_, answer, reported) => {
    const { world, faults } = board();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('pmic');
      await meter.start(collected);
      await collected.until(({ samples }) => samples.length >= 2);
      faults.push(answer);
      await collected.until(({ events }) => events.length > 0);
      const before = collected.samples.length;
      await collected.until(({ samples }) => samples.length >= before + 4);
      await meter.stop();
    });
    expect(collected.events).toHaveLength(1);
    expect(collected.events[0]?.detail).toMatch(/^A line of the program /);
    expect(collected.events[0]?.detail.replace(/\.$/, '')).toMatch(reported);
    expect(collected.events[0]?.detail).not.toMatch(/[\x00-\x1f\u202e]/);
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples.every(({ powerW }) => Math.abs(powerW - 4) < 0.004)).toBe(true);
  });

  it('is lost where the program hangs, and ends it', async () => {
    const { world, faults, started } = board();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('pmic');
      await meter.start(collected);
      faults.push(...Array.from({ length: 30 }, () => []));
      await collected.until(({ lostWith }) => lostWith.length > 0);
      await sleep(world.host.clock, 1000);
    });
    expect(collected.lostWith[0]?.message).toBe('The program of the meter pmic has given no reading for 5 s.');
    expect(started.every(({ isStopped }) => isStopped)).toBe(true);
  });

  it('runs a real program, by its path, again and again', async () => {
    const program = join(folder, "it's vcgencmd");
    writeFileSync(
      program,
      `#!/bin/sh\n[ "$*" = pmic_read_adc ] || exit 3\ncat <<'EOF'\n${adcLines(4).join('\n')}\nEOF\n`,
    );
    chmodSync(program, 0o755);
    const { meters } = await openMeters([`pmic?period=100ms&source=emulated&program=${encodeURIComponent(program)}`]);
    const collected = new Collected();
    await meters[0]?.start(collected);
    await collected.until(({ samples }) => samples.length >= 3);
    await meters[0]?.stop();
    expect(collected.lostWith).toEqual([]);
    expect(collected.samples[0]?.powerW).toBeCloseTo(4, 2);
    expect(meters[0]?.info.source).toBe('emulated');
  });

  it('says so where the program is not installed', async () => {
    const error = await rejection(openMeters(['pmic?program=/no/such/vcgencmd']));
    expect(error.message).toMatch(
      /^vcgencmd prints a line that is no rail of a Raspberry Pi 5: ".*\/no\/such\/vcgencmd: /,
    );
  });

  it('is found where the device tree names the processor of a Raspberry Pi 5', () => {
    mkdirSync(join(folder, 'tree'));
    const compatible = (...names: string[]) =>
      writeFileSync(join(folder, 'tree/compatible'), names.map((name) => `${name}\0`).join(''));
    compatible('raspberrypi,5-model-b', 'brcm,bcm2712');
    expect(pmic.found?.(join(folder, 'tree'))).toEqual(['pmic']);
    compatible('raspberrypi,4-model-b', 'brcm,bcm2711');
    expect(pmic.found?.(join(folder, 'tree'))).toEqual([]);
    expect(pmic.found?.(join(folder, 'nothing'))).toEqual([]);
  });

  it.each([
    ['pmic:0', 'The meter type pmic takes no address, but "pmic:0" has "0".'],
    ['pmic?rails=all', 'The meter type pmic has no option "rails" (in "pmic?rails=all").'],
    [
      'pmic?period=1ms',
      'The option period=1ms in the meter name "pmic?period=1ms" is not possible: it must be 0.1 to 10 seconds.',
    ],
  ])('refuses the name %s', async (name, reported) => {
    expect((await rejection(openMeters([name]))).message).toBe(reported);
  });
});
