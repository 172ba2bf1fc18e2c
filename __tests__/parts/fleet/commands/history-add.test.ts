// Class: world.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../../../src/findings/findings.ts';
import { sqliteStore } from '../../../../src/parts/fleet/history/stores/sqlite.ts';
import { findingsJson } from '../../../../src/report/findings-json.ts';
import { TestRepository } from '../../../measure/checkout/repository-folder.ts';
import { syntheticAnalysis } from '../../../report/synthetic/analysis.ts';
import { start } from '../../../terminal/program.ts';

let folder: string;
let result: string;
const run = (...words: string[]) => start(words, { JOULEDIFF_LOCK: `joulediff.test.${process.pid}.history` }).ended;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-terminal-history-'));
  result = join(folder, 'result');
  const file = join(folder, 'joulediff.yml');
  writeFileSync(
    file,
    JSON.stringify({
      name: 'nothing',
      workload: { run: ['true'] },
      variants: { one: {}, other: {} },
      repetitions: 2,
      warmup: { runs: 0 },
      rest: '100ms',
      guard: '50ms',
      meter: 'estimate',
      history: { file: join(folder, 'untouched.db') },
    }),
  );
  const ended = await run('run', file, '--out', result);
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('joulediff history add ') });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('joulediff history add', () => {
  it('keeps a measured experiment in a file and draws it', async () => {
    const file = join(folder, 'history.db');
    const words = ['history', 'add', join(result, 'experiment.db'), '--file', file];
    const links = ['--commit', 'A'.repeat(40), '--repository', 'https://github.com/octo/demo/'];
    expect(await run(...words, ...links)).toMatchObject({ code: 0, stdout: `Added to ${file}.\n` });
    expect(await run(...words)).toMatchObject({ code: 0, stdout: `${file} already contains this experiment.\n` });
    const out = join(folder, 'page');
    expect(await run('history', 'page', '--file', file, '--out', out)).toMatchObject({ code: 0 });
    const html = readFileSync(join(out, 'history.html'), 'utf8');
    expect(html).toContain(`href="https://github.com/octo/demo/commit/${'a'.repeat(40)}"`);
    expect(html).toContain('Energy here is estimated by a model (estimate), not measured.');
    const { variants } = JSON.parse(readFileSync(join(result, 'findings.json'), 'utf8'));
    const lines = readFileSync(join(out, 'history.csv'), 'utf8').trimEnd().split('\n').slice(1);
    expect(lines.map((line) => Number(line.split(',')[12]))).toEqual(
      variants.map((v: { energy_j: { mean: number } }) => v.energy_j.mean),
    );
    // A terminal keeps nothing by itself, whatever the file says; and the badge lies in the result.
    expect(readdirSync(folder)).not.toContain('untouched.db');
    expect(JSON.parse(readFileSync(join(result, 'badge.json'), 'utf8')).message).toMatch(/not measured$/);
  });

  it('keeps a findings.json on a branch', async () => {
    const remote = join(folder, 'remote.git');
    execFileSync('git', ['init', '-q', '--bare', remote]);
    const findings = join(folder, 'findings.json');
    writeFileSync(findings, findingsJson(syntheticAnalysis().findings));
    const place = ['--branch', 'energy', '--remote', remote];
    expect(await run('history', 'add', findings, ...place)).toMatchObject({
      code: 0,
      stdout: 'Added to the branch energy.\n',
    });
    const out = join(folder, 'of-branch');
    expect(await run('history', 'page', ...place, '--out', out)).toMatchObject({ code: 0 });
    expect(readFileSync(join(out, 'history.html'), 'utf8')).toContain('1 experiment on one machine and meter');
  });

  it('puts a result of this repository into the line of its workflow', async () => {
    const repository = TestRepository.create();
    try {
      const sha = repository.write('work.sh', 'true').commit();
      execFileSync('git', ['remote', 'add', 'origin', 'git@github.com:octo/demo.git'], { cwd: repository.path });
      const { findings } = syntheticAnalysis();
      const kept = async (commit: Findings['experiment']['commit'], ...more: string[]) => {
        const id = randomUUID();
        const { commit: _, ...rest } = findings.experiment;
        const experiment = { ...rest, id, ...(commit && { commit }) };
        const revision = { name: 'HEAD', commit: sha };
        const variants = commit ? findings.variants : findings.variants.map((one) => ({ ...one, revision }));
        repository.write('findings.json', findingsJson({ ...findings, experiment, variants }));
        const words = ['history', 'add', 'findings.json', '--file', 'history.db', ...more];
        expect(await start(words, {}, repository.path).ended).toMatchObject({ code: 0 });
        const records = await sqliteStore(join(repository.path, 'history.db')).records();
        const record = records.find((one) => one.id === id);
        return [record?.repository, record?.commit];
      };
      const demo = 'https://github.com/octo/demo';
      const other = 'f'.repeat(40);
      expect(await kept({ sha, dirty: false })).toEqual([demo, sha]);
      expect(await kept({ sha, dirty: true })).toEqual([demo, null]);
      expect(await kept({ sha: other, dirty: false })).toEqual([null, other]);
      expect(await kept(undefined)).toEqual([demo, sha]);
      expect(await kept(undefined, '--repository', `${demo}.git/`, '--commit', other)).toEqual([demo, other]);
    } finally {
      repository.remove();
    }
  });

  it.each<[string, string[], RegExp]>([
    ['no place', ['add', 'x.json'], /either --file or --branch/],
    ['no file', ['add', '--file', 'a.db'], /history add needs a FILE/],
    ['a file that is not there', ['add', 'nowhere.json', '--file', 'a.db'], /There is no file nowhere\.json/],
    [
      'a short commit',
      ['add', 'x', '--file', 'a.db', '--commit', 'abc123'],
      /is not the full name of a commit|There is no file/,
    ],
  ])('refuses %s', async (_, words, sentence) => {
    const { code, stderr } = await run('history', ...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
  });

  it('says when findings have no place in a history', async () => {
    const csv = join(folder, 'unknown.json');
    writeFileSync(csv, findingsJson(syntheticAnalysis({ source: 'unknown' }).findings));
    const { code, stderr } = await run('history', 'add', csv, '--file', join(folder, 'a.db'));
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('do not say which machine and meter'),
    });
  });
});
