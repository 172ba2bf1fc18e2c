// Class: system.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { openPty, type Pty } from '../../../src/meters/emulator/pty.ts';
import { type ReadRequest, withCrc } from '../../../src/meters/modbus/frames.ts';
import { ModbusLine } from '../../../src/meters/modbus/modbus-line.ts';
import { THIS_HOST } from '../../../src/meters/registry.ts';
import { type Clock, SYSTEM_CLOCK, sleep } from '../../../src/system/clock.ts';
import { rejection } from '../collect.ts';
import { asHex, hex } from '../hex.ts';
import type { VirtualClock } from '../virtual-clock.ts';
import { VirtualHost } from '../virtual-host.ts';

const first: ReadRequest = { unit: 1, registers: 'input', address: 0, count: 2 };
const second: ReadRequest = { ...first, address: 0x46 };
const once = { timeoutMs: 150, attempts: 1 };
const number = (data: Uint8Array) => ({ value: Buffer.from(data).readUInt32BE() });
const reply = (value: number) => withCrc(Uint8Array.of(1, 4, 4, 0, 0, 0, value));

/** Questions that came to the far end, with their times. */
interface Asked {
  readonly request: string;
  readonly tNs: bigint;
}

/** Keeps what comes, and answers the n-th question so. */
function play(far: Pick<Pty, 'onData'>, clock: Clock, answer: (index: number) => void): Asked[] {
  const asked: Asked[] = [];
  far.onData((chunk) => {
    for (let at = 0; at < chunk.length; at += 8) {
      asked.push({ request: asHex(chunk.subarray(at, at + 8)), tNs: clock.nowNs() });
      answer(asked.length - 1);
    }
  });
  return asked;
}

describe('ModbusLine', () => {
  let host: VirtualHost;
  let clock: VirtualClock;
  let far: ReturnType<VirtualHost['wire']>;
  let line: ModbusLine;

  beforeEach(async () => {
    host = new VirtualHost();
    ({ clock } = host);
    far = host.wire('/dev/virtual');
    line = await ModbusLine.open(host, '/dev/virtual', { baudRate: 9600 });
  });

  it('puts a reply that comes in pieces together, and stamps it half-way between question and reply', async () => {
    play(far, clock, async () => {
      for (const byte of reply(42)) {
        await sleep(clock, 10);
        far.write(Uint8Array.of(byte));
      }
    });
    const beforeNs = clock.nowNs();
    const got = await clock.run(line.read(first, number, { timeoutMs: 2000, attempts: 1 }));
    const afterNs = clock.nowNs();
    if (!('value' in got)) throw new Error('no value');
    expect(got.value).toBe(42);
    expect(afterNs - beforeNs).toBeGreaterThan(80_000_000n);
    expect(Math.abs(Number((beforeNs + afterNs) / 2n - got.tNs))).toBeLessThan(Number(afterNs - beforeNs) / 20);
  });

  it('never takes the late reply to one question for the reply to another', async () => {
    const asked = play(far, clock, (index) => {
      if (index === 0) clock.after(400, () => far.write(reply(1)));
      else {
        far.write(reply(2));
      }
    });
    expect(await clock.run(line.read(first, number, once))).toEqual({ none: 'silence', seconds: 0.15 });
    expect(await clock.run(line.read(second, number, once))).toMatchObject({ value: 2 });
    expect(asked.map(({ request }) => request)).toEqual(['01 04 00 00 00 02 71 cb', '01 04 00 46 00 02 90 1e']);
  });

  it('asks again after 50 ms of silence, no more often than it may, and says what came the last time', async () => {
    const asked = play(far, clock, (index) => far.write(index === 0 ? hex('01 84 04 42 c3') : reply(7)));
    const implausible = () => ({ implausible: 'it answered with nonsense' });
    const got = await clock.run(line.read(first, implausible, { timeoutMs: 150, attempts: 3 }));
    expect(got).toEqual({ none: 'implausible', what: 'it answered with nonsense' });
    expect(asked).toHaveLength(3);
    for (const [index, { tNs }] of asked.entries()) {
      const before = asked[index - 1];
      if (before) expect(tNs - before.tNs).toBeGreaterThan(49_000_000n);
    }
  });

  it('comes to an end on a line that is never silent', async () => {
    const asked = play(far, clock, () => {});
    const chatter = () => {
      far.write(Buffer.from('$GP'));
      clock.after(5, chatter);
    };
    chatter();
    const got = await clock.run(line.read(first, number, { timeoutMs: 150, attempts: 3 }));
    expect(got).toMatchObject({ none: 'garbage', received: expect.stringMatching(/^(\$GP)+…$/) });
    expect(asked).toHaveLength(3);
  });

  it('fails what is asked of it when it is closed, and after', async () => {
    const reading = rejection(line.read(first, number, { timeoutMs: 10_000, attempts: 3 }));
    await clock.run(sleep(clock, 20));
    await line.close();
    expect(await reading).toBeInstanceOf(MeasureError);
    expect((await rejection(line.read(first, number, once))).message).toBe('The port of the meter was closed.');
    let reported = '';
    line.onEnd(({ message }) => {
      reported = message;
    });
    expect(reported).toBe('The port of the meter was closed.');
  });
});

describe('ModbusLine on a pseudo-terminal', () => {
  let folder: string;
  let far: Pty;
  let line: ModbusLine;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-modbus-'));
    far = await openPty(join(folder, 'port'));
    line = await ModbusLine.open(THIS_HOST, far.path, { baudRate: 9600 });
  });
  afterEach(async () => {
    await line.close();
    await far.close();
    rmSync(folder, { recursive: true });
  });

  it('waits for a reply that is there already when the host was busy', async () => {
    const asked = play(far, SYSTEM_CLOCK, () => far.write(reply(9)));
    // Time enough for the question to be answered, on a busy machine too, before this process is.
    const reading = line.read(first, number, { ...once, timeoutMs: 1000 });
    const untilMs = performance.now() + 800;
    await wait(5);
    while (asked.length === 0 && performance.now() < untilMs) await wait(1);
    const blockedUntilMs = performance.now() + 1200;
    while (performance.now() < blockedUntilMs);
    expect(await reading).toMatchObject({ value: 9 });
  });

  it('fails what is asked of it when the port goes away', async () => {
    const reading = rejection(line.read(first, number, { timeoutMs: 10_000, attempts: 3 }));
    await wait(20);
    await far.close();
    expect((await reading).message).toContain(`The serial port ${far.path} was unplugged or failed`);
  });
});
