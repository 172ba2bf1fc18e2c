// Class: system.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gatheredComment, gatheredSummary } from '../../../src/parts/fleet/report/gathered/gathered.ts';
import { findingsJson } from '../../../src/report/findings-json.ts';
import { methodsPlain } from '../../../src/report/sections/methods.ts';
import { resultsLatex } from '../../../src/report/sections/paper-tables.ts';
import { TEXT_MARK } from '../../../src/system/output-folder.ts';
import { writeSimulatedStore } from '../../analysis/simulated-store.ts';
import { syntheticAnalysis } from '../../report/synthetic/analysis.ts';
import { start } from '../program.ts';

const sort = syntheticAnalysis({ name: 'sort', traces: false }).findings;
const zip = syntheticAnalysis({ name: 'zip', traces: false, source: 'modelled' }).findings;
let folder: string;

const at = (...path: string[]): string => join(folder, ...path);
const report = (...words: string[]) => start(['report', ...words]).ended;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-report-'));
  for (const [name, findings] of Object.entries({ sort, zip })) {
    mkdirSync(at(name));
    writeFileSync(at(name, 'findings.json'), findingsJson(findings));
  }
  writeFileSync(at('bad.json'), '{"schema": "joulediff/findings/9"}');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('joulediff report of findings', () => {
  it('shows several experiments together, as the action’s gather does', async () => {
    const ended = await report(at('sort'), at('zip', 'findings.json'), '--out', at('together'));
    expect(ended).toMatchObject({ code: 0, stdout: `${at('together')}\n` });
    expect(readdirSync(at('together')).sort()).toEqual(['comment.md', 'summary.md']);
    const results = [
      { name: 'sort', findings: sort },
      { name: 'zip', findings: zip },
    ];
    expect(readFileSync(at('together', 'comment.md'), 'utf8')).toBe(`${TEXT_MARK}\n${gatheredComment(results)}`);
    expect(readFileSync(at('together', 'summary.md'), 'utf8')).toBe(`${TEXT_MARK}\n${gatheredSummary(results)}`);
    expect((await report(at('sort'), '--out', at('together'))).code).toBe(0);
  });

  it('is whole for a folder that has the database, and says which is missing in an empty one', async () => {
    mkdirSync(at('result'));
    const run = (variant: string, loadW: number) => ({ variant, lengthS: 4, loadW });
    writeSimulatedStore(at('result', 'experiment.db'), {
      blocks: [60, 62, 61].map((loadW) => [run('native', loadW), run('container', loadW + 1)]),
    });
    expect(await report(at('result'), '--out', at('whole'))).toMatchObject({ code: 0, stdout: `${at('whole')}\n` });
    expect(readdirSync(at('whole'))).toEqual(expect.arrayContaining(['charts', 'findings.json', 'report.html']));
    mkdirSync(at('empty'));
    expect(await report(at('empty'), '--out', at('none'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`There is no file ${at('empty', 'experiment.db')}.\n`),
    });
  });

  it('only prints how to describe a measurement, and its tables, where that is asked', async () => {
    const described = await report(at('sort'), '--methods');
    expect(described).toMatchObject({ code: 0, stdout: methodsPlain(sort) });
    const both = await report(at('sort'), at('zip', 'findings.json'), '--latex', '--out', at('unused'));
    expect(both).toMatchObject({ code: 0, stdout: `${resultsLatex(sort)}\n${resultsLatex(zip)}` });
    expect(readdirSync(folder)).not.toContain('unused');
  });

  it.each([
    [
      'what it does not understand',
      ['sort', 'bad.json'],
      /bad\.json: This findings\.json is refused: its schema is not/,
    ],
    ['a folder without findings', ['sort', '.'], /There is no file .*findings\.json\./],
  ])('refuses %s, and writes nothing', async (_, names, sentence) => {
    const ended = await report(...names.map((name) => at(name)), '--out', at('none'));
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) });
    expect(readdirSync(folder)).not.toContain('none');
  });

  it('names the command that reads a CSV of runs', async () => {
    writeFileSync(at('runs.csv'), 'variant,energy_j\nnative,1\n');
    expect(await report(at('runs.csv'), '--out', at('of-a-table'))).toMatchObject({
      code: 2,
      stderr: `${at('runs.csv')} is neither an experiment.db nor a findings.json.\nA CSV of runs is for joulediff analyze.\n`,
    });
  });

  it('does not mix its texts into the folder of an experiment', async () => {
    const ended = await report(at('sort'), at('zip'), '--out', at('sort'));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('holds the result of an experiment') });
    expect(readdirSync(at('sort'))).toEqual(['findings.json']);
  });

  it('does not write over texts of somebody else', async () => {
    mkdirSync(at('theirs'));
    writeFileSync(at('theirs', 'comment.md'), 'my own words');
    const ended = await report(at('sort'), at('zip'), '--out', at('theirs'));
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('not a result of joulediff: comment.md') });
    expect(readFileSync(at('theirs', 'comment.md'), 'utf8')).toBe('my own words');
  });
});
