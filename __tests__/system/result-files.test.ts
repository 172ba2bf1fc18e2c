import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkOutputFolder, claimOutputFolder } from '../../src/system/result-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-out-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the output folder', () => {
  it('may be missing or empty, and checking it leaves no trace', () => {
    checkOutputFolder(folder);
    checkOutputFolder(join(folder, 'new', 'deep'));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused when it holds somebody else’s files, and they stay', () => {
    writeFileSync(join(folder, 'thesis.tex'), 'years of work');
    writeFileSync(join(folder, 'runs.csv'), 'ours');
    expect(() => checkOutputFolder(folder)).toThrow(
      `${folder} holds files that are not a result of joulediff: thesis.tex.`,
    );
    expect(readdirSync(folder).sort()).toEqual(['runs.csv', 'thesis.tex']);
  });

  it('is refused when it is a file', () => {
    const file = join(folder, 'x');
    writeFileSync(file, '');
    expect(() => checkOutputFolder(file)).toThrow('is a file');
  });

  it('loses an earlier result and nothing else when it is claimed', () => {
    writeFileSync(join(folder, 'experiment.db'), 'old');
    mkdirSync(join(folder, 'charts'));
    writeFileSync(join(folder, 'charts', 'energy.png'), 'old');
    writeFileSync(join(folder, 'kept'), 'kept');
    claimOutputFolder(folder);
    expect(readdirSync(folder).sort()).toEqual(['kept', 'logs']);
    expect(existsSync(join(folder, 'charts'))).toBe(false);
  });
});
