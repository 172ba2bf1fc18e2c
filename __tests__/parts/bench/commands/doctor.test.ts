// Class: world.
import { describe, expect, it } from '@jest/globals';
import { EXAMINATIONS } from '../../../../src/parts/bench/doctor/examinations.ts';
import { asNobody } from '../../../meters/as-nobody.ts';
import { start } from '../../../terminal/program.ts';

describe('joulediff doctor', () => {
  it('examines this machine for anybody, and says in its exit code that a model measures nothing', async () => {
    const { code, stdout, stderr } = await asNobody(() => start(['doctor', '--json', '--meter', 'estimate']).ended);
    expect(stderr).toBe('');
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(EXAMINATIONS.map(({ name }) => name));
    for (const check of checks) {
      expect(check).toEqual({
        name: expect.any(String),
        group: expect.any(String),
        why: expect.stringMatching(/\.$/),
        state: expect.stringMatching(/^(ok|warn|fail|unknown)$/),
        seen: expect.not.stringMatching(/\.$/),
        how: expect.stringMatching(/\S/),
        remedy: check.remedy === null ? null : expect.stringMatching(/\S/),
        note: check.note === null ? null : expect.stringMatching(/\.$/),
      });
    }
    expect(checks[0]).toMatchObject({
      name: 'meter',
      state: 'fail',
      seen: 'estimate is a model, and does not measure',
    });
  });

  it('refuses a meter that there is not before it looks at anything', async () => {
    const { code, stdout } = await start(['doctor', '--meter', 'watt']).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});
