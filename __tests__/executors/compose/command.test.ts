// Class: unit.
import { expect, it } from '@jest/globals';
import { composeEnvironment } from '../../../src/executors/compose/command.ts';

it('a file gets all variables of its user but those that change what Compose and its client do', () => {
  const own = { DOCKER_TAG: 'pr-123', DOCKER_REGISTRY: 'registry.example.org', DOCKER_HOSTS: 'a b', TAG: '1' };
  const changing = { COMPOSE_FILE: 'other.yml', DOCKER_CONTEXT: 'far', DOCKER_DEFAULT_PLATFORM: 'linux/arm64' };
  const seen = composeEnvironment({ ...own, ...changing });
  expect(seen).toMatchObject(own);
  for (const name of Object.keys(changing)) expect(seen).not.toHaveProperty(name);
});
