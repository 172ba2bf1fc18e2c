// Class: unit.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const page = readFileSync(new URL('../docs/reference/faults.md', import.meta.url), 'utf8');

it('every fault of docs/reference/faults.md names tests that are there', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && !/^\| (fault|started) /.test(line));
  expect(rows.length).toBeGreaterThan(20);
  const missing = rows.flatMap((row) => {
    const tests = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const gone = tests.filter((name) => !existsSync(fileURLToPath(new URL(`./${name}.test.ts`, import.meta.url))));
    return tests.length === 0 ? [row] : gone;
  });
  expect(missing).toEqual([]);
});
