import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Service } from '../../../../../src/executors/service.ts';
import type { Experiment } from '../../../../../src/experiment/experiment.ts';
import { runExperiment } from '../../../../../src/run/run.ts';
import { withStore } from '../../../../../src/store/reader.ts';
import { listening } from '../../../../measure/short-experiment.ts';
import { extraRunsAlone } from '../../extra-runs.ts';

/** Measured once into a folder, and then looked at. */
export async function explained(folder: string, experiment: Experiment, rounds = 1) {
  const outDir = join(folder, 'out');
  const { reported, progress } = listening();
  const signal = new AbortController().signal;
  const request = { experiment, outDir, progress, signal };
  const measured = await runExperiment({ ...request, resume: false });
  expect({ error: measured.error, reported }).toMatchObject({ error: null });
  const { analysis, error } = await runExperiment({ ...request, ...extraRunsAlone({ rounds }) });
  expect({ error, reported }).toMatchObject({ error: null });
  const observed = withStore(join(outDir, 'experiment.db'), (reader) => reader.observed());
  return { observed, explanation: analysis?.findings.explanation };
}

export const service = (name: string, run: Service['run'], port: number): Service => ({
  name,
  run,
  env: {},
  workdir: null,
  place: 'variant',
  lifetime: 'run',
  ready: { kind: 'tcp', port },
  readyWithinS: 300,
  stop: { signal: 'SIGTERM', withinS: 300 },
});

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}
