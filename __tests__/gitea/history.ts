import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Forge, succeededRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';

export function historyScenarios(forge: () => Forge): void {
  describe('the default branch', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'trend', default_branch: 'main' });
      clone = newClone(folder('trend'), gitea, 'bot/trend');
      writeWorkload(clone);
      writeWorkflow(clone, 'history.yml', exampleWorkflow('history', machine.meter));
    });

    it('has its history on a branch, which grows with each commit', async () => {
      const { gitea } = forge();
      const measured: string[] = [];
      for (const message of ['Measure every commit', 'Change something']) {
        measured.push(clone.push('main', message));
        await succeededRun(gitea, 'bot/trend', 'history.yml', measured.at(-1) ?? '');
      }
      clone.git('fetch', '-q', 'origin', 'joulediff-history');
      const files = clone.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD').trim().split('\n');
      const text = clone.git('grep', '-h', '-o', '-E', measured.join('|'), 'FETCH_HEAD');
      for (const sha of measured) expect(text).toContain(sha);
      expect(files.filter((name) => name.startsWith('records/'))).toHaveLength(2);
      expect(files).toContain('badges/bench.svg');
    }, 600_000);
  });
}
