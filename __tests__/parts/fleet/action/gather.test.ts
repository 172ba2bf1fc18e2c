// Class: system.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../../src/findings/findings.ts';
import { LIMITS } from '../../../../src/findings/read-findings.ts';
import { artifactName } from '../../../../src/forge/artifact-names.ts';
import { gather } from '../../../../src/parts/fleet/action/gather.ts';
import type { GatherInputs } from '../../../../src/parts/fleet/action/gather-inputs.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { type FakeJob, startJob } from '../../../action/job.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { type ForgeServer, startForgeServer } from '../../../servers/forge-server.ts';
import { zip } from '../../../servers/zip.ts';

const pull = (repository: string, digit = 'd') => ({
  pull_request: { number: 5, head: { sha: digit.repeat(40), repo: { full_name: repository } } },
});
let server: ForgeServer;
let job: FakeJob;

beforeEach(async () => {
  server = await startForgeServer();
});
afterEach(async () => {
  job.end();
  await server.close();
});

const findings = (name: string, more = {}): Findings => syntheticAnalysis({ name, traces: false, ...more }).findings;
const result = (folder: string, of: Findings) => job.write(`results/${folder}/findings.json`, findingsJson(of));

function start(event: unknown = pull('octo/demo')): void {
  job = startJob('pull_request', event, { GITHUB_API_URL: server.url, GITHUB_JOB: 'gather' });
}
const run = (more: Partial<GatherInputs> = {}) =>
  gather(
    {
      token: 'ghs_secret',
      comment: 'always',
      commentKey: '',
      artifactName: 'joulediff',
      results: ['results/*'],
      expectedKeys: [],
      check: false,
      requested: null,
      directory: job.folder,
      ...more,
    },
    process.env,
  );
/** What the forge was asked to write. */
const written = () => server.seen.filter(({ method }) => method !== 'GET');
const bodies = () => server.comments.map(({ body }) => body);

