// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { parse, refusal, TWO, withSet } from './support.ts';

describe('on-noise and on-busy', () => {
  it.each([
    ['', {}],
    ['on-noise: wait\non-busy: wait', { onNoise: { react: 'wait', limitS: 600 }, waitForMachineS: 7200 }],
    [
      'on-noise: { wait: 10min }\non-busy: { wait: 2h }',
      { onNoise: { react: 'wait', limitS: 600 }, waitForMachineS: 7200 },
    ],
    ['on-noise: warn\non-busy: fail', { onNoise: { react: 'warn' } }],
    ['on-noise: fail', { onNoise: { react: 'fail' } }],
  ])('%j says what is waited for', (lines, expected) => {
    const { onNoise, waitForMachineS } = parse(`${TWO}${lines}\n`);
    expect(JSON.parse(JSON.stringify({ onNoise, waitForMachineS }))).toEqual(expected);
  });

  it('can be set from the command line', () => {
    expect(withSet(TWO, 'on-busy.wait=30m').waitForMachineS).toBe(1800);
    expect(withSet(TWO, 'on-noise=fail').onNoise).toEqual({ react: 'fail' });
  });

  it.each([
    ['on-noise: later', '"wait", "warn", "fail" or a map such as { wait: 10m }'],
    ['on-busy: warn', '"wait", "fail" or a map such as { wait: 2h }'],
    ['on-busy: { wait: 2d }', 'a time from 1s to 24h'],
    ['on-noise: { wait: 0s }', 'a time from 1s to 24h'],
  ])('%j is refused with what it must be', (line, must) => {
    expect(refusal(() => parse(`${TWO}${line}\n`))).toContain(must);
  });
});

describe('quiet', () => {
  it.each([
    ['', undefined],
    ['quiet: false', undefined],
    ['quiet: []', undefined],
    ['quiet: true', ['governor', 'turbo']],
    ['quiet: [smt, aslr, timers, smt]', ['timers', 'aslr', 'smt']],
    ['quiet: [irq]\ncpus: { workload: 1 }', ['irq']],
  ])('%j says what is set, in the order in which it is set', (lines, expected) => {
    expect(parse(`${TWO}${lines}\n`).quiet).toEqual(expected);
  });

  it('can be set from the command line', () => {
    expect(withSet(TWO, 'quiet=true').quiet).toEqual(['governor', 'turbo']);
  });

  it.each([
    ['quiet: loud', 'true, false, or a list of settings: timers, governor, turbo, aslr, irq, smt'],
    ['quiet: [governor, swap]', 'true, false, or a list of settings: timers, governor, turbo, aslr, irq, smt'],
    ['quiet: [irq]', 'give cpus.workload, or leave irq out'],
    ['quiet: [irq]\ncpus: { joulediff: 0 }', 'give cpus.workload, or leave irq out'],
  ])('%j is refused with what it must be', (line, must) => {
    expect(refusal(() => parse(`${TWO}${line}\n`))).toContain(must);
  });
});
