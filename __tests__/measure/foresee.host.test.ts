// Class: world.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { foresee } from '../../src/measure/foresee.ts';
import { container, native } from '../executors/bench.ts';
import { shortExperiment } from './short-experiment.ts';

it('tells nothing of the engine of this machine where another one is measured', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'foresee-'));
  try {
    const absent = container('joulediff-no-such-image', {}, { pull: 'never' });
    const experiment = shortExperiment(folder, [native(), absent], {
      host: 'ssh://sut',
      meters: ['command:/bin/true'],
    });
    const seen = await foresee(experiment, join(folder, 'out'));
    expect(seen.find(({ what }) => what === 'variant container')?.found).toEqual({
      state: 'warn',
      text: 'whether ssh://sut has its image is seen when the experiment begins',
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
