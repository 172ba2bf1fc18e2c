import { resolve } from 'node:path';
import * as z from 'zod';
import { user } from '../../input/leaves.ts';
import type { PlaceKind } from '../kind.ts';
import { limitKeys } from '../limits.ts';
import type { VariantBase } from '../variant.ts';

export interface NativeVariant extends VariantBase {
  readonly kind: 'native';
  /** Who the workload runs as; absent: the user who started joulediff. */
  readonly user?: string;
  /** Absent: MOST_PIDS. */
  readonly pids?: number;
  /** Absent: what the machine has but for a reserve. */
  readonly memoryBytes?: number;
}

const keys = { user, ...limitKeys };

/** The host itself: a variant that names no other place. */
export const nativeKind: PlaceKind<NativeVariant, typeof keys> = {
  name: 'native',
  plural: 'the host',
  where: 'on the host',
  keys,
  selectedBy: [],
  advice: 'leave all keys of other places out',
  conflicts({ file, pathOf }) {
    if (file.user === undefined || !('revision' in file) || file.revision === undefined) return [];
    const detail =
      'user and revision were both given, and a checkout can be read only by the user who started joulediff; keep one';
    return [{ path: pathOf('user'), part: 'key', detail, follows: [pathOf()] }];
  },
  resolve(common, { user: given, pids, memory }, directory) {
    const variant: NativeVariant = {
      kind: 'native',
      ...common,
      ...(given !== undefined && { user: given }),
      ...(pids !== undefined && { pids }),
      ...(memory !== undefined && { memoryBytes: memory }),
    };
    return withWorkdir(variant, (path) => resolve(directory, path));
  },
  relocate: withWorkdir,
  recorded: {
    user: z.string().exactOptional(),
    pids: z.int().exactOptional(),
    memoryBytes: z.number().exactOptional(),
  },
  conceal: (variant) => variant,
  usesFiles: () => true,
  exposes: () => [],
  hostPorts: (_variant, listened) => listened,
  foresee: async () => null,
  async makeExecutor(variant, environment) {
    const { makeNativeExecutor } = await import('./executor.ts');
    return makeNativeExecutor(variant, environment);
  },
  async removeLeft(isAbandoned) {
    const { removeLeftGroups } = await import('./left-groups.ts');
    return removeLeftGroups(isAbandoned);
  },
};

function withWorkdir(variant: NativeVariant, moved: (path: string) => string): NativeVariant {
  const { workdir } = variant.workload;
  return { ...variant, workload: { ...variant.workload, workdir: workdir === null ? null : moved(workdir) } };
}
