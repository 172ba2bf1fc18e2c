// Class: world.
import { expect, it } from '@jest/globals';
import { reap } from '../../src/executors/leftovers/reaper.ts';
import { planTuning } from '../../src/tuning/tuning.ts';
import { journals, killedAt, LaidSettings, nextStart, UNITS, unitsOf } from './laid-settings.ts';
import { REQUEST } from './request.ts';

it('puts everything back at the next start, wherever it was killed', async () => {
  using machine = new LaidSettings(UNITS);
  const before = [machine.values(), unitsOf(machine)];
  const { changes } = planTuning({ ...REQUEST, targets: machine.targets });
  // Before each write, of those that set and of those that put back.
  for (let write = 0; write < 2 * changes.length; write++) {
    expect([write, killedAt(machine, write)]).toEqual([write, 'SIGKILL']);
    expect([write, journals().length]).toEqual([write, 1]);
    const reported = write === 1 ? await reap() : nextStart();
    expect([write, machine.values(), unitsOf(machine)]).toEqual([write, ...before]);
    // Nothing had been set when it was killed before the first write.
    const all = 'Put back timers, governor, turbo, aslr, irq and smt, which an earlier experiment had set.';
    expect([write, reported]).toEqual([write, write === 0 ? [] : expect.arrayContaining([all])]);
    expect(journals()).toEqual([]);
  }
  expect(killedAt(machine, 2 * changes.length)).toBeNull();
});
