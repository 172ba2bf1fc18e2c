// Class: unit.
import { spawnSync } from 'node:child_process';
import { getPriority } from 'node:os';
import { afterEach, describe, expect, it } from '@jest/globals';
import { asWorkload, raisePriority, restorePriority } from '../../src/system/priority.ts';

const niceOfAChild = (): number => Number(spawnSync('nice', { encoding: 'utf8' }).stdout);

afterEach(() => restorePriority());

describe('raisePriority', () => {
  it('raises this process where that is allowed, but nothing that a workload would inherit', () => {
    const before = getPriority();
    const raised = raisePriority();
    expect(raised).toBe(process.getuid?.() === 0);
    if (raised) expect(getPriority()).toBeLessThan(before);
    expect(asWorkload(niceOfAChild)).toBe(before);
    restorePriority();
    expect(getPriority()).toBe(before);
    expect(niceOfAChild()).toBe(before);
  });
});
