// Class: system.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { CheckpointLines } from '../../../src/executors/phases/checkpoint-lines.ts';
import { MAX_MARKS, MAX_NAMES } from '../../../src/executors/phases/phase-marks.ts';
import { scanLog } from '../../../src/executors/phases/scan-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'joulediff-scan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function scan(text: string, from = 0, lines: Record<string, string> = {}) {
  const file = join(folder, 'log');
  writeFileSync(file, text);
  const part = { fromByte: from, toByte: Buffer.byteLength(text) };
  const texts = Object.entries(lines).map(([phase, pattern]) => ({ phase, pattern }));
  const { reported, problem } = await scanLog(file, part, new CheckpointLines(texts));
  return { problem, reported: reported.map(({ phase, at }) => [phase, text.slice(from, at).split('\n').length - 1]) };
}

describe('scanLog', () => {
  it('finds the checkpoints with the end of their lines, wherever pieces of reading end', async () => {
    for (const before of [0, 1, 256 * 1024 - 30, 256 * 1024 - 10, 256 * 1024 - 1, 300_000]) {
      const filler = `${'x'.repeat(Math.max(0, before - 1))}\n`;
      const text = `${filler}::joulediff phase a\nnoise\n::joulediff end`;
      expect(await scan(text)).toEqual({
        problem: null,
        reported: [
          ['a', 2],
          [null, 3],
        ],
      });
    }
  });

  it('looks only at its own part, and takes no marker from the middle of a line', async () => {
    const first = '::joulediff phase old\n';
    expect(
      await scan(`${first}${'y'.repeat(700_000)}::joulediff phase b\n::joulediff phase c\n`, first.length),
    ).toEqual({
      problem: null,
      reported: [['c', 2]],
    });
  });

  it('finds named lines of an unchanged program', async () => {
    const noise = 'INFO nothing\n'.repeat(50_000);
    expect(
      await scan(`${noise}Loading done\n${noise}Sorted 3 rows\n`, 0, { sort: '^Loading done', write: 'Sorted *rows' }),
    ).toEqual({
      problem: null,
      reported: [
        ['sort', 50_001],
        ['write', 100_002],
      ],
    });
  });

  it('gives up on a flood of markers, and on one of names', async () => {
    const flood = await scan('::joulediff phase a\n::joulediff end\n'.repeat(MAX_MARKS));
    expect(flood.problem).toContain(`more than ${MAX_MARKS} checkpoints`);
    const names = Array.from({ length: MAX_NAMES + 1 }, (_, i) => `::joulediff phase ${i}\n`).join('');
    expect((await scan(names)).problem).toContain(`more than ${MAX_NAMES} different phases`);
  });
});
