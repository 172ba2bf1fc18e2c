// Class: world, long.
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { OwnEngine } from '../../executors/container/own-engine.ts';
import { describeExample } from './example.ts';

describe('with an engine of its own', () => {
  const engine = new OwnEngine();
  beforeAll(() => engine.start());
  afterAll(() => engine.remove());

  describeExample(
    'idle',
    {
      programs: ['dockerd', 'unshare'],
      small: [
        'workload.run.idle=300ms',
        `variants.without.engine=${JSON.stringify({ state: 'stopped', ...engine.commands })}`,
      ],
      environment: () => ({ DOCKER_HOST: engine.host }),
    },
    async (runs) => {
      expect(runs.map(({ variant }) => variant).sort()).toEqual(['with', 'without']);
      for (const { duration_s } of runs) expect(Number(duration_s)).toBeGreaterThan(0.29);
      expect(await engine.docker.ping()).toBeDefined();
    },
  );
});
