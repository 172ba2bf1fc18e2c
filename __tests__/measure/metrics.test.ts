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
  ])('%s by %s is %p', (line, pattern, value) => {
    expect(numberIn(line, pattern)).toBe(value);
  });
});

it('the last line of a run counts, of those that it printed after its preparation, and progress is lines of its own', () => {
  const log = join(folder, 'run.log');
  const before = 'SET: 1 requests per second\n';
  writeFileSync(log, `${before}SET: 2 requests per second\r   \rSET: 3 requests per second, p50\nthe end\n`);
  const set = { name: 'set', line: 'SET: * requests per second', unit: 'requests/s' };
  const get = { name: 'get', line: 'GET: * requests per second', unit: 'requests/s' };
  const printed = { logFile: log, fromByte: before.length, toByte: null };
  expect(readMetrics(printed, [set, get])).toEqual([{ metric: 'set', value: 3 }]);
  expect(readMetrics({ ...printed, toByte: 2 * before.length }, [set])).toEqual([{ metric: 'set', value: 2 }]);
  expect(readMetrics({ ...printed, logFile: join(folder, 'nothing.log'), fromByte: 0 }, [set])).toEqual([]);
});
