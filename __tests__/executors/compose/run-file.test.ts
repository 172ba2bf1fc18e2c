// Class: unit.
import { expect, it } from '@jest/globals';
import { composeModel, type Stack } from '../../../src/executors/compose/model.ts';
import { runFile } from '../../../src/executors/compose/run-file.ts';

const stackOf = (services: object, steps: string[][] = []): Stack => ({
  model: composeModel.parse({ services }),
  workload: 'client',
  ownCommand: false,
  steps,
  completing: new Set(),
  digest: '',
});

it('a dollar sign in the name of a variant stays one, in all containers', () => {
  const identity = { experimentId: 'x', runId: 1, variant: '$5 and ${' };
  const command = { entrypoint: null, cmd: ['true'] };
  const file = runFile({
    stack: stackOf({ client: {}, web: {} }),
    images: new Map(),
    identity,
    limits: { pids: null, memoryBytes: null },
    workload: { command, env: {}, workdir: null, logsOutput: false },
  });
  const { client, web } = JSON.parse(file).services;
  for (const { environment } of [client, web]) expect(environment.JOULEDIFF_VARIANT).toBe('$$5 and $${');
});
