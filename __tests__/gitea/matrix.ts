import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { commentsOf, type Forge, openPullRequest, succeededRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow } from './repositories.ts';

export function matrixScenarios(forge: () => Forge): void {
  describe('the same experiment on several machines', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder, addMachine } = forge();
      const other = await addMachine('rack', ['self-hosted', 'rack'], ['--idle', '95']);
      await gitea.api('POST', 'user/repos', { name: 'both', default_branch: 'main' });
      clone = newClone(folder('both'), gitea, 'bot/both');
      // Two blocks have a spread, and one has none.
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
      const workflow = exampleWorkflow('machines', '${{ matrix.meter }}', { repetitions: 2 });
      const { measure } = workflow.jobs;
      if (measure === undefined) throw new Error('the example has no job named measure');
      const { include } = (measure.strategy as { matrix: { include: { machine: string; meter: string }[] } }).matrix;
      for (const each of include) each.meter = each.machine === 'rack' ? other.meter : machine.meter;
      // Shorter than ten readings of the meter can't be trusted, and is not pooled.
      const variants = { short: { run: './bench.sh 4.2' }, long: { run: './bench.sh 5.2' } };
      clone.write('joulediff.yml', JSON.stringify({ name: 'sleep', variants, baseline: 'short' }));
      clone.write('bench.sh', '#!/bin/sh\nsleep "$1"\n');
      chmodSync(join(clone.folder, 'bench.sh'), 0o755);
      writeWorkflow(clone, 'machines.yml', workflow);
      clone.push('main', 'Measure on two machines');
    });

    it('is measured by two runners, and pooled in one comment', async () => {
      const { gitea } = forge();
      const sha = clone.push('feature', 'A feature of both');
      const { number } = await openPullRequest(gitea, 'bot/both', 'feature');
      const run = await succeededRun(gitea, 'bot/both', 'machines.yml', sha);
      const { jobs } = await gitea.api<{ jobs: { name: string; runner_name: string }[] }>(
        'GET',
        `repos/bot/both/actions/runs/${run.id}/jobs`,
      );
      expect(jobs.map(({ runner_name }) => runner_name).sort()).toEqual(['rack', 'shelf', 'shelf']);
      const comments = await commentsOf(gitea, 'bot/both', number);
      expect(comments).toHaveLength(1);
      const [{ body } = { body: '' }] = comments;
      for (const artifact of ['joulediff-shelf', 'joulediff-rack']) expect(body).toContain(artifact);
      if (process.getuid?.() !== 0) return; // One host name: a machine has a name of its own only where root gives it one.
      const [, pooled = ''] = body.split('on 2 machines');
      expect(pooled).toMatch(/Together: .*Two machines are too few to generalize from/);
      expect(pooled).toMatch(/^\| `rack` +\|/m);
      expect(pooled).toMatch(/^\| `shelf` +\|/m);
    }, 600_000);
  });
}
