// Class: world.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockMachine } from '../../../../src/measure/lock.ts';
import { start } from '../../../terminal/program.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-explain-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const env = (user: string) => ({
  XDG_STATE_HOME: join(folder, user),
  JOULEDIFF_LOCK: join(folder, 'lock'),
});

describe('joulediff explain DIR', () => {
  it('takes the commands out of a result only for the user who measured it', async () => {
    const [file, out, ran] = ['joulediff.yml', 'out', 'ran'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(
      file,
      JSON.stringify({
        workload: { run: ['touch', ran] },
        variants: { a: {}, b: {} },
        repetitions: 1,
        warmup: { runs: 0 },
        rest: '50ms',
        guard: '50ms',
        meter: 'estimate',
      }),
    );
    const measured = await start(['measure', file, '--out', out], env('own')).ended;
    expect({ code: measured.code, stderr: measured.stderr }).toMatchObject({ code: 0 });
    rmSync(ran);
    const foreign = await start(['explain', out], env('other')).ended;
    expect(foreign).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`joulediff explain joulediff.yml --out ${out}`),
    });
    expect(existsSync(ran)).toBe(false);
    // What stands after a bare --trace is no tracer.
    const traced = await start(['explain', '--trace', out], env('other')).ended;
    expect(traced).toEqual(foreign);
    const unknown = await start(['explain', '--trace', 'ltrace', out], env('own')).ended;
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it takes strace, strace-services, uftrace, or several'),
    });
    const changed = await start(['explain', out, '--set', 'batch=2'], env('own')).ended;
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('--set takes only on-busy') });
    const elsewhere = await start(['explain', out, '--out', `${out}-2`], env('own')).ended;
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('becomes part of the result in') });
    const wrong = await start(['explain', out, '--set', 'on-busy.wait=soon'], env('own')).ended;
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/on-busy.*\bsoon\b/s) });
    using _taken = lockMachine('a test', env('own').JOULEDIFF_LOCK);
    const waited = await start(['explain', out, '--set', 'on-busy.wait=1s'], env('own')).ended;
    expect(waited).toMatchObject({ code: 3, stderr: expect.stringContaining('`--set on-busy.wait=6h`') });
  });

  it('finds the values of variables in the file that was measured, whatever its name, and in --set', async () => {
    const [there, out] = [join(folder, 'there'), join(folder, 'out')];
    mkdirSync(there);
    const file = join(there, 'other.yml');
    const given = (name: string, more: object) =>
      JSON.stringify({
        name,
        workload: { run: 'test "$A$B" = onetwo', env: { A: 'one', B: 'none' } },
        variants: { a: {}, b: {} },
        repetitions: 1,
        warmup: { runs: 0 },
        rest: '50ms',
        guard: '50ms',
        meter: 'estimate',
        ...more,
      });
    writeFileSync(file, given('measured', {}));
    writeFileSync(join(there, 'joulediff.yml'), given('never measured', { workload: { run: 'true' } }));
    const setting = ['--set', 'workload.env.B=two'];
    const measured = await start(['measure', file, ...setting, '--set', 'batch=2', '--out', out], env('own')).ended;
    expect({ code: measured.code, stderr: measured.stderr }).toMatchObject({ code: 0 });
    const without = await start(['explain', out], env('own')).ended;
    expect(without).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`does not hold the values of "B", and no experiment file in ${there} gives`),
    });
    const explained = await start(['explain', out, '--no-trace', '--rounds', '3', ...setting], env('own')).ended;
    expect(explained.stderr).not.toContain('another experiment');
    expect(explained.code).toBe(0);
    rmSync(there, { recursive: true });
    const gone = await start(['explain', out, ...setting], env('own')).ended;
    expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining('does not hold the values of "A" and "B"') });
  });
});
