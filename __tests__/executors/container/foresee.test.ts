// Class: world.
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { foreseePlace } from '../../../src/executors/registry.ts';
import { container } from '../bench.ts';

const NOWHERE = 'joulediff-test:nowhere';
const foreseen = (more: Parameters<typeof container>[2]) => foreseePlace(container(NOWHERE, {}, more));

describe.each([{}, { engine: 'docker' } as const])('an image that the engine lacks (%j)', (engine) => {
  it.each(['missing', 'always'] as const)('will be pulled with pull: %s', async (pull) => {
    const text = expect.stringMatching(new RegExp(`the image ${NOWHERE} isn't .* and will be pulled$`));
    expect(await foreseen({ ...engine, pull })).toEqual({ state: 'warn', text });
  });

  it('fails with pull: never', async () => {
    await expect(foreseen({ ...engine, pull: 'never' })).rejects.toThrow("isn't on this machine, and pull is never");
  });
});

const hasPodman = spawnSync('podman', ['--version']).status === 0;

(hasPodman ? it : it.skip).each([
  ['missing', 'is pulled there where it is missing'],
  ['always', 'is pulled there'],
  ['never', 'has to be there, because pull is never'],
] as const)('an image in a Podman that can’t be asked yet, with pull: %s', async (pull, what) => {
  // Podman with a runtime is always started for the experiment.
  const text = `Podman is started for the experiment; the image ${NOWHERE} ${what}`;
  expect(await foreseen({ engine: 'podman', runtime: 'runc', pull })).toEqual({ state: 'warn', text });
});
