// Class: unit.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { MeasureError } from '../../src/errors.ts';
import { chartFiles } from '../../src/report/charts/draw.ts';
import { writeReport } from '../../src/report/write.ts';
import { itMounting, SmallDisk } from '../setup/small-disk.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';

const analysis = syntheticAnalysis();
const PAGE = 4096;

let whole: string;
/** In the order in which they are written, each with the room that it takes. */
let files: { readonly name: string; readonly kilobytes: number }[];
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), 'joulediff-report-'));
  await writeReport(analysis, whole);
  const charts = (await chartFiles(analysis)).map(({ name }) => `charts/${name}`);
  const texts = ['findings.json', 'comment.md', 'summary.md', 'badge.json', 'badge.svg', 'runs.csv', 'report.html'];
  files = [...texts, ...charts].map((name) => ({
    name,
    kilobytes: (PAGE / 1024) * Math.ceil(statSync(join(whole, name)).size / PAGE),
  }));
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));

describe('a disk that gets full while a report is written', () => {
  for (const name of ['runs.csv', 'report.html', 'charts/energy-violin.png']) {
    itMounting(`at ${name} leaves that file out, names it, and is made up for when there is room`, async () => {
      using disk = new SmallDisk(16);
      const at = files.findIndex((file) => file.name === name);
      const before = files.slice(0, at);
      disk.fill(before.reduce((sum, { kilobytes }) => sum + kilobytes, 0));
      const out = join(disk.path, 'out');
      const writing = writeReport(analysis, out);
      await expect(writing).rejects.toThrow(MeasureError);
      await expect(writing).rejects.toThrow(`${join(out, name)} can't be written: no space left on device`);
      const isSame = (file: string) => readFileSync(join(out, file)).equals(readFileSync(join(whole, file)));
      expect(before.filter((file) => !isSame(file.name))).toEqual([]);
      expect(existsSync(join(out, name))).toBe(false);
      expect(readdirSync(out, { recursive: true }).filter((each) => String(each).endsWith('.tmp'))).toEqual([]);
      disk.free();
      await writeReport(analysis, out);
      expect(files.filter((file) => !isSame(file.name))).toEqual([]);
    });
  }
});
