import { beforeAll, describe, expect, it } from '@jest/globals';
import { commentsOf, type Forge, logsOf, openPullRequest, runsOf, succeededRun, until } from './forge.ts';
import type { RunningGitea } from './real.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';
import { approve, signIn } from './web.ts';

export function forkScenarios(forge: () => Forge): void {
  describe('a fork’s pull request', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'open', default_branch: 'main' });
      clone = newClone(folder('open'), gitea, 'bot/open');
      writeWorkload(clone);
      writeWorkflow(clone, 'fork-measure.yml', exampleWorkflow('fork-measure', machine.meter));
      writeWorkflow(clone, 'fork-publish.yml', exampleWorkflow('fork-publish', machine.meter));
      clone.push('main', 'Measure what others send');
    });

    it('is measured without rights after an approval, and published with them', async () => {
      const { gitea } = forge();
      const { sha, eve } = await pushToFork(gitea, 'open', clone, 'A stranger’s feature');
      const { number } = await openPullRequest(gitea, 'bot/open', 'eve:feature', eve);
      await approveRun(gitea, 'bot/open', 'fork-measure.yml', sha);
      const measured = await succeededRun(gitea, 'bot/open', 'fork-measure.yml', sha);
      expect(await logsOf(gitea, 'bot/open', measured.id)).not.toContain('The comment was');
      const comment = await until('the comment', async () => (await commentsOf(gitea, 'bot/open', number))[0] ?? null);
      expect(comment.body).toContain(`run=${measured.id}`);
    }, 600_000);
  });
}

/** Forks a repository of bot's for eve, and pushes the clone's branch there, which is eve's from now on. Gives the commit and eve’s token. */
export async function pushToFork(
  gitea: RunningGitea,
  name: string,
  clone: Clone,
  message: string,
): Promise<{ sha: string; eve: string }> {
  const eve = gitea.tokenOf('eve', 'all');
  await until('the fork', () =>
    gitea.api<object>('POST', `repos/bot/${name}/forks`, {}, eve).catch((error) => {
      if (/: (404|409) /.test(String(error))) return null;
      throw error;
    }),
  );
  clone.git('remote', 'set-url', 'origin', `http://eve:${eve}@${new URL(gitea.url).host}/eve/${name}.git`);
  return await until('the fork’s repository', () => {
    try {
      return { sha: clone.push('feature', message), eve };
    } catch (error) {
      if (/not found/i.test(String(error))) return null;
      throw error;
    }
  });
}

/** Lets the run of a commit begin, as soon as it waits for that. */
export async function approveRun(gitea: RunningGitea, repository: string, file: string, sha: string): Promise<void> {
  const [run] = await until('the run', async () => {
    const runs = await runsOf(gitea, repository, file, sha);
    return runs.length > 0 ? runs : null;
  });
  if (run !== undefined) await approve(gitea, await signIn(gitea, 'bot'), repository, run.id);
}
