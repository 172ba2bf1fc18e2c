// Class: unit.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { createRandom } from '../simulate/random.ts';
import { nativeAndContainer, workload } from '../store/fixtures.ts';
import { writeSimulatedStore } from './simulated-store.ts';

const SCRIPT = new URL('./print-findings.ts', import.meta.url).pathname;
/** Names that languages order differently. */
const NAMES = ['native', 'zebra', 'ähnlich', 'Iğdır', 'ılık', 'chata', 'cukr'];

/** What a process in such a surrounding prints: its language and time zone, and the findings. */
async function printed(database: string, env: Record<string, string>): Promise<[place: string, findings: string]> {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, database], {
    env: { PATH: process.env.PATH ?? '', ...env },
    maxBuffer: 2 ** 26,
  });
  const end = stdout.indexOf('\n');
  return [stdout.slice(0, end), stdout.slice(end + 1)];
}

describe('the findings of one database', () => {
  it('are the same bytes in every time zone and language', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'joulediff-reproducible-'));
    try {
      const database = join(folder, 'experiment.db');
      const random = createRandom(77);
      const variants = NAMES.map((name) => ({ kind: 'native', name, workload }) as const);
      const blocks = Array.from({ length: 10 }, () =>
        NAMES.map((variant, i) => ({ variant, lengthS: 20 + random.uniform(), loadW: 60 + i + random.normal() })),
      );
      writeSimulatedStore(database, { blocks, experiment: { ...nativeAndContainer, variants, baseline: 'native' } });
      const places: Record<string, string>[] = [
        { TZ: 'UTC', LANG: 'C', LC_ALL: 'C' },
        { TZ: 'Asia/Kolkata', LANG: 'de_DE.UTF-8', LC_ALL: 'de_DE.UTF-8' },
        { TZ: 'America/St_Johns', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
        { TZ: 'Pacific/Apia', LANG: 'cs_CZ.UTF-8', LC_ALL: 'ar_EG.UTF-8' },
      ];
      const [first, ...others] = await Promise.all(places.map((env) => printed(database, env)));
      // The surroundings did differ.
      expect([first, ...others].map((p) => p?.[0])).toEqual([
        'en-US UTC',
        'de-DE Asia/Calcutta',
        'tr-TR America/St_Johns',
        'ar-EG Pacific/Apia',
      ]);
      expect(JSON.parse(first?.[1] ?? '').comparisons).toHaveLength(NAMES.length - 1);
      for (const [place, findings] of others) expect([place, findings === first?.[1]]).toEqual([place, true]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
