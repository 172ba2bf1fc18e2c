// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { numberIn, readMetrics } from '../../src/measure/metrics.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-metrics-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the number in a line', () => {
  it.each([
    ['SET: 17226.53 requests per second, p50=0.871 msec', 'SET: * requests per second', 17226.53],
    ['Requests/sec:  188123.45', 'Requests/sec: *', 188123.45],
    ['tps = 2,924.1 (without initial connection time)', 'tps = * (', 2924.1],
    ['"SET","101010.10","0.25"', '"SET","*"', 101010.1],
    ['latency -3.5e-2 ms', 'latency * ms', -0.035],
    ['total 12', '^total *$', 12],
    ['a: x, a: 7 b', 'a: * b', 7],
    // Columns: blanks are blanks, however many.
    ['    transactions:                        9446   (1889.07 per sec.)', 'transactions: * (', 9446],
    ['\ttotal:\t 12  s', '^ total: * s$', 12],
    // What is no such line.
    ['SET: rps=0.0 (overall: 15674.2)', 'SET: * requests per second', null],
    ['GET: 1 requests per second', 'SET: * requests per second', null],
    ['the total 12', '^total *$', null],
    ['total 12 s', '^total *$', null],
    ['at 12:30', 'at *$', null],
    ['version 1.2.3', 'version *', null],
    ['version 1,.,2', 'version *', null],
  ])('%s by %s is %p', (line, pattern, value) => {
    expect(numberIn(line, pattern)).toBe(value);
  });
});

// An expression that takes quadratic time would need minutes for these.
it.each([`${'1'.repeat(1e6)}.1.1`, `1${',234'.repeat(1e6)}5`])('a very long version is no number', (version) => {
  expect(numberIn(`time: ${version}`, 'time: *')).not.toEqual(expect.any(Number));
});

describe('a number that touches a unit', () => {
  it.each([
    ['Latency 980.00us', 'Latency *', 'us', 980],
    ['Latency 1.02ms', 'Latency *', 'us', 1020],
    ['Latency 1.02 ms', 'Latency *', 'us', 1020],
    ['Latency 0.5m', 'Latency *', 's', 30],
    ['Latency 2 min', 'Latency *', 's', 120],
    ['took 1.5s.', 'took *', 'ms', 1500],
    ['took 5.2.', 'took *', 's', 5.2],
    ['Req/Sec 999.80', 'Req/Sec *', 'requests/s', 999.8],
    ['Req/Sec 1.02k', 'Req/Sec *', 'requests/s', 1020],
    ['Req/Sec 1.02K/s', 'Req/Sec *', 'requests/s', 1020],
    ['rate: 1.5Mrequests/s,', 'rate: *', 'requests/s', 1.5e6],
    ['sent 3MiB', 'sent *', 'KiB', 3072],
    ['energy 1.5kWh', 'energy *', 'Wh', 1500],
    ['used 12%', 'used *', '%', 12],
    // The pattern has it.
    ['Latency 1.02ms', 'Latency *ms', 'ms', 1.02],
    ['"a",12,', '"a",*,', 'requests', 12],
    // It may be anything.
    ['Latency 1.02ms', 'Latency *m', 'min', { suffix: 'ms' }],
    ['Latency 5parsecs', 'Latency *', 'us', { suffix: 'parsecs' }],
    ['sent 3MB', 'sent *', 'kB', { suffix: 'MB' }],
    ['sent 3K', 'sent *', 'B', { suffix: 'K' }],
    ['rate 1.02k', 'rate *', 'krequests/s', { suffix: 'k' }],
    ['rate 12/s', 'rate *', 'requests/min', { suffix: '/s' }],
    ['total 1_000', 'total *', 'requests', { suffix: '_000' }],
    ["total 1'000", 'total *', 'requests', { suffix: "'000" }],
    ['total 1\u202f000', 'total *', 'requests', { suffix: '\u202f000' }],
    ['used 12%', 'used *', 'requests', { suffix: '%' }],
    ['size 5m', 'size *', 'requests', { suffix: 'm' }],
    ['Latency 5m', 'Latency *', 'us', { suffix: 'm' }],
    ['total 1,02', 'total *', 'requests', { suffix: ',02' }],
    ['total 1.234,5', 'total *', 'requests', { suffix: ',5' }],
    ['Latency 1,02ms', 'Latency *', 'ms', { suffix: ',02ms' }],
    ['used 50%', 'used *', 'percent', 50],
  ])('%s by %s in %s is %p', (line, pattern, unit, value) => {
    const found = numberIn(line, pattern, unit);
    expect(found).toEqual(typeof value === 'number' ? expect.closeTo(value, 9) : value);
  });

  it.each([
    ['Rate 12 Kreq/s', 'requests/s', { suffix: ' Kreq/s' }],
    ['Rate 12 krps', 'requests/s', { suffix: ' krps' }],
    ['Rate 12 requests/min', 'requests/s', { suffix: ' requests/min' }],
    ['Rate 1 234', 'requests/s', { suffix: ' 234' }],
    ['Rate 3 MB', 'kB', { suffix: ' MB' }],
    ['Rate 3 MB/s', 'kB/s', { suffix: ' MB/s' }],
    // It is the unit, or says nothing of it.
    ['Rate 12 req/s', 'requests/s', 12],
    ['Rate 12 k', 'requests/s', 12_000],
    ['Rate 12 of 100', 'requests/s', 12],
    ['Rate 1234 567', 'requests/s', 1234],
    ['Rate 12.5 100', 'requests/s', 12.5],
    ['Rate 12 Mean 5', 'requests/s', 12],
  ])('or stands before one: %s in %s is %p', (line, unit, value) =>
    expect(numberIn(line, 'Rate *', unit)).toEqual(value));

  it('is not replaced by one of an earlier line', () => {
    const log = join(folder, 'scaled.log');
    writeFileSync(log, 'rate 990.1\nrate 5parsecs\n');
    const metric = { name: 'rate', line: 'rate *', unit: 'requests/s' };
    expect(readMetrics({ logFile: log, fromByte: 0, toByte: null }, [metric])).toEqual({
      values: [],
      refused: [{ metric: 'rate', line: 'rate 5parsecs', suffix: 'parsecs' }],
    });
  });
});

it('the last line of a run counts, of those that it printed after its preparation, and progress is lines of its own', () => {
  const log = join(folder, 'run.log');
  const before = 'SET: 1 requests per second\n';
  writeFileSync(log, `${before}SET: 2 requests per second\r   \rSET: 3 requests per second, p50\nthe end\n`);
  const set = { name: 'set', line: 'SET: * requests per second', unit: 'requests/s' };
  const get = { name: 'get', line: 'GET: * requests per second', unit: 'requests/s' };
  const printed = { logFile: log, fromByte: before.length, toByte: null };
  expect(readMetrics(printed, [set, get])).toEqual({ values: [{ metric: 'set', value: 3 }], refused: [] });
  expect(readMetrics({ ...printed, toByte: 2 * before.length }, [set])).toEqual({
    values: [{ metric: 'set', value: 2 }],
    refused: [],
  });
  expect(readMetrics({ ...printed, logFile: join(folder, 'nothing.log'), fromByte: 0 }, [set])).toEqual({
    values: [],
    refused: [],
  });
});
