// Class: world.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EXAMINATIONS } from '../../../../src/parts/bench/doctor/examinations.ts';
import { overSsh } from '../../../../src/parts/bench/doctor/over-ssh.ts';
import { eventually } from '../../../executors/bench.ts';
import { type SecondMachine, SSHD, secondMachine } from '../../../hosts/sshd.ts';
import { start } from '../../../terminal/program.ts';

(SSHD === null ? describe.skip : describe)('another machine is examined over ssh (needs openssh-server)', () => {
  let sut: SecondMachine;
  beforeAll(() => {
    sut = secondMachine();
  });
  afterAll(() => sut[Symbol.dispose]());

  test('with what it says of itself, and not with what this one says', async () => {
    sut.pretend('/proc/sys/kernel/osrelease', '6.6.6-there\n');
    sut.pretend('/proc/sys/kernel/hostname', 'there\n');
    sut.pretend('/proc/swaps', 'Filename Type Size Used Priority\n/dev/sda2 partition 8388604 524288 -2\n');
    const json = start(['doctor', '--host', sut.address, '--json']);
    const { code, stdout, stderr } = await json.ended;
    expect({ stderr, isKnown: code === 0 || code === 1 }).toEqual({ stderr: '', isKnown: true });
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; seen: string }[] };
    const of = (wanted: string) => checks.find(({ name }) => name === wanted);
    expect(checks.map(({ name }) => name)).toEqual(EXAMINATIONS.map(({ name }) => name));
    expect(stdout).not.toContain('could not be looked at');
    expect(of('meter')).toMatchObject({ state: 'unknown', seen: 'none was named' });
    expect(of('rapl')).toMatchObject({ state: 'unknown' });
    expect(of('swap')).toMatchObject({ state: 'warn', seen: '512 MiB of memory are in it' });
    expect(of('versions')?.seen).toMatch(/Linux 6\.6\.6-there$/);
    expect(of('versions')?.seen).not.toContain('Node.js');
    expect(of('load')?.seen).toMatch(/^others keep \d+\.\d\d of /);
    expect(of('disk space')?.seen).toMatch(/ free in \/var\//);
    expect(sut.left()).toEqual([]);
  });

  test('and a connection that is lost in between makes it none', async () => {
    await using remote = await overSsh(sut.address, null, new AbortController().signal);
    remote.check();
    sut.cut();
    await eventually(() => wordsOf(() => remote.check()) !== null);
    expect(wordsOf(() => remote.check())).toBe('The connection to ssh://sut was lost in the examination.');
  });

  test.each([
    [['--host', 'sut'], '--host is "sut", and has to be like ssh://user@machine.'],
    [['--host', 'ssh://sut', '--meter', 'rapl'], 'rapl measures this machine, but the workload runs on ssh://sut.'],
  ])('and %j is refused before anything is asked', async (words, message) => {
    const { code, stderr } = await start(['doctor', ...words]).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

function wordsOf(action: () => void): string | null {
  try {
    action();
    return null;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
