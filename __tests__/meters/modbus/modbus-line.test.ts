import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MeasureError } from '../../../src/errors.ts';
import { openPty, type Pty } from '../../../src/meters/emulator/pty.ts';
import { withCrc } from '../../../src/meters/modbus/crc.ts';
import { ModbusLine } from '../../../src/meters/modbus/modbus-line.ts';
import type { ReadRequest } from '../../../src/meters/modbus/request.ts';
import { THIS_HOST } from '../../../src/meters/this-host.ts';
import { rejection } from '../collect.ts';
import { asHex, hex } from '../hex.ts';

const first: ReadRequest = { unit: 1, registers: 'input', address: 0, count: 2 };
const second: ReadRequest = { ...first, address: 0x46 };
const once = { timeoutMs: 150, attempts: 1 };
const number = (data: Uint8Array) => ({ value: Buffer.from(data).readUInt32BE() });
const reply = (value: number) => withCrc(Uint8Array.of(1, 4, 4, 0, 0, 0, value));

let folder: string;
let far: Pty;
let line: ModbusLine;
let asked: { request: string; tNs: bigint }[];
/** What the far end does with the n-th question. */
let answer: (index: number) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-modbus-'));
  far = await openPty(join(folder, 'port'));
  asked = [];
  answer = () => {};
  far.onData((chunk) => {
    for (let at = 0; at < chunk.length; at += 8) {
      asked.push({ request: asHex(chunk.subarray(at, at + 8)), tNs: process.hrtime.bigint() });
      answer(asked.length - 1);
    }
  });
  line = await ModbusLine.open(THIS_HOST, far.path, { baudRate: 9600 });
});
afterEach(async () => {
  await line.close();
  await far.close();
  rmSync(folder, { recursive: true });
});

describe('ModbusLine', () => {
  it('puts a reply that comes in pieces together, and stamps it half-way between question and reply', async () => {
    const bytes = reply(42);
    answer = async () => {
      for (const byte of bytes) {
        await wait(10);
        far.write(Uint8Array.of(byte));
      }
    };
    const beforeNs = process.hrtime.bigint();
    const got = await line.read(first, number, { timeoutMs: 2000, attempts: 1 });
    const afterNs = process.hrtime.bigint();
    if (!('value' in got)) throw new Error('no value');
    expect(got.value).toBe(42);
    const middleNs = Number((beforeNs + afterNs) / 2n - got.tNs);
    expect(got.tNs > beforeNs && got.tNs < afterNs).toBe(true);
    expect(Math.abs(middleNs)).toBeLessThan(Number(afterNs - beforeNs) / 4);
  });

  it('never takes the late reply to one question for the reply to another', async () => {
    answer = (index) => {
      if (index === 0) setTimeout(() => far.write(reply(1)), 400);
      else far.write(reply(2));
    };
    expect(await line.read(first, number, once)).toEqual({ none: 'silence', seconds: 0.15 });
    expect(await line.read(second, number, once)).toMatchObject({ value: 2 });
    expect(asked.map(({ request }) => request)).toEqual(['01 04 00 00 00 02 71 cb', '01 04 00 46 00 02 90 1e']);
  });

  it('asks again after 50 ms of silence, no more often than it may, and says what came the last time', async () => {
    answer = (index) => far.write(index === 0 ? hex('01 84 04 42 c3') : reply(7));
    const implausible = () => ({ implausible: 'it answered with nonsense' });
    const got = await line.read(first, implausible, { timeoutMs: 150, attempts: 3 });
    expect(got).toEqual({ none: 'implausible', what: 'it answered with nonsense' });
    expect(asked).toHaveLength(3);
    for (const [index, { tNs }] of asked.entries()) {
      const before = asked[index - 1];
      if (before) expect(tNs - before.tNs).toBeGreaterThan(49_000_000n);
    }
  });

  it('comes to an end on a line that is never silent', async () => {
    const chatter = setInterval(() => far.write(Buffer.from('$GP')), 5);
    const got = await line.read(first, number, { timeoutMs: 150, attempts: 3 });
    clearInterval(chatter);
    expect(got).toMatchObject({ none: 'garbage', heard: expect.stringMatching(/^(\$GP)+…$/) });
    expect(asked).toHaveLength(3);
  });

  it('waits for a reply that is there already when the host was busy', async () => {
    answer = () => far.write(reply(9));
    const reading = line.read(first, number, once);
    const untilMs = performance.now() + 50;
    await wait(5);
    while (asked.length === 0 && performance.now() < untilMs) await wait(1);
    const blockedUntilMs = performance.now() + 400;
    while (performance.now() < blockedUntilMs);
    expect(await reading).toMatchObject({ value: 9 });
  });

  it('fails what is asked of it when it is closed, and after', async () => {
    const reading = rejection(line.read(first, number, { timeoutMs: 10_000, attempts: 3 }));
    await wait(20);
    await line.close();
    expect(await reading).toBeInstanceOf(MeasureError);
    expect((await rejection(line.read(first, number, once))).message).toBe('The port of the meter was closed.');
    let told = '';
    line.onEnd(({ message }) => {
      told = message;
    });
    expect(told).toBe('The port of the meter was closed.');
  });

  it('fails what is asked of it when the port goes away', async () => {
    const reading = rejection(line.read(first, number, { timeoutMs: 10_000, attempts: 3 }));
    await wait(20);
    await far.close();
    expect((await reading).message).toContain(`The serial port ${far.path} was unplugged or failed`);
  });
});
