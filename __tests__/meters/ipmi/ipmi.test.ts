// Class: system.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { averagedPowerW } from '../../../src/meters/emulator/averaging-unit.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import type { VirtualProgram } from '../virtual-host.ts';

// No machine with such a controller was at hand: the program that is played prints what ipmitool 1.8 prints.

/** The format of lib/ipmi_dcmi.c. */
function printed(watts: number, state = 'activated'): string[] {
  const padded = String(watts).padStart(8);
  return [
    '',
    `    Instantaneous power reading:              ${padded} Watts`,
    '    Minimum during sampling period:                  6 Watts',
    '    Maximum during sampling period:                425 Watts',
    `    Average power reading over sample period: ${padded} Watts`,
    '    IPMI timestamp:                           Thu Dec  1 11:41:20 2022',
    '    Sampling period:                          00000001 Seconds.',
    `    Power reading state is:                   ${state}`,
    '',
    '',
  ];
}

const END = 'joulediff: ended with';
const LOCAL = `'ipmitool' dcmi power reading 2>&1; echo "${END} $?"; read -r _`;

type Answer = readonly string[] | null;

/** A machine whose ipmitool answers after 60 ms; `faults` are what it prints instead the next times, null for nothing. */
function machine(load: ConstructorParameters<typeof World>[0] = {}) {
  const world = new World(load);
  const started: VirtualProgram[] = [];
  const faults: Answer[] = [];
  world.host.play = (program) => {
    started.push(program);
    const lagged = { averageS: 10, refreshS: 10, lagNs: 0n, originNs: world.settings.originNs };
    const now = Math.round(averagedPowerW(world.settings, lagged, world.host.clock.nowNs()));
    const answer = faults.length > 0 ? (faults.shift() as Answer) : [...printed(now), `${END} 0`];
    world.host.clock.after(60, () => {
      for (const line of answer ?? []) program.print(line);
    });
  };
  return { world, started, faults };
}

describe('ipmi', () => {
  it('measures the true energy of runs of ten minutes, one process a reading', async () => {
    const { world, started } = machine({ idleW: 200, loadW: 400 });
    await measuresTheTruth(world, 'ipmi', 0.03, { seconds: 600 });
    expect(new Set(started.map(({ command }) => command))).toEqual(new Set([LOCAL]));
    expect(started.every(({ isStopped }) => isStopped)).toBe(true);
  });

  it('tells how coarse it is', async () => {
    const { world } = machine();
    const { info } = await world.run(() => world.open('ipmi?gain=5'));
    expect(info).toMatchObject({
      type: 'ipmi',
      address: null,
      accuracy: { gainPercent: 5, offsetW: 0 },
      minimumGuardS: 80,
      channels: [{ channel: 'wall', part: 'machine', samplingPeriodS: 20, resolutionW: 1 }],
    });
    expect(info.remarks[0]).toContain('for runs of ten minutes and more');
  });

  it.each<[string, Answer, string]>([
    [
      'no controller',
      ['Could not open device at /dev/ipmi0 or /dev/ipmi/0: No such file', `${END} 1`],
      'Could not open',
    ],
    [
      'no DCMI',
      ['', '    DCMI request failed because: Invalid command\x1b[31m', `${END} 1`],
      'Invalid command\\u001b[31m"',
    ],
    ['a measurement that is off', [...printed(0, 'deactivated'), `${END} 0`], 'is not activated.'],
    ['no program', ['sh: 1: ipmitool: not found', `${END} 127`], 'it says "sh: 1: ipmitool: not found".'],
    ['nothing', null, 'nothing came within 4 s.'],
    ['silence', [`${END} 0`], 'it says nothing.'],
  ])('refuses a machine with %s', async (_, answer, reported) => {
    const { world, faults } = machine();
    faults.push(answer);
    const error = await world.run(() => rejection(world.open('ipmi')));
    expect(error.message).toContain('No power can be read by ipmitool: ');
    expect(error.message).toContain(reported);
    expect(error.advice).toContain('ipmitool dcmi power reading');
  });

  it('goes on through what fails once, and is lost when it lasts', async () => {
    const { world, faults } = machine();
    const { collected } = world;
    await world.run(async () => {
      const meter = await world.open('ipmi');
      await meter.start(collected);
      for (const [fault, reported] of [
        [[...printed(40).slice(0, 5), `${END} 1`], /it says "Instantaneous power reading: /],
        [['Error: Unable to establish IPMI v2 / RMCP+ session', `${END} 1`], /RMCP\+ session"\.$/],
        [[...printed(999_999), `${END} 0`], /it reports 999999 W\.$/],
        [null, /nothing came within 4 s\.$/],
      ] as const) {
        faults.push(fault);
        await collected.until(({ events }) =>
          events.some(({ kind, detail }) => kind === 'gap' && reported.test(detail)),
        );
        const before = collected.samples.length;
        await collected.until(({ samples }) => samples.length >= before + 2);
      }
      expect(collected.lostWith).toEqual([]);
      expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);
      faults.push(...Array.from({ length: 10 }, () => null));
      await collected.until(({ lostWith }) => lostWith.length > 0);
      expect(collected.lostWith[0]?.message).toBe('The meter has given no reading for 20 s: nothing came within 4 s.');
      await meter.stop();
    });
  });

  it.each([
    ['ipmi:bmc', 'The meter "ipmi:bmc" needs a user and a password.'],
    [
      'ipmi?user=a&password-env=B',
      'The options user and password-env in the meter name "ipmi?user=a&password-env=B" are for a controller in the network.',
    ],
    ['ipmi:a b', '"a b" in the meter name "ipmi:a b" is not a host.'],
    [
      'ipmi:bmc?user=a&password-env=NO_SUCH_ONE',
      'The environment variable NO_SUCH_ONE, which the meter "ipmi" takes its secret from, is not set.',
    ],
  ])('refuses the name %s', async (name, reported) => {
    const { world } = machine();
    expect((await world.run(() => rejection(world.open(name)))).message).toBe(reported);
  });
});

describe('a real program', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-ipmi-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('gets its password in the environment alone, and is read to its end', async () => {
    const [program, seen] = [join(folder, 'ipmi tool'), join(folder, 'seen')];
    const body = printed(210).map((line) => `echo '${line}'`);
    writeFileSync(program, ['#!/bin/sh', `echo "$* | $IPMI_PASSWORD" > '${seen}'`, ...body].join('\n'));
    chmodSync(program, 0o755);
    process.env.JOULEDIFF_TEST_IPMI = 's3cret "$HOME"';
    const options = `user=it's me&password-env=JOULEDIFF_TEST_IPMI&program=${encodeURIComponent(program)}`;
    const { meters } = await openMeters([`ipmi:bmc.lan?${options}&source=emulated`]);
    const collected = new Collected();
    await meters[0]?.start(collected);
    await collected.until(({ samples }) => samples.length > 0);
    await meters[0]?.stop();
    expect(collected.samples[0]?.powerW).toBe(210);
    expect(readFileSync(seen, 'utf8')).toBe(
      '-I lanplus -H bmc.lan -U it\'s me -E dcmi power reading | s3cret "$HOME"\n',
    );
    expect(JSON.stringify(meters[0]?.info)).not.toContain('s3cret');
  });
});
