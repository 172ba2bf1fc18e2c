// Class: system.
import { expect, it } from '@jest/globals';
import type Docker from 'dockerode';
import { makeProject, type ProjectSetup } from '../../../src/executors/compose/project.ts';

it('tells where Compose could not take a project down', async () => {
  const lines: string[] = [];
  const docker = {
    listContainers: async () => [],
    listNetworks: async () => [],
    listVolumes: async () => ({ Volumes: [] }),
  } as unknown as Docker;
  const { PATH: before } = process.env;
  try {
    process.env.PATH = '/nowhere';
    const made = await makeProject({
      docker,
      variant: { name: 'stack', file: '/compose.yml' },
      stack: { model: { services: {} }, steps: [], completing: new Set() },
      env: { PATH: '/nowhere' },
      service: { stop: { withinS: 10 } },
      context: { experimentId: 'x', runId: 1, logFile: '/dev/null', signal: new AbortController().signal },
      file: '{}',
      log: (line: string) => void lines.push(line),
    } as unknown as ProjectSetup);
    await made.stop(10);
  } finally {
    process.env.PATH = before;
  }
  expect(lines).toEqual([
    "Docker's client isn't installed on this machine: there is no program docker in PATH. Data that services had not written may be lost.",
  ]);
});
