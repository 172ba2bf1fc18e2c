import { beforeAll, describe, expect, it } from '@jest/globals';
import { markImages } from '../e2e/program.ts';
import { commentsOf, type Forge, openPullRequest, succeededRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';

const FILE = 'dockerfile.yml';

export function dockerfileScenarios(forge: () => Forge): void {
  describe('a Dockerfile that a pull request changes', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'image', default_branch: 'main' });
      clone = newClone(folder('image'), gitea, 'bot/image');
      writeWorkload(clone);
      writeWorkflow(clone, FILE, exampleWorkflow('dockerfile', machine.meter));
      clone.push('main', 'Measure images');
    });

    it('is built as it was and as it is, and the comment compares the two', async () => {
      const { gitea } = forge();
      const base = clone.git('rev-parse', 'HEAD').trim();
      clone.write(
        'Dockerfile',
        `FROM scratch\n${markImages(clone.folder)}COPY bin /bin\nCOPY bench.sh /w/\nENV LANGUAGE=en\nWORKDIR /w\n`,
      );
      const sha = clone.push('feature', 'Another image');
      const { number } = await openPullRequest(gitea, 'bot/image', 'feature');
      await succeededRun(gitea, 'bot/image', FILE, sha);
      const [comment, ...others] = await commentsOf(gitea, 'bot/image', number);
      expect(others).toEqual([]);
      const reported = (what: string) =>
        new RegExp(`^\\| ${what} \\| \`(.*)\` \\|$`, 'm').exec(comment?.body ?? '')?.[1];
      expect(reported('Revision of base')).toContain(`, commit ${base}`);
      expect(reported('Revision of head')).toContain(`, commit ${sha}`);
      const digest = (name: string) => /sha256:[0-9a-f]{64}$/.exec(reported(`Image of ${name}`) ?? '')?.[0];
      expect(digest('base')).toMatch(/^sha256:/);
      expect(digest('head')).not.toBe(digest('base'));
    }, 600_000);
  });
}
