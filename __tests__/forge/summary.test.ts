// Class: system.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SUMMARY_BYTES, writeSummary } from '../../src/forge/summary.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'joulediff-summary-'));
  file = join(dir, 'summary');
  writeFileSync(file, 'of another tool\n');
});

afterEach(() => rmSync(dir, { recursive: true }));

const content = () => readFileSync(file, 'utf8');

describe('writeSummary', () => {
  it('appends to what stands there', async () => {
    expect(await writeSummary(['# Report', 'short'], { GITHUB_STEP_SUMMARY: file })).toEqual({ written: true });
    expect(content()).toBe('of another tool\n# Report\n');
  });

  it('takes the next text where the best one would make GitHub drop the whole summary', async () => {
    await writeSummary(['é'.repeat(SUMMARY_BYTES / 2), 'short'], { GITHUB_STEP_SUMMARY: file });
    expect(content()).toBe('of another tool\nshort\n');
    const none = await writeSummary(['é'.repeat(SUMMARY_BYTES / 2)], { GITHUB_STEP_SUMMARY: file });
    expect(none).toEqual({ written: false, reason: expect.stringContaining('does not fit') });
  });

  it('says why where there is no summary', async () => {
    const absent = await writeSummary(['x'], {});
    expect(absent).toEqual({ written: false, reason: expect.stringContaining('GITHUB_STEP_SUMMARY') });
    const gone = await writeSummary(['x'], { GITHUB_STEP_SUMMARY: join(dir, 'no', 'file') });
    expect(gone).toEqual({ written: false, reason: expect.stringContaining('ENOENT') });
  });
});
