// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { secondsToNs, sleepUntil } from '../../src/system/clock.ts';
import { VirtualClock } from '../meters/virtual-clock.ts';

describe('sleepUntil', () => {
  const never = new AbortController().signal;

  it('wakes when the moment has come, and not before', async () => {
    const clock = new VirtualClock();
    const momentNs = clock.nowNs() + secondsToNs(12.5);
    await clock.run(sleepUntil(momentNs, never, clock));
    expect(Number(clock.nowNs() - momentNs) / 1e6).toBeGreaterThanOrEqual(0);
    expect(Number(clock.nowNs() - momentNs) / 1e6).toBeLessThan(1);
  });

  it('sleeps for longer than a timer can', async () => {
    const clock = new VirtualClock();
    const momentNs = clock.nowNs() + secondsToNs(40 * 86_400);
    await clock.run(sleepUntil(momentNs, never, clock));
    expect(clock.nowNs() >= momentNs).toBe(true);
  });

  it('does not wait for a moment that is over, and ends with the reason of the signal', async () => {
    const clock = new VirtualClock();
    await sleepUntil(clock.nowNs() - 1n, never, clock);
    const controller = new AbortController();
    const sleeping = sleepUntil(clock.nowNs() + secondsToNs(60), controller.signal, clock);
    controller.abort(new Error('stopped'));
    await expect(sleeping).rejects.toThrow('stopped');
  });
});
