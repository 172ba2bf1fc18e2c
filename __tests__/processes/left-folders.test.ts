// Class: system.
import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MachineFiles } from '../../src/machine/files.ts';
import {
  LIST_PREFIX,
  leftFolders,
  leftNotes,
  makeMarkedFolder,
  makeNote,
  OBSERVING_PREFIX,
  OWNER_FILE,
  removeLeftFolders,
} from '../../src/processes/left-folders.ts';

const itWithSharedMemory = existsSync('/dev/shm') ? it : it.skip;

itWithSharedMemory('removes what a recorder of extra runs left in shared memory, together with its folder', () => {
  const id = randomUUID();
  const [own, another] = [randomBytes(8), randomBytes(8)].map((bytes) => bytes.toString('hex'));
  const [left, others] = [own, another].map((number) => `/dev/shm/uftrace-${number}-1-000`) as [string, string];
  const folder = makeMarkedFolder(tmpdir(), OBSERVING_PREFIX, id);
  try {
    for (const file of [left, others]) writeFileSync(file, '');
    mkdirSync(join(folder, '17', 'trace'), { recursive: true });
    writeFileSync(join(folder, '17', 'trace', `sid-${own}.map`), '');
    const reported = removeLeftFolders(({ experiment }) => experiment === id);
    expect(reported).toEqual([`Removed the files of observers in ${folder} that an earlier experiment left.`]);
    expect([folder, left, others].map((path) => existsSync(path))).toEqual([false, false, true]);
  } finally {
    for (const file of [left, others, folder]) rmSync(file, { recursive: true, force: true });
  }
});

it('removes the folder in which a killed joulediff had benchmarks listed', () => {
  const id = randomUUID();
  const folder = makeMarkedFolder(tmpdir(), LIST_PREFIX, id);
  expect(removeLeftFolders(({ experiment }) => experiment === id)).toEqual([
    `Removed the temporary folder ${folder} that an earlier experiment left.`,
  ]);
  expect(existsSync(folder)).toBe(false);
});

describe('a mark', () => {
  const PREFIX = 'joulediff-engine-';
  const { XDG_STATE_HOME: state, RUNNER_TEMP: temp } = process.env;
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'joulediff-marks-'));
    process.env.XDG_STATE_HOME = join(folder, 'state');
    process.env.RUNNER_TEMP = folder;
  });
  afterEach(() => {
    for (const [name, before] of Object.entries({ XDG_STATE_HOME: state, RUNNER_TEMP: temp })) {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  const found = (): string[] =>
    leftFolders(PREFIX, () => true)
      .map(({ path }) => path)
      .filter((path) => path.startsWith(folder));

  it('counts for its own folder alone, as joulediff wrote it', () => {
    const id = randomUUID();
    const mark = (path: string, text: string) => writeFileSync(join(path, OWNER_FILE), text, { mode: 0o700 });
    const own = makeMarkedFolder(folder, PREFIX, id, { way: { manager: 'init' } });
    const text = readFileSync(join(own, OWNER_FILE), 'utf8');
    // As a container lays it there that has the temporary folder as a volume: of the same user, private, and with a mark that it has read.
    const copied = join(folder, `${PREFIX}copied`);
    cpSync(own, copied, { recursive: true });
    expect(found()).toEqual([own]);
    for (const forged of [
      text.replace('"manager":"init"', '"own":{"stop":"id","start":"touch owned"}'),
      text.replace(/"seal":"[^"]*",/, ''),
      text.replace(/:[0-9a-f]{32}"/, `:${'0'.repeat(32)}"`),
      `${text.slice(0, -1)},"way":{"own":{"stop":"id","start":"touch owned"}}}`,
      `{"__proto__":{"way":1},${text.slice(1)}`,
    ]) {
      mark(own, forged);
      expect([forged, found()]).toEqual([forged, []]);
    }
    mark(own, text);
    expect(found()).toEqual([own]);
    renameSync(own, join(folder, `${PREFIX}renamed`));
    expect(found()).toEqual([]);
  });

  const itWithMachineId = new MachineFiles().text('etc/machine-id') === null ? it.skip : it;
  itWithMachineId('of another machine that shares the folder is left alone, with what is in its folder', () => {
    makeMarkedFolder(folder, PREFIX, 'x', { machineId: 'f'.repeat(32) });
    const own = makeMarkedFolder(folder, PREFIX, 'x');
    // Of joulediff before it wrote down the machine, or of a container without that file.
    const unknown = makeMarkedFolder(folder, PREFIX, 'x', { machineId: null });
    expect(found().sort()).toEqual([own, unknown].sort());
  });

  it('is no pipe, device or link, which are not waited for', () => {
    const own = makeMarkedFolder(folder, PREFIX, randomUUID());
    const file = join(own, OWNER_FILE);
    for (const make of [
      ['mkfifo', file],
      ['ln', '-s', '/dev/zero', file],
      ['truncate', '-s', '1G', file],
    ]) {
      rmSync(file, { force: true });
      expect(spawnSync(make[0] ?? '', make.slice(1)).status).toBe(0);
      expect([make, found()]).toEqual([make, []]);
    }
  });

  it('of what is to be done is looked for in the private folder of this user alone', () => {
    const note = makeNote(PREFIX, randomUUID(), {});
    makeMarkedFolder(folder, PREFIX, randomUUID());
    expect(leftNotes(PREFIX, () => true).map(({ path }) => path)).toEqual([note]);
    expect(note.startsWith(join(folder, 'state', 'joulediff'))).toBe(true);
  });
});
