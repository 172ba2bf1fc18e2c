import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import type { Meter } from '../../../src/meters/meter.ts';
import { openMeters } from '../../../src/meters/registry.ts';
import { SerialLine } from '../../../src/meters/serial/line.ts';
import { type StartedEmulator, startEmulator } from '../../emulators/start.ts';
import { Collected } from '../collect.ts';

interface Place extends StartedEmulator {
  readonly collected: Collected;
  /** The driver on the emulator's port. */
  open(): Promise<Meter>;
}

/** Every test has its own emulator, so that they can wait for their seconds side by side. */
async function withEmulator(args: readonly string[], work: (place: Place) => Promise<void>): Promise<void> {
  const emulator = await startEmulator('watts-up-pro', ...args);
  const opened: Meter[] = [];
  const open = async () => {
    const { meters } = await openMeters([`watts-up-pro:${emulator.port}`]);
    opened.push(...meters);
    return meters[0] as Meter;
  };
  try {
    await work({ ...emulator, collected: new Collected(), open });
  } finally {
    await Promise.all(opened.map((meter) => meter.stop()));
    await emulator.stop();
  }
}

async function measuresTheTruth({ port, steer, truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  expect(meter.info).toMatchObject({
    type: 'watts-up-pro',
    address: port,
    source: 'emulated',
    identity: { model: 'PRO', hardware: '5.2', firmware: '3.14' },
    accuracy: { gainPercent: 1.5, offsetW: 0.3 },
    minimumGuardS: 3,
    channels: [{ channel: 'wall', integration: 'guard', samplingPeriodS: 1, clock: 'meter' }],
  });
  await meter.start(collected);
  expect(collected.samples.length).toBeGreaterThan(0);
  await collected.until(({ samples }) => samples.length >= 2);
  const first = collected.samples.at(-1);
  steer('on');
  await wait(3300);
  steer('off');
  const count = collected.samples.length + 2;
  await collected.until(({ samples }) => samples.length >= count);
  await meter.stop();
  await meter.stop();

  const after = collected.samples.filter((sample) => first && sample.tNs > first.tNs);
  const measuredJ = after.reduce((sum, { powerW }) => sum + powerW, 0);
  const startNs = (first?.tNs ?? 0n) - 50_000_000n; // the emulator's latency
  const trueJ = truth().energyJ(startNs, startNs + BigInt(after.length) * 1_000_000_000n);
  expect(truth().late).toBe(0);
  expect(truth().windows).toHaveLength(1);
  expect(Math.abs(measuredJ - trueJ) / trueJ).toBeLessThan(0.005);
  expect(collected.events).toEqual([]);
  expect(truth().received).toBe('\x18#V,R,0;#C,R,0;#L,W,3,E,1,1;#L,R,0;');
}

async function toldWhatIsLost({ port, steer, collected, open }: Place): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  steer('drop 1');
  await collected.until(({ events }) => events.length > 0);
  steer('noise');
  await collected.until(({ events }) => events.length > 1);
  expect(collected.events).toMatchObject([
    { kind: 'gap', detail: 'The records of a second are missing.' },
    { kind: 'note', detail: 'A record was dropped: it has 2 fields instead of 18.' },
  ]);
  const before = collected.samples.length;
  await collected.until(({ samples }) => samples.length > before);
  expect(collected.samples.every(({ powerW }) => powerW === 40)).toBe(true);

  steer('unplug');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  expect(collected.lostWith[0]).toBeInstanceOf(MeasureError);
  expect(collected.lostWith[0]?.message).toContain(`The serial port ${port} was unplugged or failed`);
  await meter.stop();
  await wait(300);
  expect(collected.lostWith).toHaveLength(1);
}

async function toldOfSilence({ steer, truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  steer('silence');
  await collected.until(({ events }) => events.length > 0);
  steer('resume');
  const before = collected.samples.length;
  await collected.until(({ samples }) => samples.length >= before + 2);
  expect(collected.lostWith).toEqual([]);
  steer('silence');
  await collected.until(({ lostWith }) => lostWith.length > 0);
  const gap = { kind: 'gap', detail: 'No record came for 2.5 s.' };
  expect(collected.events).toMatchObject([gap, gap]);
  expect(collected.lostWith[0]?.message).toBe('The meter has sent no record for 5 s.');
  await meter.stop();
  expect(truth().received).toBe('\x18#V,R,0;#C,R,0;#L,W,3,E,1,1;#L,R,0;');
}

async function fallsBack({ truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  await meter.start(collected);
  await meter.stop();
  expect(truth().received).toBe('\x18#V,R,0;#C,R,0;#L,W,3,E,1,1;#L,W,3,E,,1;#L,R,0;');
}

async function takesOver({ port, collected, open }: Place): Promise<void> {
  const line = await SerialLine.open(port, { baudRate: 115_200 });
  await line.write(Buffer.from('#L,W,3,E,1,1;#V,'));
  await line.close();
  const meter = await open();
  await meter.start(collected);
  await collected.until(({ samples }) => samples.length > 1);
  expect(collected.events).toEqual([]);
}

async function stopsWhileStarting({ truth, collected, open }: Place): Promise<void> {
  const meter = await open();
  const started = meter.start(collected).then(
    () => 'started',
    () => 'stopped',
  );
  await meter.stop();
  expect(await started).toBe('stopped');
  expect(collected.samples).toEqual([]);
  expect(truth().received).toMatch(/#L,R,0;$/);
  await open();
}

describe('watts-up-pro on a pseudo-terminal', () => {
  const run = (work: (place: Place) => Promise<void>, ...args: string[]) => {
    return () => withEmulator(args, work);
  };

  it.concurrent(
    'measures the true energy of a load, and sends nothing but its commands',
    run(measuresTheTruth, '--noise', '0.4', '--phase', '0.77'),
  );
  it.concurrent('tells of a lost record, ignores noise, and is lost once when it is unplugged', run(toldWhatIsLost));
  it.concurrent(
    'tells of a silence as a gap, goes on after it, and gives the meter up when it lasts',
    run(toldOfSilence),
  );
  it.concurrent('falls back to the other form of the start command', run(fallsBack, '--reserved', 'empty'));
  it.concurrent('takes over a meter that still streams, left so by a program that was killed', run(takesOver));
  it.concurrent('stops cleanly while it is starting', run(stopsWhileStarting));
});
