// Class: system.
import { describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { onRealPort, onVirtualPort, type Place } from '../place.ts';
import { sideBySide } from '../side-by-side.ts';

async function measuresTheTruth({ port, steer, truth, collected, open, wait }: Place): Promise<void> {
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

async function reportsWhatIsLost({ port, steer, collected, open, wait }: Place): Promise<void> {
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

async function reportsSilence({ steer, truth, collected, open }: Place): Promise<void> {
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

async function takesOver({ leave, collected, open }: Place): Promise<void> {
  await leave(Buffer.from('#L,W,3,E,1,1;#V,'), 115_200);
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

describe('watts-up-pro', () => {
  const run = (work: (place: Place) => Promise<void>, ...args: string[]) => onVirtualPort('watts-up-pro', args, work);
  const cases = {
    'measures the true energy of a load, and sends nothing but its commands': run(
      measuresTheTruth,
      '--noise',
      '0.4',
      '--phase',
      '0.77',
    ),
    'tells of a silence as a gap, goes on after it, and gives the meter up when it lasts': run(reportsSilence),
    'falls back to the other form of the start command': run(fallsBack, '--reserved', 'empty'),
    'takes over a meter that still streams, left so by a program that was killed': run(takesOver),
    'stops cleanly while it is starting': run(stopsWhileStarting),
  };
  it.each(Object.entries(cases))('%s', (_, test) => test());
});

describe('watts-up-pro on a pseudo-terminal', () => {
  sideBySide({
    'tells of a lost record, ignores noise, and is lost once when it is unplugged': onRealPort(
      'watts-up-pro',
      [],
      reportsWhatIsLost,
    ),
    'takes over a meter that still streams, left so by a program that was killed': onRealPort(
      'watts-up-pro',
      [],
      takesOver,
    ),
  });
});
