// Class: world.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { terminalJsonSchema } from '../../src/findings/json-schema.ts';
import { readFindings } from '../../src/findings/read-findings.ts';
import { Answers } from '../../src/findings/terminal.ts';
import { findingsJson } from '../../src/report/findings-json.ts';
import { syntheticAnalysis } from '../report/synthetic/analysis.ts';
import { start } from '../terminal/program.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-json-'));
  const two = { workload: { run: 'true' }, variants: { a: {}, b: { run: 'echo \u202e' } }, meter: 'estimate' };
  writeFileSync(
    join(folder, 'two.yml'),
    JSON.stringify({ ...two, repetitions: 1, warmup: { runs: 0 }, rest: 0, guard: 0 }),
  );
  writeFileSync(
    join(folder, 'findings.json'),
    findingsJson(syntheticAnalysis({ name: 'sort', traces: false }).findings),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const HISTORY = ['--file', 'history.db'];
const answer = async (words: readonly string[]): Promise<unknown> => {
  const { stdout } = await start([...words, '--json'], { XDG_STATE_HOME: folder, HOME: folder }, folder).ended;
  return JSON.parse(stdout);
};

describe('joulediff COMMAND --json', () => {
  it.each<[string, readonly string[], object]>([
    ['plan', ['plan', 'two.yml', '--seed', '3'], { seed: 3, runs: 2, may_end_early: false, pauses_s: { least: 0 } }],
    [
      'plan',
      ['plan', 'two.yml', '--set', 'repetitions={ auto: true, least: 6, most: 50 }', '--set', 'rest=2s'],
      { runs: 100, pauses_s: { least: 26, most: 202 } },
    ],
    [
      'plan',
      ['plan', 'two.yml', '--set', 'repetitions={ auto: true, least: 6, most: 50, within: 1min }', '--set', 'rest=2s'],
      { pauses_s: { least: 26, most: 60 } },
    ],
    ['measure', ['measure', 'two.yml', '--out', 'm'], { database: expect.stringMatching(/m\/experiment\.db$/) }],
    ['report', ['report', 'findings.json', '--out', 'r'], { results: [{ experiment: 'sort', trusted: true }] }],
    ['report', ['report', 'findings.json', '--methods'], { folder: null, text: expect.stringContaining('blocks') }],
    ['clean', ['clean'], {}],
    ['init', ['init'], { files: [{ path: 'joulediff.yml', written: true }, { written: true }] }],
    ['doctor', ['doctor', '--meter', 'estimate'], {}],
    ['meter list', ['meter', 'list'], { network: null }],
    ['meter emulate', ['meter', 'emulate', 'shelly', '--seconds', '0.1'], { meter: expect.stringMatching(/^shelly:/) }],
    ['export', ['export', 'findings.json', '--format', 'csv'], { format: 'csv', text: null }],
    ['export', ['export', 'findings.json', '--format', 'openmetrics'], { files: [] }],
    ['history add', ['history', 'add', 'findings.json', '--commit', 'abcd'.repeat(10), ...HISTORY], { added: true }],
    ['history note', ['history', 'note', 'abcd', 'expected', ...HISTORY], { text: 'expected', changed: true }],
    ['history page', ['history', 'page', ...HISTORY, '--out', 'h'], { files: ['h/history.html', 'h/history.csv'] }],
    ['history prune', ['history', 'prune', ...HISTORY, '--keep-last', '9'], { outdated: [], removed: 0 }],
  ])('of %s follows its schema: %j', async (command, words, fields) => {
    const found = await answer(words);
    expect(Answers.parse(found)).toMatchObject({ schema: 'joulediff/terminal/1', command, ...fields });
  });

  it('of what measures is its findings, whether a comparison or an experiment', async () => {
    const quick = ['--meter', 'estimate', '--set', 'rest=0s', '--set', 'guard=0s', '--set', 'batch=1'];
    const compared = await answer(['compare', 'true', ':', '-r', '1', '-w', '0', '-n', 'one', ...quick, '--out', 'c']);
    expect(readFindings(Buffer.from(JSON.stringify(compared))).variants.map(({ name }) => name)).toEqual(['one', ':']);
    const run = await answer(['run', 'two.yml', '--out', 'e']);
    expect(readFindings(Buffer.from(JSON.stringify(run))).experiment.repetitions_planned).toBe(1);
  });

  it('has a published schema that knows every command', () => {
    const published = JSON.parse(readFileSync(new URL('../../docs/terminal.schema.json', import.meta.url), 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(terminalJsonSchema())));
    expect(published.anyOf).toHaveLength(Answers.options.length);
    expect(z.toJSONSchema(Answers).anyOf).toHaveLength(17);
  });
});
