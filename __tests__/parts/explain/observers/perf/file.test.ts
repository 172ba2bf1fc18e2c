// Class: system.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PerfFile } from '../../../../../src/parts/explain/observers/perf/file.ts';
import { ObserverError, type Tool } from '../../../../../src/parts/explain/observers/tool.ts';

const MB = 2 ** 20;

it('may have a tenth of what is free, never more than is asked for, and says that it has all that it may have', () => {
  const folder = mkdtempSync(join(tmpdir(), 'joulediff-perf-file-'));
  try {
    const path = join(folder, 'perf.data');
    expect(new PerfFile(path, 100, 10_000 * MB).words).toEqual(['-o', path, '--max-size', '100M']);
    const file = new PerfFile(path, 100, 200 * MB);
    expect(file.words.at(-1)).toBe('20M');
    // Only asked why it ended.
    const tool = { lost: () => new ObserverError('ended') } as unknown as Tool;
    expect(file.lost(tool).limitation).toBe('ended');
    writeFileSync(path, '');
    truncateSync(path, 19 * MB);
    expect(file.lost(tool).limitation).toBe('overrun');
    expect(() => new PerfFile(path, 100, 50 * MB)).toThrow(expect.objectContaining({ limitation: 'no-room' }));
    expect(new PerfFile(path, 8).words.at(-1)).toBe('8M');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
