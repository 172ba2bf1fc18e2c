import { beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from '../../src/forge/api.ts';
import { acceptanceOfMerge } from '../../src/parts/fleet/checks/tell-check.ts';
import { commentsOf, type Forge, logsOf, openPullRequest, runsOf, until } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';

const FILE = 'on-demand.yml';
const secret = (name: string): string => `\${{ secrets.${name} }}`;

export function requestScenarios(forge: () => Forge): void {
  describe('a request in a comment', () => {
    let clone: Clone;
    let main: string;
    let head: string;
    const repository = 'bot/asked';

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'asked', default_branch: 'main' });
      // This forge tells only an administrator who may write.
      await gitea.api('PUT', `repos/${repository}/actions/secrets/FORGE_TOKEN`, { data: gitea.token });
      clone = newClone(folder('asked'), gitea, repository);
      writeWorkload(clone);
      const workflow = exampleWorkflow('on-demand', machine.meter, {
        repetitions: `\${{ needs.ask.outputs.repetitions || '1' }}`,
      });
      for (const { steps } of [workflow.jobs.ask, workflow.jobs.publish] as (typeof workflow.jobs)[string][]) {
        for (const step of steps) step.with = { ...step.with, 'github-token': secret('FORGE_TOKEN') };
      }
      // Gitea 1.26 leaves a job blocked for ever that waits for another one and has a group: docs/pull-requests.md says so.
      for (const job of Object.values(workflow.jobs)) delete job.concurrency;
      writeWorkflow(clone, FILE, workflow);
      main = clone.push('main', 'Measure on demand');
      head = clone.push('feature', 'A feature');
      await openPullRequest(gitea, repository, 'feature');
    });

    /** Writes a comment, waits until the run that it starts has ended, and gives the reactions to it and what the run printed. */
    async function ask(body: string, token = forge().gitea.token, pull = 1) {
      const { gitea } = forge();
      const before = (await runsOf(gitea, repository, FILE, main)).map(({ id }) => id);
      const { id } = await gitea.api<{ id: number }>(
        'POST',
        `repos/${repository}/issues/${pull}/comments`,
        { body },
        token,
      );
      const run = await until(`the run for ${body}`, async () => {
        const runs = await runsOf(gitea, repository, FILE, main);
        return runs.find((one) => !before.includes(one.id) && one.status === 'completed') ?? null;
      });
      const path = `repos/${repository}/issues/comments/${id}/reactions`;
      const reactions = ((await gitea.api<{ content: string }[] | null>('GET', path)) ?? []).map(
        ({ content }) => content,
      );
      return { reactions, log: await logsOf(gitea, repository, run.id) };
    }

    it('is refused for a stranger, and where nothing tells which commit was the head', async () => {
      const { gitea } = forge();
      const stranger = await ask(`/joulediff head=${head}`, gitea.tokenOf('eve', 'all'));
      expect(stranger).toMatchObject({ reactions: ['confused'], log: expect.stringContaining('eve may not write') });
      expect(await ask('/joulediff')).toMatchObject({ reactions: ['confused'] });
      const answers = (await commentsOf(gitea, repository, 1)).filter(({ user }) => user.login === 'bot');
      expect(answers.at(-1)?.body).toContain('It is not certain');
      expect(answers.at(-1)?.body).toContain(`head=${head.slice(0, 10)}`);
    }, 600_000);

    it('for a commit that is no longer the head is refused, and nothing marks the later one', async () => {
      clone.git('checkout', '-q', '-b', 'moved', main);
      const before = clone.push('moved', 'Asked for');
      const { number } = await openPullRequest(forge().gitea, repository, 'moved');
      const later = clone.push('moved', 'Later');
      expect(await ask(`/joulediff head=${before}`, undefined, number)).toMatchObject({ reactions: ['confused'] });
      expect(await forge().gitea.api('GET', `repos/${repository}/commits/${later}/statuses`)).toEqual([]);
    }, 600_000);

    /** What marked a commit, the oldest first. */
    async function statusesOf(sha: string) {
      const path = `repos/${repository}/commits/${sha}/statuses?sort=oldest`;
      const all = await forge().gitea.api<{ context: string; status: string; description: string }[]>('GET', path);
      return all.filter(({ context }) => context === 'joulediff: Energy on demand');
    }

    it('may be a label, and is measured at the commit that had it', async () => {
      const { gitea } = forge();
      clone.git('checkout', '-q', '-b', 'labeled', main);
      const labeled = clone.push('labeled', 'Asked for by a label');
      const { number } = await openPullRequest(gitea, repository, 'labeled');
      const label = { name: 'joulediff', color: '#ff0000' };
      const { id } = await gitea.api<{ id: number }>('POST', `repos/${repository}/labels`, label);
      await gitea.api('POST', `repos/${repository}/issues/${number}/labels`, { labels: [id] });
      await until('the run of the label', async () => {
        const [run] = await runsOf(gitea, repository, FILE, labeled);
        return run?.status === 'completed' ? run : null;
      });
      expect((await statusesOf(labeled)).map(({ status }) => status)).toEqual(['pending', 'success']);
      const reported = (await commentsOf(gitea, repository, number)).map(({ body }) => body);
      expect(reported).toEqual([expect.stringContaining(`for commit ${labeled}.`)]);
    }, 600_000);

    it('is measured at the commit that it names, published there, and accepted', async () => {
      const { gitea } = forge();
      const statuses = () => statusesOf(head);
      const asked = await ask(`/joulediff repetitions=1 head=${head}`);
      expect(asked.reactions).toEqual(['eyes', 'rocket']);
      expect((await statuses()).map(({ status }) => status)).toEqual(['pending', 'success']);
      const reported = (await commentsOf(gitea, repository, 1)).filter(({ body }) =>
        body.includes(`for commit ${head}.`),
      );
      expect(reported).toHaveLength(1);
      expect(reported[0]?.body).toContain('| `head`');
      expect((await ask(`/joulediff accept head=${head} worth it`)).reactions).toEqual(['+1']);
      const comments = (await commentsOf(gitea, repository, 1)).filter(({ body }) => body.includes('Accepted by'));
      expect(comments.map(({ body }) => body)).toEqual([expect.stringContaining(`for commit ${head}.`)]);
      expect((await statuses()).at(-1)?.description).toBe('Accepted by bot: worth it');

      // The history asks which pull request a commit of the default branch merged.
      await gitea.api('POST', `repos/${repository}/pulls/1/merge`, { Do: 'squash' });
      const { commit } = await gitea.api<{ commit: { id: string } }>('GET', `repos/${repository}/branches/main`);
      const octokit = await connect(gitea.token, `${gitea.url}/api/v1`);
      const of = (sha: string) => acceptanceOfMerge({ octokit, owner: 'bot', repo: 'asked', sha }, gitea.token, true);
      expect(await of(commit.id)).toBe('accepted by bot in #1: worth it');
      expect(await of(main)).toBeNull();
    }, 600_000);
  });
}
