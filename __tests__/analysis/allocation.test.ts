// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { type AllocationRequest, allocate } from '../../src/analysis/allocation.ts';

const plug: AllocationRequest = {
  channel: {
    integration: 'guard',
    samplingPeriodS: 1,
    clock: 'meter',
    resolutionW: 0.1,
    meter: { accuracy: { gainPercent: 1.5, offsetW: 0.3 } },
  },
  variants: 2,
  restS: 7,
  guardS: 3,
  executions: null,
  executionS: 5,
  powerW: 80,
  idleW: 40,
  fluctuationW: 0.5,
  ownSpread: 0.01,
  leftS: 720,
  leastBlocks: 10,
  mostBlocks: 500,
};
const counter: AllocationRequest = {
  ...plug,
  channel: {
    integration: 'counter',
    samplingPeriodS: 0.1,
    clock: 'host',
    edgeS: 0.001,
    meter: { accuracy: null },
  },
  restS: 1,
  guardS: 0.2,
};

describe('how the time of an experiment is used', () => {
  it('gives a meter that averages ten readings a window, and no more than the blocks need', () => {
    const found = allocate({ ...plug, wantPercent: 1 })!;
    expect(found.executions * plug.executionS).toBeGreaterThan(10);
    expect(found.executions).toBeLessThan(4);
    expect(found.halfPercent).toBeLessThanOrEqual(1);
    expect(found.seconds).toBeLessThanOrEqual(720);
  });

  it('takes more blocks for a narrower interval, about four times as many for half the width', () => {
    const blocks = (wantPercent: number) =>
      allocate({ ...counter, wantPercent, leftS: Number.POSITIVE_INFINITY })!.blocks;
    expect(blocks(0.5) / blocks(1)).toBeGreaterThan(2.5);
    expect(blocks(0.5) / blocks(1)).toBeLessThan(6);
    // The level after ten of at most 500 blocks is one that the exact test of ten signs can't reach.
    expect(blocks(5)).toBe(12);
    expect(allocate({ ...counter, wantPercent: 5, mostBlocks: 30 })!.blocks).toBe(10);
  });

  it('holds more executions of a short command than of a long one', () => {
    const of = (executionS: number) => allocate({ ...counter, executionS, wantPercent: 1 })!.executions;
    expect(of(0.01)).toBeGreaterThan(20);
    expect(of(10)).toBe(1);
  });

  it('holds enough executions of a command of milliseconds for a slow meter, up to as many as a window can have', () => {
    const of = (executionS: number) => allocate({ ...plug, executionS, wantPercent: 1 })?.executions ?? 0;
    for (const executionS of [0.002, 0.008]) expect(of(executionS) * executionS).toBeGreaterThan(10);
    expect(of(0.0011)).toBeGreaterThan(9500);
    expect(of(0.001)).toBe(0);
  });

  it('tells the narrowest interval where the wanted one can’t be reached in the time', () => {
    const found = allocate({ ...plug, wantPercent: 0.1 })!;
    expect(found.halfPercent).toBeGreaterThan(0.5);
    expect(found.seconds).toBeLessThanOrEqual(720);
    const longer = allocate({ ...plug, wantPercent: 0.1, leftS: 7200 })!;
    expect(longer.halfPercent).toBeLessThan(found.halfPercent);
  });

  it('counts the time of the slow variants, too, when it tells how many blocks fit', () => {
    const alike = allocate({ ...counter, executions: 1, executionS: 1 })!;
    const slower = allocate({ ...counter, executions: 1, executionS: 1, meanExecutionS: 3 })!;
    expect(slower.blocks).toBeLessThan(0.6 * alike.blocks);
    expect(slower.seconds).toBeLessThanOrEqual(counter.leftS);
  });

  it('keeps a given number of executions, and is none where not even the fewest blocks fit', () => {
    expect(allocate({ ...plug, executions: 7, wantPercent: 1 })?.executions).toBe(7);
    expect(allocate({ ...plug, leftS: 60 })).toBeNull();
    // The fewest blocks fit with windows of ten readings, not with much longer ones.
    const blockS = (lengthS: number) => 2 * (7 + lengthS + 3 + 0.1);
    expect(allocate({ ...plug, executionS: 0.1, leftS: 6 * blockS(10.6) })?.executions).toBe(105);
  });
});
