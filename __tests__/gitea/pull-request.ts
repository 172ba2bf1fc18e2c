import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { withStore } from '../../src/store/reader.ts';
import { unzip } from '../servers/unzip.ts';
import { commentsOf, endedRun, type Forge, openPullRequest, succeededRun, until } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';
import { signIn } from './web.ts';

const FILE = 'native-and-container.yml';

export function pullRequestScenarios(forge: () => Forge): void {
  describe('a pull request', () => {
    let clone: Clone;
    const comments = () => commentsOf(forge().gitea, 'bot/demo', 1);

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'demo', default_branch: 'main' });
      clone = newClone(folder('demo'), gitea, 'bot/demo');
      writeWorkload(clone);
      // Two blocks, so that one is left when a push cancels the job.
      writeWorkflow(clone, FILE, exampleWorkflow('native-and-container', machine.meter, { repetitions: 2 }));
      clone.push('main', 'Measure pull requests');
    });

    it('is measured, and its comment is written with the token of the job', async () => {
      const { gitea } = forge();
      const sha = clone.push('feature', 'A feature');
      expect(await openPullRequest(gitea, 'bot/demo', 'feature')).toMatchObject({ number: 1 });
      const run = await succeededRun(gitea, 'bot/demo', FILE, sha);
      const [comment, ...others] = await comments();
      expect(others).toEqual([]);
      expect(comment).toMatchObject({
        user: { login: 'gitea-actions' },
        body: expect.stringMatching(
          new RegExp(
            `^<!-- joulediff key=Energy%20of%20the%20container/energy/:[0-9a-f]{8} run=${run.id} attempt=1 sha=${sha} -->\\n`,
          ),
        ),
      });
      // The runner calls the folder of every job "hostexecutor".
      expect(comment?.body).toContain('The result of `demo`');
      const page = `${gitea.url}/bot/demo/actions/runs/${run.id}`;
      expect(comment?.body).toContain(
        `[Interactive report](${page}/artifacts/joulediff.html) · [Raw data](${page}/artifacts/joulediff)`,
      );
      const cookie = await signIn(gitea, 'bot');
      const report = await fetch(`${page}/artifacts/joulediff.html`, { headers: { cookie } });
      expect([report.status, report.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
      const archive = await fetch(`${page}/artifacts/joulediff`, { headers: { cookie } });
      const files = unzip(Buffer.from(await archive.arrayBuffer()));
      expect(files.get('report.html')?.toString()).toBe(await report.text());
      expect([...files.keys()]).toEqual(expect.arrayContaining(['experiment.db', 'findings.json', 'runs.csv']));
    }, 600_000);

    it('is measured anew after a push, whose cancelled job leaves nothing and keeps what was measured', async () => {
      const { gitea, machine } = forge();
      const [before] = await comments();
      const outdated = clone.push('feature', 'A better feature');
      // What a run printed is written before the run is: with the second, the first is in the database.
      await until('a run that is measured', () => (machine.logsWritten() > 1 ? true : null));
      const sha = clone.push('feature', 'The best feature');
      expect(await endedRun(gitea, 'bot/demo', FILE, outdated)).toMatchObject({ conclusion: 'cancelled' });
      const run = await succeededRun(gitea, 'bot/demo', FILE, sha);
      const updated = await comments();
      expect(updated.map(({ id }) => id)).toEqual([before?.id]);
      expect(updated[0]?.body).toContain(` run=${run.id} attempt=1 sha=${sha} -->\n`);

      const [, kept = ''] = /is kept on this machine, in (\S+) until/.exec(machine.log()) ?? [];
      expect(kept.startsWith(join(machine.state, 'joulediff'))).toBe(true);
      const { id, runs } = withStore(join(kept, 'experiment.db'), (reader) => ({
        id: reader.experiment().id,
        runs: reader.runs().length,
      }));
      expect(runs).toBeGreaterThan(0);
      const words = ['ps', '-aq', '--filter', `label=joulediff.experiment=${id}`];
      expect(spawnSync('docker', words, { encoding: 'utf8' }).stdout).toBe('');
      expect(globSync(join(machine.folder, 'actions/*/{tmp,hostexecutor}'))).toEqual([]);
      expect(existsSync(machine.folder)).toBe(true);
    }, 600_000);
  });
}
