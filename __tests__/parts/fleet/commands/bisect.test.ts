// Class: world.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Answers } from '../../../../src/findings/terminal.ts';
import { withStore } from '../../../../src/store/reader.ts';
import { TestRepository } from '../../../measure/checkout/repository-folder.ts';
import { start } from '../../../terminal/program.ts';

let repository: TestRepository;
let commits: string[];
beforeAll(() => {
  repository = TestRepository.create();
  commits = ['0.1', '0.3'].map((seconds) => repository.write('seconds', seconds).commit());
});
afterAll(() => repository.remove());

const bisect = (...words: string[]) =>
  start(['bisect', ...words], { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` }, repository.path).ended;
const QUICK = ['--meter', 'estimate'].concat(
  ['rest=50ms', 'guard=20ms', 'batch=1', 'warmup.runs=0'].flatMap((setting) => ['--set', setting]),
);

describe('joulediff bisect, the command', () => {
  it('prints JSON for a script, and leaves a report for people', async () => {
    const words = ['HEAD~1', 'HEAD', ...QUICK, '--build', 'test -e seconds', '--json'];
    const { code, stdout } = await bisect(...words, '--', 'sleep $(cat seconds)');
    expect(code).toBe(0);
    const answer = JSON.parse(stdout);
    expect(() => Answers.parse(answer)).not.toThrow();
    expect(answer).toMatchObject({ command: 'bisect', outcome: 'found', found: [commits[1]], source: 'modelled' });
    expect(answer.probability).toBeGreaterThan(0.97);
    expect(answer.ci95[0]).toBeGreaterThan(0);
    for (const file of ['bisect.md', 'bisect.json', '1-ends/report.html']) {
      expect(existsSync(join(repository.path, 'joulediff-bisect', file))).toBe(true);
    }
  });

  it('goes on with a step in which it was killed, and only with --resume', async () => {
    const words = ['HEAD~1', 'HEAD', ...QUICK, '--out', 'killed', '--json'];
    const again = (...more: string[]) =>
      start(
        ['bisect', ...words, ...more, '--', 'sleep $(cat seconds)'],
        { JOULEDIFF_LOCK: `joulediff.test.${process.pid}` },
        repository.path,
      );
    const killed = again();
    await killed.until(({ stderr }) => stderr().includes('Recording to'));
    const [, vault = ''] = /Recording to (.*)\.\n/.exec(killed.stderr()) ?? [];
    // The second run has begun.
    while (readdirSync(join(vault, 'logs')).length < 2) await sleep(50);
    killed.child.kill('SIGKILL');
    await killed.ended;
    const { code, stderr } = await again().ended;
    expect([code, stderr]).toEqual([2, expect.stringContaining('holds a bisection already')]);
    expect((await again('--resume').ended).code).toBe(0);
    const database = join(repository.path, 'killed', '1-ends', 'experiment.db');
    expect(withStore(database, (reader) => reader.sessions().length)).toBe(2);
  });

  it('says what is wrong before anything is measured', async () => {
    const said = async (...words: string[]) => {
      const { code, stderr } = await bisect(...words);
      return { code, stderr };
    };
    const wrong = (text: string) => ({ code: 2, stderr: expect.stringContaining(text) });
    expect(await said('HEAD', 'HEAD~1', ...QUICK, '--', 'true')).toEqual(wrong('came before HEAD'));
    expect(await said('HEAD~1', 'nothing', ...QUICK, '--', 'true')).toEqual(wrong('is not a commit'));
    expect(await said('HEAD~1', 'HEAD', '--build', 'make')).toEqual(wrong('--build was given, and no command'));
    expect(await said('HEAD~1', 'HEAD', '--variant', 'x', '--', 'true')).toEqual(
      wrong('a command needs no experiment'),
    );
    expect(await said('HEAD~1', 'HEAD', '--within', 'soon', '--', 'true')).toEqual(wrong('--within soon is no time'));
    expect(await said('HEAD~1')).toEqual(wrong('bisect needs a BAD'));
  });
});
