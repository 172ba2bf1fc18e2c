import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unzip } from '../servers/unzip.ts';
import { commentsOf, endedRun, type Forge, logsOf, openPullRequest, startForge, type WorkflowRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';
import { signIn } from './web.ts';

// The workflows of `examples/` on a real Gitea, by a runner with Gitea's executor, on machines whose meters are emulated.

const home = process.env.JOULEDIFF_TEST_GITEA;
const program = process.env.JOULEDIFF_TEST_GITEA_RUNNER;

function suite(giteaHome: string, runner: string): void {
  let forge: Forge;
  let clone: Clone;
  let cookie: string;

  beforeAll(async () => {
    forge = await startForge(giteaHome, runner);
    const { gitea, machine } = forge;
    cookie = await signIn(gitea, 'bot');
    await gitea.api('POST', 'user/repos', { name: 'demo', default_branch: 'main' });
    clone = newClone(forge.folder('demo'), gitea, 'bot/demo');
    writeWorkload(clone);
    writeWorkflow(clone, 'pull-request.yml', exampleWorkflow('pull-request', machine.meter));
    clone.push('main', 'Measure pull requests');
  });
  afterAll(() => forge?.stop());

  async function succeeded(file: string, sha: string): Promise<WorkflowRun> {
    const run = await endedRun(forge.gitea, 'bot/demo', file, sha);
    // The log is shown where it is of use.
    const log = run.conclusion === 'success' ? '' : await logsOf(forge.gitea, 'bot/demo', run.id);
    expect({ conclusion: run.conclusion, log }).toEqual({ conclusion: 'success', log: '' });
    return run;
  }

  it('measures a pull request, and updates its comment after a push, with the token of the job', async () => {
    const { gitea } = forge;
    const comments = () => commentsOf(gitea, 'bot/demo', 1);
    const first = clone.push('feature', 'A feature');
    expect(await openPullRequest(gitea, 'bot/demo', 'feature')).toMatchObject({ number: 1 });
    const run = await succeeded('pull-request.yml', first);
    const [comment, ...others] = await comments();
    expect(others).toEqual([]);
    expect(comment).toMatchObject({
      user: { login: 'gitea-actions' },
      body: expect.stringContaining(`<!-- joulediff key=Energy/energy/ run=${run.id} attempt=1 sha=${first} -->\n`),
    });
    // The runner calls the folder of every job "hostexecutor".
    expect(comment?.body).toContain('The result of `demo`');
    const page = `${gitea.url}/bot/demo/actions/runs/${run.id}`;
    expect(comment?.body).toContain(
      `[Interactive report](${page}/artifacts/joulediff.html) · [Raw data](${page}/artifacts/joulediff)`,
    );
    const report = await fetch(`${page}/artifacts/joulediff.html`, { headers: { cookie } });
    expect([report.status, report.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    const archive = await fetch(`${page}/artifacts/joulediff`, { headers: { cookie } });
    const files = unzip(Buffer.from(await archive.arrayBuffer()));
    expect(files.get('report.html')?.toString()).toBe(await report.text());
    expect([...files.keys()]).toEqual(expect.arrayContaining(['experiment.db', 'findings.json', 'runs.csv']));

    const second = clone.push('feature', 'A better feature');
    const next = await succeeded('pull-request.yml', second);
    const updated = await comments();
    expect(updated.map(({ id }) => id)).toEqual([comment?.id]);
    expect(updated[0]?.body).toContain(` run=${next.id} attempt=1 sha=${second} -->\n`);
  }, 600_000);
}

describe('a real Gitea with a real runner', () => {
  if (home && program) suite(home, program);
  else
    it.skip('is not there: npm test -- __tests__/gitea builds both where Go and its module proxy can be reached', () =>
      undefined);
});
