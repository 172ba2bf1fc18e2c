// Class: unit.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import {
  APPLICATION_ID,
  checkOutputFolder,
  GENERATOR,
  moveAside,
  removeResult,
} from '../../src/system/output-folder.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'joulediff-out-'));
  folder = join(base, 'out');
  mkdirSync(folder);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const lay = (name: string, text: string): void => writeFileSync(join(folder, name), text);

function database(id: number): void {
  const db = new Database(join(folder, 'experiment.db'));
  db.pragma(`application_id = ${id}`);
  db.exec('CREATE TABLE thesis (chapter TEXT)');
  db.close();
}

describe('the output folder', () => {
  it('may be missing or empty, and checking it leaves no trace', () => {
    expect(checkOutputFolder(folder)).toBe(false);
    expect(checkOutputFolder(join(folder, 'new', 'deep'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['a database', () => database(APPLICATION_ID)],
    ['findings', () => lay('findings.json', '{\n  "schema": "joulediff/findings/1",\n  "experiment": {}\n}\n')],
    ['a history', () => lay('history.html', `<!doctype html>\n${GENERATOR}`)],
  ])('holds an earlier result where %s of joulediff shows it', (_, make) => {
    make();
    lay('runs.csv', 'run,block');
    mkdirSync(join(folder, 'logs'));
    expect(checkOutputFolder(folder)).toBe(true);
  });

  it.each<[string, string, () => void]>([
    ['a file of another name', 'thesis.tex', () => lay('thesis.tex', 'years of work')],
    ['a database that is not one of joulediff', 'experiment.db', () => database(7)],
    ['a file in the name of a database', 'experiment.db', () => lay('experiment.db', 'notes')],
    ['another program’s findings', 'findings.json', () => lay('findings.json', '{ "schema": "sarif" }')],
    ['another program’s report', 'report.html', () => lay('report.html', '<!doctype html>\n<title>Coverage</title>')],
    ['a folder of logs that nothing shows to be ours', 'logs', () => mkdirSync(join(folder, 'logs'))],
    ['texts that nothing shows to be ours', 'comment.md', () => lay('comment.md', '# My comment')],
    [
      'a link in the name of a database',
      'experiment.db',
      () => symlinkSync('/etc/passwd', join(folder, 'experiment.db')),
    ],
  ])('is refused when it holds %s', (_, name, make) => {
    make();
    const before = readdirSync(folder);
    expect(() => checkOutputFolder(folder)).toThrow(
      `The output folder ${folder} holds files that are not a result of joulediff: ${name}.`,
    );
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is refused when it is a file', () => {
    lay('x', '');
    expect(() => checkOutputFolder(join(folder, 'x'))).toThrow('is a file');
  });

  it('is refused when a checkout may have brought it along as a link', () => {
    const before = process.cwd();
    mkdirSync(join(base, 'elsewhere'));
    symlinkSync(join(base, 'elsewhere'), join(base, 'linked'));
    try {
      process.chdir(base);
      expect(() => checkOutputFolder(join(base, 'linked'))).toThrow(`${join(base, 'linked')} is a symbolic link`);
      expect(() => checkOutputFolder(join(base, 'linked', 'out'))).toThrow(
        `${join(base, 'linked')} is a symbolic link`,
      );
    } finally {
      process.chdir(before);
    }
  });
});

describe('an earlier result', () => {
  it('is moved to the next name that is free', () => {
    lay('runs.csv', 'first');
    expect(moveAside(folder)).toBe(`${folder}.1`);
    mkdirSync(folder);
    expect(moveAside(folder)).toBe(`${folder}.2`);
    expect(readFileSync(`${folder}.1/runs.csv`, 'utf8')).toBe('first');
    expect(existsSync(folder)).toBe(false);
  });

  it('is removed with what joulediff made, and nothing else', async () => {
    database(APPLICATION_ID);
    for (const name of ['logs', 'charts', 'profiles', 'report.html']) mkdirSync(join(folder, name));
    lay('logs/0001-native.log', '');
    lay('logs/thesis.txt', 'years of work');
    for (const end of ['svg', 'png', 'pdf']) lay(`charts/energy-violin.${end}`, '');
    for (const name of ['1-native.folded', '1-native.pb.gz', 'speedscope.json']) lay(`profiles/${name}`, '');
    lay('report.html/mine', '');
    lay('kept', '');
    await removeResult(folder);
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
      ...['kept', 'logs', 'logs/thesis.txt', 'report.html', 'report.html/mine'],
    ]);
  });

  it('that holds nothing else is gone with its folder', async () => {
    database(APPLICATION_ID);
    await removeResult(folder);
    expect(existsSync(folder)).toBe(false);
  });
});
