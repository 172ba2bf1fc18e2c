// Class: unit.
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** Whole ways through the program, and what is no part of it. Tests of the repository itself stand beside this one. */
const JOURNEYS = ['e2e', 'examples', 'gitea', 'published', 'runner-setup', 'simulate', 'soak'];

const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const tests = filesOf(HERE).filter((path) => path.endsWith('.test.ts'));

/** `store/writer.test.ts`, `store/writer.kill.test.ts`: of src/store/writer.ts; `store/store.test.ts`: of the folder. */
function hasSource(test: string): boolean {
  const folder = join(SRC, dirname(test));
  const [subject = ''] = basename(test).split('.');
  return (
    isFile(join(folder, `${subject}.ts`)) ||
    isFolder(join(folder, subject)) ||
    (basename(folder) === subject && isFolder(folder))
  );
}

it('every test stands where its source does', () => {
  expect(tests.length).toBeGreaterThan(200);
  const homeless = tests.filter((test) => test.includes('/') && !JOURNEYS.includes(test.split('/')[0] as string));
  expect(homeless.filter((test) => !hasSource(test))).toEqual([]);
});
