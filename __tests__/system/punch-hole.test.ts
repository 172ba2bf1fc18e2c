// Class: unit.
import { closeSync, fstatSync, mkdtempSync, openSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { punchHole } from '../../src/system/punch-hole.ts';

it.each([
  ['on a disk', tmpdir()],
  ['in memory', '/dev/shm'],
])('gives a part of a file %s back, which keeps its length and its name or none', (_, base) => {
  const folder = mkdtempSync(join(base, 'joulediff-hole-'));
  const path = join(folder, 'file');
  writeFileSync(path, 'x'.repeat(2 ** 20));
  const file = openSync(path, 'r+');
  try {
    unlinkSync(path);
    const { blocks } = fstatSync(file);
    expect(punchHole(file, 2 ** 18, 2 ** 19)).toBeNull();
    expect(fstatSync(file)).toMatchObject({ size: 2 ** 20, blocks: (blocks * 3) / 4 });
    const parts = [2 ** 18, 2 ** 18, 2 ** 19].map((bytes, i) => (i === 1 ? '\0' : 'x').repeat(bytes));
    expect(readFileSync(file, 'latin1') === parts.join('')).toBe(true);
    expect(punchHole(file, 2 ** 20, 2 ** 20)).toBeNull();
    expect(punchHole(file, 2 ** 19, 2 ** 20)).toBeNull();
    expect(fstatSync(file)).toMatchObject({ size: 2 ** 20, blocks: blocks / 4 });
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
});

it('says why it can’t', () => {
  const device = openSync('/dev/null', 'r+');
  try {
    expect(punchHole(device, 0, 4096)).toMatch(/^fallocate: fallocate failed: \S/);
  } finally {
    closeSync(device);
  }
});
