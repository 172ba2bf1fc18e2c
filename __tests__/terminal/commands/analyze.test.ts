// Class: system.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { main } from '../../../src/cli.ts';

const RUNS = `variant,energy_j,block,status,reason
${Array.from({ length: 10 }, (_, i) => `native,${100 + (i % 3)},${i},ok,\ncontainer,${110 + (i % 4)},${i},ok,`).join('\n')}
container,,10,failed,exit code 1
`;

let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-analyze-'));
  mkdirSync(at('empty'));
  mkdirSync(join(at('odd'), 'experiment.db'), { recursive: true });
  writeFileSync(at('mine.csv'), RUNS);
  writeFileSync(at('experiment.db'), RUNS);
  writeFileSync(at('other-units.csv'), 'variant;energy_kj;room\na;0,1;x\na;0,1;x\nb;0,2;x\nb;0,2;x\n');
  writeFileSync(at('broken.csv'), RUNS.replace('110,0', '110 J,0'));
  writeFileSync(at('latin1.csv'), Buffer.from('variant,energy_j\nGerät,1\n', 'latin1'));
  writeFileSync(at('zip.csv'), Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0]));
  writeFileSync(at('large.csv'), Buffer.alloc(16 * 2 ** 20 + 1, 'a'));
  writeFileSync(at('foreign.db'), Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(4096)]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function analyze(...words: string[]) {
  let stdout = '';
  let stderr = '';
  const streams = {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  };
  return { code: await main(['analyze', ...words], streams), stdout, stderr };
}

describe('joulediff analyze of a CSV', () => {
  it('gives a job’s log no command in the name of a variant', async () => {
    const names = ['::error::x', '##[error]y', '::notice::z'];
    const rows = names.flatMap((name, i) => Array.from({ length: 8 }, (_, run) => `${name},${10 * i + run + 1}`));
    writeFileSync(at('commands.csv'), `variant,energy_j\n${rows.join('\n')}\n`);
    const command = /^\s*::|##\[/m;
    expect((await analyze(at('commands.csv'))).stdout).toMatch(command);
    process.env.GITHUB_ACTIONS = 'true';
    try {
      const { stdout, stderr } = await analyze(at('commands.csv'));
      expect(stdout).toContain('error::x');
      expect(stdout + stderr).not.toMatch(command);
      const json = await analyze(at('commands.csv'), '--json');
      expect(json.stdout).not.toMatch(command);
      const found = JSON.parse(json.stdout).variants.map(({ name }: { name: string }) => name);
      expect(found.toSorted()).toEqual(names.toSorted());
    } finally {
      delete process.env.GITHUB_ACTIONS;
    }
  });

  it('prints a table that a person can read', async () => {
    const { code, stdout, stderr } = await analyze(at('mine.csv'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('mine: container used 10.');
    expect(stdout).toMatch(/^Energy +\d+\.\d J +\d+\.\d J +\+\d+\.\d J, \+\d+\.\d %$/m);
    expect(stdout.replace(/\s+/g, ' ')).toContain('1 run excluded (run 21 of container: “exit code 1”)');
    expect(stdout).toContain('not known to joulediff');
  });

  it('says what of the file it read otherwise than it stands there, and what it did not read', async () => {
    const { stdout } = await analyze(at('other-units.csv'));
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      'Energies were read from “energy_kj” and multiplied by 1000 to get joules. The decimal sign of the file is a comma: 1,5 was read as one and a half.',
    );
    expect(text).toContain(
      'Ignored columns: room. If one groups runs, such as those of a job or a day, it has to be called “block”.',
    );
    expect((await analyze(at('mine.csv'))).stdout).not.toMatch(/Ignored|multiplied/);
  });

  it('prints findings as JSON, with the margin and the baseline that were asked for', async () => {
    const { stdout } = await analyze(at('mine.csv'), '--json', '--margin', '20 %', '--baseline', 'container');
    expect(JSON.parse(stdout)).toMatchObject({
      experiment: { id: null, name: 'mine', baseline: 'container', margin_percent: 20 },
      comparisons: [{ variant: 'native', verdict: 'changed-within-margin' }],
    });
  });

  it.each([
    [['--fail-on', '5%'], 1],
    [['--fail-on', '50%', '--fail-on', '5 J'], 1],
    [['--fail-on', '50%'], 0],
    [['--fail-on', '{ above: 5%, variant: container }', '--json'], 1],
    [['--fail-on', '{ below: -5% }'], 0],
    [['--fail-on', '{ above: 10.5%, even-if-inconclusive: true }'], 1],
  ])('with %j ends with exit code %i', async (options, code) => {
    expect((await analyze(at('mine.csv'), ...options)).code).toBe(code);
  });

  it('tells what each threshold came to', async () => {
    const { stdout } = await analyze(at('mine.csv'), '--fail-on', '5%', '--fail-on', '50%');
    const words = stdout.replace(/\s+/g, ' ');
    expect(words).toContain('The limit of +5 % is crossed. container against native: +10.');
    expect(words).toContain('Threshold kept: +50 %.');
  });

  it('goes by the content, not by the name', async () => {
    const one = await analyze(at('experiment.db'), '--json');
    expect(one.code).toBe(0);
    expect(await analyze(folder, '--json')).toEqual(one);
  });

  it.each([
    [['broken.csv'], 'broken.csv, line 3: energy_j is "110 J", which is not a number.'],
    [['latin1.csv'], 'latin1.csv is neither an experiment.db nor a CSV'],
    [['zip.csv'], 'zip.csv is neither an experiment.db nor a CSV'],
    [['large.csv'], 'large.csv has 16777217 bytes'],
    [['empty'], 'There is no file'],
    [['odd'], 'experiment.db is not a file.'],
    [['foreign.db'], 'foreign.db'],
    [['foreign.db', '--margin', '2%'], '--margin applies only to a CSV'],
    [['mine.csv', '--fail-on', '5'], '--fail-on "5" is not a threshold'],
    [['mine.csv', '--fail-on', '{ above: 5%, below: -5% }'], 'is not a threshold'],
    [['foreign.db', '--fail-on', '5%'], '--fail-on applies only to a CSV'],
    [['mine.csv', '--margin', '0'], '--margin 0 is not a percentage'],
    [['mine.csv', '--margin', '-1%'], 'A margin has no sign, because it applies in both directions'],
    [['mine.csv', '--margin', 'much'], '--margin much is not a percentage'],
    [['mine.csv', '--baseline', 'nativ'], 'has no variant "nativ"'],
  ])('%j is wrong input', async ([name, ...options], sentence) => {
    const { code, stdout, stderr } = await analyze(at(name ?? ''), ...options);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});
