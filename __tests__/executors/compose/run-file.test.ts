// Class: unit.
import { expect, it } from '@jest/globals';
import { composeModel, type Stack } from '../../../src/executors/compose/model.ts';
import { limitsIn, runFile, stopTimeS } from '../../../src/executors/compose/run-file.ts';
import { checkLimits } from '../../../src/executors/container/engines/engine.ts';

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

it('limits that a file sets are refused where the engine can’t enforce them', () => {
  const engine = { info: { MemoryLimit: false, CPUSet: false }, text: 'Docker' } as never;
  const { services } = stackOf({
    db: { mem_limit: '512m', cpus: 1, pids_limit: 0 },
    web: { deploy: { resources: { limits: { memory: '1g' } } }, cpuset: '0' },
    client: { mem_limit: 0, pids_limit: 50 },
  }).model;
  const check = (name: string) => () => checkLimits(`service ${name}`, limitsIn(services[name]!), engine);
  expect(check('db')).toThrow('service db asks for mem_limit.');
  expect(check('web')).toThrow('service web asks for deploy.resources.limits.memory and cpuset.');
  expect(check('client')).not.toThrow();
});

it('a project has the time to end that its services have, one step after the other', () => {
  const services = { db: { stop_grace_period: '1h2m3.5s' }, cache: { stop_grace_period: '500ms' }, web: {} };
  expect(stopTimeS(stackOf(services, [['cache', 'db'], ['web']]))).toBe(3723.5 + 10);
});
