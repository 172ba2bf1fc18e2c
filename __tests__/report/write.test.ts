// Class: unit.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Findings } from '../../src/findings/findings.ts';
import { writeReport } from '../../src/report/write.ts';
import type { StoreReader } from '../../src/store/reader.ts';
import { everyAnalysis } from './fixtures.ts';
import { syntheticAnalysis } from './synthetic/analysis.ts';
import { richAnalysis } from './synthetic/rich.ts';

const reader = {
  definition: () => ({ asWritten: 'name: sort\n' }),
  channels: () => [{ channel: 'wall', meter: { source: 'measured' } }],
  sessions: () => [{ session: 1, originNs: 0n }],
  samples: () => ({ tNs: Float64Array.of(1), powerW: Float64Array.of(20), durationS: Float64Array.of(1) }),
} as unknown as StoreReader;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joulediff-report-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

const listing = async (): Promise<string[]> => (await readdir(folder, { recursive: true })).sort();

describe('writeReport', () => {
  it('writes the files of a result into a folder that it makes, and leaves nothing else', async () => {
    await writeReport(syntheticAnalysis(), join(folder, 'new', 'out'), { reader });
    expect((await listing()).filter((name) => name.includes('.')).map((name) => name.replace('new/out/', ''))).toEqual([
      'badge.json',
      'badge.svg',
      'charts/duration-violin.pdf',
      'charts/duration-violin.png',
      'charts/duration-violin.svg',
      'charts/energy-against-time.pdf',
      'charts/energy-against-time.png',
      'charts/energy-against-time.svg',
      'charts/energy-change.pdf',
      'charts/energy-change.png',
      'charts/energy-change.svg',
      'charts/energy-over-runs.pdf',
      'charts/energy-over-runs.png',
      'charts/energy-over-runs.svg',
      'charts/energy-quantiles.pdf',
      'charts/energy-quantiles.png',
      'charts/energy-quantiles.svg',
      'charts/energy-violin.pdf',
      'charts/energy-violin.png',
      'charts/energy-violin.svg',
      'charts/power-hexagons.pdf',
      'charts/power-hexagons.png',
      'charts/power-hexagons.svg',
      'charts/power-over-time.pdf',
      'charts/power-over-time.png',
      'charts/power-over-time.svg',
      'comment.md',
      'experiment.yml',
      'findings.json',
      'report.html',
      'runs.csv',
      'samples.csv',
      'summary.md',
    ]);
  });

  it('gives the same bytes again', async () => {
    await writeReport(syntheticAnalysis(), join(folder, 'a'), { reader });
    await writeReport(syntheticAnalysis(), join(folder, 'b'), { reader });
    for (const name of await readdir(join(folder, 'a'), { recursive: true })) {
      if (!name.includes('.')) continue;
      const [a, b] = await Promise.all(['a', 'b'].map((side) => readFile(join(folder, side, name))));
      expect(a!.equals(b!)).toBe(true);
    }
  });

  it('takes away charts of an earlier report that these data do not allow', async () => {
    await writeReport(richAnalysis(), folder);
    expect((await listing()).filter((name) => /^charts\/.*\.svg$/.test(name))).toHaveLength(11);
    await writeReport(everyAnalysis().bare!, folder);
    expect((await listing()).filter((name) => name.startsWith('charts/'))).toEqual([]);
  });

  it('leaves a file as it was when the new one cannot be made', async () => {
    await writeReport(syntheticAnalysis(), folder, { reader });
    const before = await readFile(join(folder, 'samples.csv'), 'utf8');
    const broken = {
      ...reader,
      samples: () => {
        throw new Error('the database is damaged');
      },
    } as unknown as StoreReader;
    await expect(writeReport(syntheticAnalysis(), folder, { reader: broken })).rejects.toThrow('damaged');
    expect(await readFile(join(folder, 'samples.csv'), 'utf8')).toBe(before);
    expect((await listing()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('writes no findings that are not JSON', async () => {
    const analysis = syntheticAnalysis();
    const findings = {
      ...analysis.findings,
      quality: { ...analysis.findings.quality, noise_floor_percent: Number.NaN },
    } as Findings;
    await expect(writeReport({ ...analysis, findings }, folder)).rejects.toThrow('noise_floor_percent');
    expect(await listing()).toEqual([]);
  });
});
