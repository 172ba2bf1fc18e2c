// Class: system.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EnergyRegister } from '../../../src/meters/emulator/emulator.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { Collected, rejection } from '../collect.ts';
import { measuresTheTruth } from '../network/driver.ts';
import { World } from '../network/runs.ts';
import { keepPrinting } from '../program/played.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program in a file of its own, which its first line says how to run. */
function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o755 });
  return `command:${path}`;
}

const page = readFileSync(new URL('../../../docs/own-meter.md', import.meta.url), 'utf8');
const shown = (language: string, title: string): string =>
  new RegExp(`## ${title}\\n[\\s\\S]*?\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? '';

async function collect(name: string, samples: number) {
  const [meter] = (await openMeters([name])).meters;
  const collected = new Collected();
  await meter!.start(collected);
  await collected.until((all) => all.samples.length >= samples || all.lostWith.length > 0);
  await meter!.stop();
  return { info: meter!.info, collected };
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('command', () => {
  it.each(['power_w', 'energy_j'])('records that a program reports %s', async (key) => {
    // Slow enough for a busy machine to take each line by itself.
    const name = program(key, `#!/bin/sh\ni=0\nwhile i=$((i + 1)); do echo "{\\"${key}\\": $i}"; sleep 0.25; done\n`);
    expect((await collect(name, 2)).info.identity).toEqual({ reports: key });
  });

  it('reads the example in shell, and says whose numbers these are', async () => {
    const file = join(folder, 'power_now');
    writeFileSync(file, '41200000\n');
    const text = shown('sh', 'Shell')
      .replace('/sys/class/power_supply/BAT0/power_now', file)
      .replace('sleep 1', 'sleep 0.1');
    const name = program('battery', text);
    const { info, collected } = await collect(`${name}?gain=2`, 5);
    expect(info).toMatchObject({
      type: 'command',
      source: 'measured',
      accuracy: { gainPercent: 2, offsetW: 0 },
      minimumGuardS: 3,
    });
    expect(info.remarks[0]).toMatch(/^As reported by the program “.*battery”: how it measures, joulediff can’t see\.$/);
    expect(collected.samples.map(({ powerW }) => powerW)).toEqual([41.2, 41.2, 41.2, 41.2, 41.2]);
  });

  it('reads the example in Python: energy with its time', async () => {
    // 40 W at every moment at which the counter is read: 40 microjoules a microsecond.
    const counting = `import io
now = time.monotonic_ns
def open(name):
    read = now()
    time.monotonic_ns = lambda: read
    return io.StringIO(str(read // 25))
`;
    const text = shown('python', 'Python').replace(/COUNTER = .*\n/, (line) => `${line}${counting}`);
    const { collected } = await collect(program('counter.py', text), 10);
    expect(collected.samples.map(({ powerW }) => powerW.toFixed(3))).toEqual(collected.samples.map(() => '40.000'));
    expect(
      collected.samples
        .slice(1)
        .every(
          ({ durationS }, i) =>
            Math.abs(durationS - Number(collected.samples[i + 1]!.tNs - collected.samples[i]!.tNs) / 1e9) < 1e-6,
        ),
    ).toBe(true);
  });

  it.each<[string, (world: World, counter: EnergyRegister, nowNs: bigint) => object]>([
    [
      'watts of the last second',
      ({ load }, _, nowNs) => ({ power_w: Number(load.energyJ(nowNs - 1_000_000_000n, nowNs).toFixed(1)) }),
    ],
    ['joules', (_, counter, nowNs) => ({ energy_j: Number(counter.untilJ(nowNs).toFixed(2)) })],
    [
      'joules with their time, a while later',
      (_, counter, nowNs) => {
        const readNs = nowNs - 70_000_000n;
        return { energy_j: counter.untilJ(readNs), t_ns: String(readNs) };
      },
    ],
  ])('measures the true energy of 200 runs, from a program that reports %s', async (_, report) => {
    const world = new World({ noiseW: 0.4 });
    const counter = new EnergyRegister(world.settings, world.settings.originNs);
    world.host.play = (started) =>
      void keepPrinting(world, started, 1000, (nowNs) => [JSON.stringify(report(world, counter, nowNs))]);
    await measuresTheTruth(world, 'command:./mine', 0.02);
  });

  it('ends the program and all that it started', async () => {
    const pids = join(folder, 'pids');
    const name = program(
      'family',
      `#!/bin/sh\ntrap '' TERM\nsleep 300 &\necho $$ $! > ${pids}\nwhile :; do echo '{"power_w": 1}'; sleep 0.2; done\n`,
    );
    await collect(name, 3);
    for (const pid of readFileSync(pids, 'utf8').trim().split(' ').map(Number)) {
      while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('gets what it needs of the environment, and what it is named', async () => {
    process.env.JOULEDIFF_TEST_SEEN = '7';
    process.env.JOULEDIFF_TEST_UNSEEN = '8';
    const name = program(
      'env',
      '#!/bin/sh\nset -- $JOULEDIFF_TEST_SEEN $JOULEDIFF_TEST_UNSEEN\nwhile :; do echo "{\\"power_w\\": $*}"; sleep 0.2; done\n',
    );
    const { collected } = await collect(`${name}?pass-env=JOULEDIFF_TEST_SEEN`, 1);
    expect(collected.samples[0]?.powerW).toBe(7);
  });

  it.each([
    ['is not there', 'exec ./no-such-program', /^The program ".*" ended with exit code 127\. It said ".*not found"\.$/],
    ['ends at once', 'exit 3', /^The program ".*" ended with exit code 3\.$/],
    [
      'prints something else',
      'while :; do echo 41.2 W; sleep 0.2; done',
      /^The program “.*” prints a line that is not JSON: "41\.2 W"\.$/,
    ],
    [
      'changes its mind',
      'while :; do echo \'{"power_w":1}\'; sleep 0.2; echo \'{"energy_j":1}\'; sleep 0.2; done',
      /prints a line that changes between power_w and energy_j\.$/,
    ],
    [
      'counts backwards',
      'i=100; while :; do i=$((i-1)); echo "{\\"energy_j\\":$i}"; sleep 0.2; done',
      /prints a line that says that its energy fell from 99 J to 98 J\.$/,
    ],
    [
      'counts more than any meter',
      'i=1; while :; do i=$((10*i)); echo "{\\"energy_j\\":$i}"; sleep 0.2; [ $i -gt 9 ] && i=1000000000000; done',
      /prints a line that means [\d.]+ W since the one before, more than any meter could see\.$/,
    ],
    [
      'tells another clock',
      'while :; do echo "{\\"power_w\\":1,\\"t_ns\\":$(date +%s%N)}"; sleep 0.2; done',
      /prints a line that has a t_ns that is not of CLOCK_MONOTONIC/,
    ],
    [
      'holds its lines back',
      'while :; do printf \'{"power_w":1}\\n{"power_w":2}\\n{"power_w":3}\\n{"power_w":4}\\n\'; sleep 1; done',
      /came together with the one before\.$/,
    ],
  ])('says what is wrong with a program that %s', async (what, line, reported) => {
    const name = program(`wrong-${what.replaceAll(' ', '-')}`, `#!/bin/sh\n${line}\n`);
    const error = await rejection(openMeters([name]));
    expect(error.message).toMatch(reported);
    expect(error).toMatchObject({ name: 'MeasureError' });
  });

  it('takes a moment in which this machine was busy for what it is', async () => {
    const lines = `printf '{"power_w":5}\\n{"power_w":5}\\n'; sleep 0.2`;
    const name = program('late', `#!/bin/sh\n${lines}\nwhile :; do echo '{"power_w":5}'; sleep 0.2; done\n`);
    const { collected } = await collect(name, 2);
    expect(collected.samples.map(({ powerW }) => powerW)).toEqual([5, 5]);
  });

  it('is lost when its program floods', async () => {
    const good = 'for i in 1 2 3 4 5; do echo \'{"power_w": 5}\'; sleep 0.2; done';
    const name = program('floods', `#!/bin/sh\n${good}\nyes nonsense\n`);
    const { collected } = await collect(name, 1000);
    expect(collected.lostWith.map(({ message }) => message)).toEqual([
      expect.stringMatching(/floods" printed more than 2000 lines within a second\.$/),
    ]);
    expect(collected.events.length).toBeLessThanOrEqual(2001);
  });

  it('has a gap where a line is none, and is lost when the program ends', async () => {
    const good = 'for i in 1 2 3 4 5; do echo \'{"power_w": 5}\'; sleep 0.2; done';
    const name = program('ends', `#!/bin/sh\n${good}\necho oops\n${good}\necho 'no more sun' >&2\nexit 1\n`);
    const { collected } = await collect(name, 1000);
    expect(collected.events.map(({ kind, detail }) => [kind, detail])).toContainEqual([
      'gap',
      'A line of the program is not JSON: "oops".',
    ]);
    expect(collected.samples.every(({ powerW }) => powerW === 5)).toBe(true);
    expect(collected.lostWith.map(({ message }) => message)).toEqual([
      expect.stringMatching(/ended with exit code 1\. It said "no more sun"\.$/),
    ]);
  });

  it.each([
    ['it has been silent for too long', 60_000, 'The program of the meter ./mine has given no reading for 5 s.', 1],
    ['it is stopped', 1000, 'The meter ./mine was stopped before its first reading.', 0],
  ])('does not start with a program that goes silent once its rate is known: %s', async (_, stopAfterMs, reported, losses) => {
    const world = new World();
    world.host.play = (started) => {
      let lines = 0;
      void keepPrinting(world, started, 300, () => (++lines > 4 ? [] : ['{"power_w": 40}']));
    };
    await world.run(async () => {
      const meter = await world.open('command:./mine');
      const error = rejection(meter.start(world.collected));
      await world.wait(stopAfterMs);
      await meter.stop();
      expect(await error).toMatchObject({ name: 'MeasureError', message: reported });
    });
    expect(world.collected.lostWith).toHaveLength(losses);
  });

  it.each([
    [
      'ACTIONS_RUNTIME_TOKEN',
      'The variable ACTIONS_RUNTIME_TOKEN in the meter name "command:./x?pass-env=ACTIONS_RUNTIME_TOKEN" belongs to the runner.',
    ],
    [
      'A:B-C',
      'The option pass-env in the meter name "command:./x?pass-env=A:B-C" is not the name of an environment variable.',
    ],
  ])('gets no variable of the runner’s, nor what is none: %s', async (names, reported) => {
    expect((await rejection(openMeters([`command:./x?pass-env=${names}`]))).message).toBe(reported);
  });

  it('refuses a name without a program', async () => {
    const error = await rejection(openMeters(['command']));
    expect(error.message).toBe('The meter "command" does not say which program to run.');
  });
});
