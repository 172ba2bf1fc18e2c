// Class: unit.
import { describe, expect, it } from '@jest/globals';
import { withDeadline } from '../../src/system/deadline.ts';

const never = new Promise<never>(() => {});

describe('withDeadline', () => {
  it('gives what comes in time, and fails as the work does', async () => {
    expect(await withDeadline(Promise.resolve(1), 3_600_000)).toBe(1);
    expect(await withDeadline(async () => 2, 3_600_000)).toBe(2);
    await expect(withDeadline(Promise.reject(new Error('no')), 3_600_000)).rejects.toThrow('no');
  });

  it('gives what comes instead, or throws it', async () => {
    expect(await withDeadline(never, 1, () => 'late')).toBe('late');
    const fail = (): never => {
      throw new Error('too late');
    };
    await expect(withDeadline(never, 1, fail)).rejects.toThrow('too late');
    await expect(withDeadline(never, 5)).rejects.toThrow('no answer within 0.005 s');
  });

  it('hurries what is under way when it is stopped, and tells it so', async () => {
    const stop = new AbortController();
    const given: AbortSignal[] = [];
    const work = (signal: AbortSignal) => {
      given.push(signal);
      return never;
    };
    const call = withDeadline(work, { ms: 3_600_000, stop: stop.signal, stopMs: 5 });
    stop.abort();
    await expect(call).rejects.toThrow('no answer within 0.005 s');
    expect(given[0]?.aborted).toBe(true);
  });
});
