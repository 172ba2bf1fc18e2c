import { beforeAll, describe, expect, it } from '@jest/globals';
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
      const workflow = exampleWorkflow('on-demand', machine.meter);
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

    // What is measured afterwards is tried in a workflow runner (e2e/on-demand.test.ts): this runner tells no outputs of jobs.
    /** Writes a comment, waits until the run that it starts has ended, and gives the reactions to it and what the run printed. */
    async function ask(body: string, token = forge().gitea.token) {
      const { gitea } = forge();
      const before = (await runsOf(gitea, repository, FILE, main)).map(({ id }) => id);
      const { id } = await gitea.api<{ id: number }>('POST', `repos/${repository}/issues/1/comments`, { body }, token);
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
  });
}
