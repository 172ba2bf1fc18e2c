import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { makeMarkedFolder, OBSERVING_PREFIX, removeLeftFolders } from '../../../src/executors/leftovers/folders.ts';

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
    const told = removeLeftFolders(({ experiment }) => experiment === id);
    expect(told).toEqual([`Removed the files of observers in ${folder} that an earlier experiment left.`]);
    expect([folder, left, others].map((path) => existsSync(path))).toEqual([false, false, true]);
  } finally {
    for (const file of [left, others, folder]) rmSync(file, { recursive: true, force: true });
  }
});
