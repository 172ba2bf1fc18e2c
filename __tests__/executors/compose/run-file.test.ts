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

it('limits are added where the file has its own: Compose refuses one limit in two places', () => {
  const services = {
    client: {},
    web: { deploy: { resources: { limits: { cpus: '2' } } } },
    db: { deploy: { resources: { limits: { memory: '512m' }, reservations: { cpus: '1' } } } },
  };
  const file = runFile({
    stack: stackOf(services),
    images: new Map(),
    identity: { experimentId: 'x', runId: 1, variant: 'a' },
    limits: { pids: 100, memoryBytes: 2 ** 30 },
    workload: { command: { entrypoint: null, cmd: ['true'] }, env: {}, workdir: null, logsOutput: false },
  });
  const { client, web, db } = JSON.parse(file).services;
  expect(client).toMatchObject({ pids_limit: 100, mem_limit: 2 ** 30, memswap_limit: -1 });
  expect(web.deploy.resources.limits).toEqual({ cpus: '2', pids: 100, memory: String(2 ** 30) });
  expect(db.deploy.resources).toEqual({ limits: { memory: '512m', pids: 100 }, reservations: { cpus: '1' } });
  for (const key of ['mem_limit', 'pids_limit']) for (const one of [web, db]) expect(one).not.toHaveProperty(key);
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
