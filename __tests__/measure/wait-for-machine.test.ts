// Class: system.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockMachine, machineHolder } from '../../src/measure/lock.ts';
import { waitForMachine } from '../../src/measure/wait-for-machine.ts';

beforeEach(() => {
  process.env.JOULEDIFF_LOCK = `wait.${randomUUID()}`;
});
afterEach(() => {
  delete process.env.JOULEDIFF_LOCK;
});

const signal = new AbortController().signal;

describe('a machine that another experiment holds', () => {
  it('is waited for, with a word of who has it and since when', async () => {
    expect(machineHolder()).toBeNull();
    const held = lockMachine('the experiment "first"');
    expect(machineHolder()).toContain('It is the experiment "first"');
    const reported: string[] = [];
    const note = (line: string) => {
      reported.push(line);
      if (reported.length === 1) held[Symbol.dispose]();
    };
    using _lock = await waitForMachine({ what: 'the experiment "second"', waitS: 600, progress: { note }, signal });
    expect(machineHolder()).toContain('It is the experiment "second"');
    expect(reported).toEqual([
      expect.stringMatching(
        /^Another experiment holds this machine; waiting for it, up to \d+ min( \d+ s)?\. It is the experiment "first", process \d+ of \S+, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
      ),
      expect.stringMatching(/^The machine is free, after \d+ s\.$/),
    ]);
  });

  it('is given up after a limit, or at once', async () => {
    using _held = lockMachine('the experiment "first"');
    const progress = { note() {} };
    await expect(waitForMachine({ what: 'x', waitS: 0.05, progress, signal })).rejects.toThrow(
      /^Another experiment still holds this machine after 0 s, and nothing was measured\. It is the experiment "first"/,
    );
    await expect(waitForMachine({ what: 'x', waitS: 0, progress, signal })).rejects.toMatchObject({
      message: expect.stringMatching(/^Another experiment is being measured on this machine/),
      advice: expect.stringContaining('on-busy'),
    });
    // What has no experiment file, as the check of a meter, can't be told to write into it.
    expect(() => lockMachine('the check of a meter')).toThrow(
      expect.objectContaining({ advice: 'Wait until it has ended.' }),
    );
  });

  it('is no longer waited for when that is stopped', async () => {
    using _held = lockMachine('the experiment "first"');
    const stop = new AbortController();
    const progress = { note: () => stop.abort(new Error('stopped')) };
    const waiting = waitForMachine({ what: 'x', waitS: 600, progress, signal: stop.signal });
    await expect(waiting).rejects.toThrow('stopped');
  });
});
