// Class: world, long.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { makeDrive } from '../../../src/executors/vm/drive.ts';
import type { VmVariant } from '../../../src/executors/vm/variant.ts';
import { qcow2 } from './qcow2.ts';

const { signal } = new AbortController();

let folder: string;
let drive: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-drive-'));
  drive = join(folder, 'files.tar');
  // A repository of its own, wherever that lies.
  mkdirSync(join(folder, 'repository', '.git'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function given(...names: readonly string[]) {
  const directory = join(folder, 'repository');
  for (const name of names) writeFileSync(join(directory, name), 'x'.repeat(2 ** 20));
  const own = { name: 'guest', image: join(directory, 'own.img'), kernel: null, initrd: null };
  return { directory, variant: own as unknown as VmVariant, signal };
}

it('holds the files of the repository, but for the guest’s own disk', async () => {
  await makeDrive(drive, given('own.img', 'work'));
  const listed = execFileSync('tar', ['-tf', drive], { encoding: 'utf8' }).trim().split('\n');
  expect(listed.sort()).toEqual(['./', './work']);
});

it('holds no disk, base, kernel or RAM disk of the guest that a symbolic link leads to', async () => {
  const { directory, variant } = given('real.img', 'real-base.img', 'real-kernel', 'real-initrd', 'work');
  writeFileSync(join(directory, 'real.img'), qcow2({ base: 'base.img', format: 'raw' }));
  for (const name of ['base.img', 'kernel', 'initrd']) symlinkSync(`real-${name}`, join(directory, name));
  symlinkSync('real.img', join(directory, 'own.img'));
  symlinkSync('repository', join(folder, 'link'));
  const linked = join(folder, 'link');
  const own = {
    ...variant,
    image: join(linked, 'own.img'),
    kernel: join(linked, 'kernel'),
    initrd: join(linked, 'initrd'),
  };
  await makeDrive(drive, { directory: linked, variant: own, signal });
  const listed = execFileSync('tar', ['-tf', drive], { encoding: 'utf8' }).trim().split('\n');
  expect(listed.sort()).toEqual(['./', './work']);
});

it('is refused where the files are more than it may hold, before it holds more', async () => {
  const request = given('own.img', 'work', 'disk-of-another-guest.img');
  await expect(makeDrive(drive, request, 2 ** 20)).rejects.toMatchObject({
    name: 'InputError',
    message: expect.stringMatching(
      /^\/.*\/repository holds more than \d.* GiB, which is too much for the drive of a guest\.$/,
    ),
    advice: 'Keep what the workload does not need, such as the disks of other guests, outside of it.',
  });
  expect(statSync(drive).size).toBeLessThanOrEqual(2 ** 20);
});
