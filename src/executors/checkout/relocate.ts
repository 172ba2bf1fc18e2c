import { join } from 'node:path';
import type { ContainerVariant, NativeVariant, Variant } from '../../experiment/experiment.ts';
import { insideOf, type Repository } from './repository.ts';

/**
 * The variant as it would be if the experiment file lay in the checkout: every path inside the repository is that of the checkout,
 * so that no file of another revision gets in unnoticed. What lies outside stays where it is.
 */
export function relocate(variant: Variant, repository: Repository, checkout: string): Variant {
  const moved = (path: string): string => {
    const inside = insideOf(repository, path);
    return inside === null ? path : join(checkout, inside);
  };
  if (variant.kind === 'native') {
    const { workdir } = variant.workload;
    const workload = { ...variant.workload, workdir: workdir === null ? null : moved(workdir) };
    return { ...variant, workload } satisfies NativeVariant;
  }
  const { build, volumes } = variant;
  return {
    ...variant,
    build: build && {
      ...build,
      context: moved(build.context),
      dockerfile: moved(build.dockerfile),
      // The checkout's own path is another each time, and would leave an image for each.
      tagBy: [build.context, build.dockerfile, variant.revision?.name].join('\0'),
    },
    volumes: volumes.map((volume) => {
      const colon = volume.indexOf(':');
      return moved(volume.slice(0, colon)) + volume.slice(colon);
    }),
  } satisfies ContainerVariant;
}
