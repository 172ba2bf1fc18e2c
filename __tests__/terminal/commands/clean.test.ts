// Class: system.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../../src/measure/lock.ts';
import { start } from '../program.ts';

describe('joulediff clean', () => {
  it('removes nothing with --idle while an experiment is measured, and says whose it is', async () => {
    const name = `clean.${randomUUID()}`;
    const env = { JOULEDIFF_LOCK: name };
    {
      using _lock = lockMachine('the experiment "night"', name);
      const { code, stdout, stderr } = await start(['clean', '--idle'], env).ended;
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr).toMatch(
        /^An experiment is being measured on this machine\. It is the experiment "night", process \d+/,
      );
    }
    expect(await start(['clean', '--idle'], env).ended).toMatchObject({ code: 0, stderr: '' });
  });
});
