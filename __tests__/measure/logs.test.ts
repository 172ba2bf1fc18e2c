// Class: system.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logs } from '../../src/measure/logs.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joulediff-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function log(name: string, bytes: number): string {
  const path = join(folder, name);
  writeFileSync(path, `first line\n${'x'.repeat(bytes - 22)}\nlast line\n`);
  return path;
}

it('keeps both ends of a long log, says what is missing, and leaves short ones alone', () => {
  const logs = new Logs({ runBytes: 1000, allBytes: 1_000_000 });
  const [long, short] = [log('long', 50_000), log('short', 1000)];
  const before = readFileSync(short, 'utf8');
  for (const path of [long, short, join(folder, 'none')]) logs.ended(path);
  const text = readFileSync(long, 'utf8');
  expect(text.length).toBeLessThanOrEqual(1000);
  expect(text).toMatch(/^first line\nx+\n\[joulediff left 49,\d+ bytes of output out here: .*\]\nx+\nlast line\n$/);
  expect(readFileSync(short, 'utf8')).toBe(before);
});

it('keeps no more of all logs together than was said, however many are long', () => {
  const logs = new Logs({ runBytes: 10_000, allBytes: 100_000 });
  const paths = Array.from({ length: 100 }, (_, i) => log(`run-${i}`, 20_000));
  for (const path of paths) logs.ended(path);
  const sizes = paths.map((path) => statSync(path).size);
  expect(sizes[0]).toBeGreaterThan(9_900);
  // Those for which nothing is left say so.
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(100_000 + 100 * 150);
});
