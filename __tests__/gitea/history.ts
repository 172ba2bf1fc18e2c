import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { line, uuid } from '../parts/fleet/history/records.ts';
import { type Forge, logsOf, succeededRun } from './forge.ts';
import { type Clone, exampleWorkflow, newClone, writeWorkflow, writeWorkload } from './repositories.ts';

export function historyScenarios(forge: () => Forge): void {
  describe('the default branch', () => {
    let clone: Clone;

    beforeAll(async () => {
      const { gitea, machine, folder } = forge();
      await gitea.api('POST', 'user/repos', { name: 'trend', default_branch: 'main' });
      clone = newClone(folder('trend'), gitea, 'bot/trend');
      writeWorkload(clone);
      // Steps are found in results that can be trusted only: a window takes ten readings of the meter.
      clone.write('bench.sh', '#!/bin/sh\n/bin/busybox sleep 4.2\necho done\n');
      chmodSync(join(clone.folder, 'bench.sh'), 0o755);
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

    it('opens one issue for a step, and closes it once somebody has accepted it', async () => {
      const { gitea, folder } = forge();
      const history = newClone(folder('history'), gitea, 'bot/trend');
      history.git('fetch', '-q', 'origin', 'joulediff-history');
      history.git('reset', '-q', '--hard', 'FETCH_HEAD');
      // 23 experiments before the first: 20 that needed less, and three like it.
      const commitAt = (i: number): string => i.toString(16).padStart(40, 'c');
      const [path = ''] = history.git('ls-files', 'records').trim().split('\n');
      const first = JSON.parse(readFileSync(join(history.folder, path), 'utf8'));
      for (const [i, { variants }] of line({ count: 23 }).entries()) {
        const factor = (variants[0]!.energy_j / 250) * (i < 20 ? 0.7 : 1);
        const startedAt = new Date(Date.parse(first.started_at) - (23 - i) * 3_600_000).toISOString();
        const own = first.variants.map((one: { energy_j: number }) => ({ ...one, energy_j: one.energy_j * factor }));
        const commit = commitAt(i);
        const kept = { ...first, id: uuid(i), commit, started_at: startedAt, variants: own, comparisons: [] };
        history.write(`records/2026/01/${kept.id}.json`, JSON.stringify(kept));
      }
      history.push('joulediff-history', 'Experiments');

      // The runs here may differ by a step of their own, as busy as the machine is.
      const issues = async () => {
        const path = 'repos/bot/trend/issues?state=all&type=issues';
        const all = await gitea.api<{ number: number; state: string; body: string; comments: number }[]>('GET', path);
        return all.filter(({ body }) => body.includes(`commit=${commitAt(20)} `));
      };
      const measure = async (message: string) => {
        const sha = clone.push('main', message);
        const { id } = await succeededRun(gitea, 'bot/trend', 'history.yml', sha);
        return logsOf(gitea, 'bot/trend', id);
      };
      expect(await measure('Step')).toMatch(/The issue #\d+ was opened: /);
      expect(await issues()).toEqual([
        expect.objectContaining({ state: 'open', body: expect.stringContaining('joulediff bisect') }),
      ]);

      const commit = commitAt(20);
      history.git('fetch', '-q', 'origin', 'joulediff-history');
      history.git('reset', '-q', '--hard', 'FETCH_HEAD');
      const note = { schema: 'joulediff/history-note/1', commit, text: 'a new compiler' };
      history.write(`notes/${commit}.json`, JSON.stringify(note));
      history.push('joulediff-history', 'Note');
      expect(await measure('Accepted')).toMatch(/The issue #\d+ was closed: its step is accepted/);
      expect(await issues()).toEqual([expect.objectContaining({ state: 'closed', comments: 1 })]);
    }, 600_000);
  });
}
