import { dirname, resolve } from 'node:path';
import type { PlaceKind } from '../kind.ts';
import { type ComposeKeys, type ComposeVariant, composeKeys, recordedKeys, WITHIN_S } from './variant.ts';

/** A project of Docker Compose, made anew for every run from an existing Compose file. */
export const composeKind: PlaceKind<ComposeVariant, ComposeKeys> = {
  name: 'compose',
  plural: 'Compose projects',
  where: 'in Compose',
  keys: composeKeys,
  selectedBy: ['compose'],
  advice: 'give compose',
  bringsServices: true,
  ownCommand: {
    isThere: ({ compose }) => compose?.service !== undefined,
    advice: 'compose.service alone to run the command of that service',
  },
  conflicts: () => [],
  resolve: (common, { compose }, directory) => ({
    kind: 'compose',
    ...common,
    file: resolve(directory, compose?.file ?? 'compose.yml'),
    service: compose?.service ?? null,
    profiles: compose?.profiles ?? [],
    withinS: compose?.within ?? WITHIN_S,
    root: directory,
  }),
  relocate: (variant, moved) => ({
    ...variant,
    file: moved(variant.file),
    root: moved(variant.root),
    tagBy: variant.file,
  }),
  recorded: recordedKeys,
  conceal: (variant) => variant,
  usesFiles: () => true,
  // Nothing outside of these is mounted (`refusals.ts`).
  exposes: ({ file, root }) => [root, dirname(file)],
  // Ports are in the Compose file, and are checked when the project is started.
  hostPorts: () => [],
  async foresee(variant, passEnv) {
    const { foreseeProject } = await import('./foresee.ts');
    return foreseeProject(variant, passEnv);
  },
  async makeExecutor(variant, environment) {
    const { makeComposeExecutor } = await import('./executor.ts');
    return makeComposeExecutor(variant, environment);
  },
  // Its containers, networks and volumes have the labels of container variants, and its processes the marks of native ones.
  removeLeft: async () => [],
};
