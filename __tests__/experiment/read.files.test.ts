// Class: unit.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readExperiment } from '../../src/experiment/read.ts';
import { TWO } from './support.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-read-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string | Uint8Array): string {
  const path = join(folder, 'joulediff.yml');
  writeFileSync(path, content);
  return path;
}

describe('an experiment file', () => {
  it('is read from where it lies, with paths from its folder', async () => {
    const experiment = await readExperiment(file(TWO));
    expect(experiment.directory).toBe(folder);
    expect(experiment.variants).toHaveLength(2);
  });

  it('may start with a byte order mark, and have the line ends of Windows', async () => {
    const experiment = await readExperiment(file(`\uFEFF${TWO.replaceAll('\n', '\r\n')}`));
    expect(experiment.baseline).toBe('native');
  });

  it('is named, with line and column, when something in it is wrong', async () => {
    const path = file(`${TWO}repetitions: 0\n`);
    await expect(readExperiment(path)).rejects.toThrow(`${path}:5:14: repetitions: 0 was given;`);
  });
});

describe('what is no experiment file', () => {
  it('is not there', async () => {
    const path = join(folder, 'nothing.yml');
    await expect(readExperiment(path)).rejects.toMatchObject({
      exitCode: 2,
      message: `${path}: there is no such file`,
    });
  });

  it('is named where a folder above has one', async () => {
    const above = join(folder, 'above.yml');
    writeFileSync(above, TWO);
    const path = join(folder, 'a', 'b', 'above.yml');
    await expect(readExperiment(path)).rejects.toMatchObject({
      message: `${path}: there is no such file`,
      advice: expect.stringContaining(`There is one in a folder above: ${relative('.', above)}.`),
    });
  });

  it('is a folder', async () => {
    await expect(readExperiment(folder)).rejects.toMatchObject({
      exitCode: 2,
      message: `${folder} is a folder, not an experiment file`,
      advice: `Name the file in it, such as ${join(folder, 'joulediff.yml')}.`,
    });
  });

  it('is a pipe that nobody writes to', async () => {
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    await expect(readExperiment(path)).rejects.toThrow('is not a regular file');
  });

  it('is not UTF-8', async () => {
    const path = file(Buffer.from(TWO, 'utf16le'));
    const latin = Buffer.from('name: caf\xe9', 'latin1');
    await expect(readExperiment(file(latin))).rejects.toThrow(`${path} is not UTF-8 text`);
  });

  it('is UTF-16', async () => {
    const path = file(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(TWO, 'utf16le')]));
    await expect(readExperiment(path)).rejects.toMatchObject({ exitCode: 2, message: `${path} is not UTF-8 text` });
  });

  it('is too large', async () => {
    const path = file(`# ${'x'.repeat(300_000)}`);
    await expect(readExperiment(path)).rejects.toThrow(
      `${path} has 300002 bytes; an experiment file has 262144 at most`,
    );
  });
});
