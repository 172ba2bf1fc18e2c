import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { commentsOf, type Forge, openPullRequest, succeededRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';

export function matrixScenarios(forge: () => Forge): void {
  describe('a matrix', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder, addMachine } = forge();
      const other = await addMachine('rack', ['self-hosted', 'rack']);
      await gitea.api('POST', 'user/repos', { name: 'both', default_branch: 'main' });
      clone = newClone(folder('both'), gitea, 'bot/both');
      writeWorkload(clone);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
      const workflow = exampleWorkflow('matrix', '${{ matrix.meter }}');
      const { measure } = workflow.jobs;
      if (measure === undefined) throw new Error('the example has no job named measure');
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of the workflow
      measure['runs-on'] = ['self-hosted', '${{ matrix.machine }}'];
      const include = [
        { workload: 'sort', machine: 'shelf', meter: machine.meter },
        { workload: 'zip', machine: 'rack', meter: other.meter },
      ];
      measure.strategy = { 'fail-fast': false, matrix: { include } };
      for (const { workload } of include) {
        const experiment = { name: workload, workload: { run: './bench.sh' }, variants: { a: {}, b: {} } };
        clone.write(`bench/${workload}.yml`, JSON.stringify(experiment));
      }
      clone.write('bench/bench.sh', '#!/bin/sh\nsleep 1.5\n');
      chmodSync(join(clone.folder, 'bench/bench.sh'), 0o755);
      writeWorkflow(clone, 'matrix.yml', workflow);
      clone.push('main', 'Measure on two machines');
    });

    it('is served by two machines, and gathered by one job', async () => {
      const { gitea } = forge();
      const sha = clone.push('feature', 'A feature of both');
      const { number } = await openPullRequest(gitea, 'bot/both', 'feature');
      const run = await succeededRun(gitea, 'bot/both', 'matrix.yml', sha);
      const { jobs } = await gitea.api<{ jobs: { name: string; runner_name: string }[] }>(
        'GET',
        `repos/bot/both/actions/runs/${run.id}/jobs`,
      );
      const ran = (end: string) => jobs.find(({ name }) => name.endsWith(end))?.runner_name;
      expect([ran(', sort)'), ran(', zip)'), ran('gather')]).toEqual(['shelf', 'rack', 'shelf']);
      const comments = await commentsOf(gitea, 'bot/both', number);
      expect(comments).toHaveLength(1);
      for (const workload of ['sort', 'zip']) expect(comments[0]?.body).toContain(`\`${workload}\``);
    }, 600_000);
  });
}