describe('mode: gather', () => {
  it('shows the folders of a matrix in one comment and one summary, the worst first', async () => {
    start();
    result('joulediff-b', findings('same', { variants: [{ name: 'native' }, { name: 'container', meanJ: 250 }] }));
    result('joulediff-a', findings('worse'));
    job.write('results/joulediff-a/comment.md', '# Approved');
    job.write('results/notes.txt', '');
    job.write('results/empty/readme.md', '');
    await run();
    expect(bodies()).toHaveLength(1);
    const [marker, title] = bodies()[0]!.split('\n');
    expect(marker).toBe(`<!-- joulediff key=Publish%20energy/gather/ run=900 attempt=1 sha=${'d'.repeat(40)} -->`);
    expect(title).toBe('### 🔺 2 experiments: 1 uses more energy, 1 within margin');
    expect(bodies()[0]!.indexOf('`worse (joulediff-a)`')).toBeLessThan(bodies()[0]!.indexOf('`same (joulediff-b)`'));
    expect(bodies()[0]).toContain('(https://github.com/octo/demo/actions/runs/900)');
    expect(bodies()[0]).not.toContain('Approved');
    expect(job.summary()).toContain('2 experiments');
    expect(job.outputs()).toMatchObject({
      verdict: 'increase',
      'comment-url': expect.stringContaining('#issuecomment-'),
    });
    expect(job.failed()).toBe(false);
  });

  it('with comment: changes makes none where nothing changed, and brings an older one up to date', async () => {
    start();
    const same = findings('same', { variants: [{ name: 'native' }, { name: 'container', meanJ: 250 }] });
    result('a', same);
    result('b', same);
    await run({ comment: 'changes' });
    expect(bodies()).toEqual([]);
    result('b', findings('worse'));
    await run({ comment: 'changes' });
    expect(bodies()[0]).toContain('1 uses more energy');
    result('b', same);
    await run({ comment: 'changes' });
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).not.toContain('uses more energy');
  });

  it('takes patterns of several lines, a folder itself, and the file', async () => {
    start();
    for (const name of ['a', 'b', 'c']) result(name, findings(name));
    await run({ results: ['results/a', 'results/b/findings.json', join(job.folder, 'results', '[c]')] });
    expect(bodies()[0]).toContain('3 experiments');
  });

  it('shows the latest attempt of each job’s folder, in each parent folder by itself', async () => {
    start();
    for (const folder of ['joulediff-a', 'joulediff-a-attempt-2', 'joulediff-a-attempt-10', 'joulediff-b-attempt-2']) {
      result(folder, findings(folder));
    }
    job.write('other/joulediff-a/findings.json', findingsJson(findings('of the other')));
    await run({ results: ['results/*', 'other/*'] });
    expect(bodies()[0]).toContain('3 experiments');
    for (const name of ['joulediff-a-attempt-10', 'joulediff-b-attempt-2', 'of the other']) {
      expect(bodies()[0]).toMatch(new RegExp(`\\| \`${name}\\b`));
    }
  });

  it('fetches the artifacts of its own run where no folder is given', async () => {
    start();
    const archive = (name: string) => zip([{ name: 'findings.json', content: findingsJson(findings(name)) }]);
    for (const [i, name] of ['joulediff-a', 'joulediff-b'].entries()) {
      server.artifacts.push({ id: i + 1, runId: 900, name, archive: archive(name) });
    }
    await run({ results: [] });
    expect(bodies()[0]).toContain('2 experiments');
  });

  it('names the scope and the lines where it may not fetch them, and succeeds', async () => {
    await server.close();
    server = await startForgeServer({ forbidden: ['artifacts'] });
    start();
    await run({ results: [] });
    expect(job.log()).toMatch(/artifacts of run 900 could not be listed.*"actions: read".*%0A {2}actions: read%0A/);
    expect(job.failed()).toBe(false);
  });

  it('marks the comment of an older commit where it may not fetch them', async () => {
    await server.close();
    server = await startForgeServer({ forbidden: ['artifacts'] });
    start();
    result('a', findings('a'));
    await run();
    job.end();
    start(pull('octo/demo', 'e'));
    await run({ results: [] });
    expect(bodies()).toEqual([expect.stringMatching(/> \*\*These numbers are of the older commit d{10}\.\*\*/)]);
  });

  it('names the scope where it may not write, keeps the summary, and succeeds', async () => {
    await server.close();
    server = await startForgeServer({ access: 'read' });
    start();
    result('a', findings('a'));
    await run();
    expect(job.log()).toMatch(/"pull-requests: write".*%0Apermissions:%0A {2}pull-requests: write%0A/);
    expect(job.summary()).toContain('`container` used');
    expect(job.failed()).toBe(false);
  });

  it('writes no comment for a fork, whose runs may not, and says so', async () => {
    start(pull('eve/demo'));
    result('a', findings('a'));
    await run();
    expect(written()).toEqual([]);
    expect(job.log()).toMatch(/::notice::There is no comment: the pull request comes from a fork/);
    expect(job.summary()).toContain('`container` used');
  });

  it('follows no link, neither as a folder nor as a file, and refuses what is no file or too large', async () => {
    start();
    const real = result('real', findings('secret'));
    job.write('results/large/findings.json', ' '.repeat(LIMITS.bytes + 1));
    mkdirSync(join(job.folder, 'results', 'a'));
    mkdirSync(join(job.folder, 'results', 'b', 'findings.json'), { recursive: true });
    symlinkSync(real, join(job.folder, 'results', 'a', 'findings.json'));
    symlinkSync(join(job.folder, 'results', 'real'), join(job.folder, 'results', 'linked'));
    await run();
    expect(bodies()[0]).toContain('### 🔺 `secret`: ');
    expect(job.log()).toMatch(/::error::The result a was rejected: /);
    expect(job.log()).toMatch(/::error::The result b was rejected: /);
    expect(job.log()).toMatch(/::error::The result large was rejected: findings\.json has 8388609 bytes/);
    expect(job.log()).not.toContain('linked');
    expect(job.failed()).toBe(true);
  });

  it('fails where there is nothing, and says what it needs', async () => {
    start();
    await expect(run()).rejects.toThrow(/nothing to gather: no folder results\/\* with a findings\.json/);
    await expect(run({ results: [] })).rejects.toThrow(/no artifact named joulediff or joulediff-…/);
    result('bad', { schema: 'x' } as unknown as Findings);
    await expect(run()).rejects.toThrow(/None of the results could be used/);
  });

  it('has a row for each failed leg that no result is of, by the jobs of the run', async () => {
    start();
    server.jobs.push(
      { name: 'measure (sort)', conclusion: 'success' },
      { name: 'measure (zip)', conclusion: 'failure' },
      { name: 'measure (gzip, large)', conclusion: 'cancelled' },
      { name: 'measure (tar, small)', conclusion: 'failure' },
      { name: 'later', conclusion: 'skipped' },
      { name: 'gather', conclusion: null },
    );
    result('joulediff-sort', findings('sort'));
    result('joulediff-tar-small-attempt-2', findings('tar'));
    await run({ comment: 'changes' });
    expect(bodies()[0]).toContain('**2 jobs without a result.** The numbers here are of the other jobs only.');
    expect(bodies()[0]).toMatch(/\| `measure \(zip\)` \| none: it ended with failure \|/);
    expect(bodies()[0]).toMatch(/\| `measure \(gzip, large\)` \| none: it ended with cancelled \|/);
    expect(bodies()[0]).not.toMatch(/tar, small|`later`|`gather`/);
    expect(job.summary()).toContain('`measure (zip)`');
    expect(job.log()).toContain('::warning::The job measure (zip) left no result. It ended with failure.');
  });

  describe('after a job that was run again and failed', () => {
    const at = (minute: number) => `2026-12-01T10:${minute}:00Z`;
    const ran = (name: string, conclusion: string, attempt: number, [from, to]: readonly [number, number]) => ({
      ...{ name, conclusion, run_attempt: attempt },
      ...{ started_at: at(from), completed_at: at(to) },
    });
    const uploaded = (name: string, minute: number) => {
      const archive = zip([{ name: 'findings.json', content: findingsJson(findings(name)) }]);
      server.artifacts.push({ id: server.artifacts.length + 1, runId: 900, name, archive, createdAt: at(minute) });
    };

    it.each([[[]], [['sort', 'zip']]])('shows no result of its earlier attempt: expected keys %j', async (keys) => {
      start();
      uploaded('joulediff-sort', 20);
      uploaded('joulediff-zip', 21);
      server.jobs.push(ran('measure (sort)', 'failure', 1, [10, 22]), ran('measure (zip)', 'success', 1, [10, 22]));
      server.jobs.push(ran('measure (sort)', 'failure', 2, [40, 41]));
      await run({ results: [], expectedKeys: keys });
      expect(bodies()[0]).toContain('**1 job without a result.**');
      expect(bodies()[0]).toMatch(
        keys.length > 0 ? /\| `sort` \| none \|/ : /`measure \(sort\)` \| none: it ended with failure/,
      );
      expect(bodies()[0]).toContain('joulediff-zip');
      expect(bodies()[0]).not.toContain('joulediff-sort');
      expect(job.log()).toContain('The result joulediff-sort was ignored: it is of an earlier attempt');
    });

    it('shows no result of its earlier attempt, either, where the artifact has no key', async () => {
      start();
      uploaded('joulediff', 20);
      server.jobs.push(ran('lint', 'success', 1, [10, 12]), ran('measure', 'failure', 1, [10, 22]));
      server.jobs.push(ran('measure', 'failure', 2, [40, 41]));
      await expect(run({ results: [] })).rejects.toThrow(/nothing to gather/);
      expect(bodies()[0]).toMatch(/`measure` \| none: it ended with failure/);
    });

    it('shows the results of jobs that were not run again, and those of the failed attempt itself', async () => {
      start();
      uploaded('joulediff', 20);
      uploaded('joulediff-zip', 20);
      uploaded('joulediff-zip-attempt-2', 42);
      server.jobs.push(ran('lint', 'failure', 1, [10, 12]), ran('measure', 'success', 1, [10, 22]));
      server.jobs.push(ran('measure (zip)', 'failure', 1, [10, 22]), ran('measure (zip)', 'failure', 2, [40, 44]));
      server.jobs.push(ran('lint', 'failure', 2, [40, 41]));
      await run({ results: [] });
      expect(bodies()[0]).toContain('2 experiments');
      expect(bodies()[0]).not.toContain('without a result');
    });
  });

  it('takes no job for failed without a result that a crossed threshold failed', async () => {
    start();
    server.jobs.push({ name: 'Energy', conclusion: 'failure' });
    const partial = findings('a');
    result('a', { ...partial, experiment: { ...partial.experiment, complete: false } });
    await run();
    expect(bodies()[0]).not.toContain('without a result');
  });

  it('has a row for each expected key', async () => {
    start();
    server.jobs.push({ name: 'lint', conclusion: 'failure' });
    result(artifactName('joulediff', 'a b'), findings('a'));
    await run({ expectedKeys: ['a b', 'c'] });
    expect(bodies()[0]).toMatch(/\| `c` \| none \|/);
    expect(bodies()[0]).not.toMatch(/lint|`a b`/);
  });

  it('misses a key beside one that differs from it in signs alone', async () => {
    start();
    result(artifactName('joulediff', 'c'), findings('c'));
    await run({ expectedKeys: ['c', 'c++'] });
    expect(bodies()[0]).toMatch(/\| `c\+\+` \| none \|/);
  });

  it('says in comment and summary that all failed, and marks the older comment', async () => {
    start();
    server.jobs.push({ name: 'measure (zip)', conclusion: 'failure' });
    await expect(run()).rejects.toThrow(/nothing to gather/);
    expect(bodies()[0]).toMatch(/no job left a result[\s\S]*\| `measure \(zip\)` \| none: it ended with failure \|/);
    expect(job.summary()).toMatch(/no job left a result[\s\S]*`measure \(zip\)`/);
    result('joulediff-zip', findings('zip'));
    await run();
    expect(bodies()[0]).toContain('`container` used');
    job.end();
    start(pull('octo/demo', 'e'));
    await expect(run()).rejects.toThrow(/nothing to gather/);
    expect(bodies()).toHaveLength(1);
    expect(bodies()[0]).toMatch(/> \*\*These numbers are of the older commit d{10}\.\*\*[\s\S]*`container` used/);
  });

  it('writes only the summary where no comment is wanted', async () => {
    start();
    result('a', findings('a'));
    await run({ comment: 'never' });
    expect(written()).toEqual([]);
    expect(job.summary()).toContain('`container` used');
  });
});
