import { resolve } from 'node:path';
import type { PlaceKind } from '../kind.ts';
import type { VariantBase } from '../variant.ts';

export interface NativeVariant extends VariantBase {
  readonly kind: 'native';
}

/** The host itself: a variant that names no other place. */
export const nativeKind: PlaceKind<NativeVariant, Record<never, never>> = {
  name: 'native',
  plural: 'the host',
  where: 'on the host',
  keys: {},
  selectedBy: [],
  advice: 'leave all keys of other places out',
  conflicts: () => [],
  resolve: (common, _file, directory) => withWorkdir({ kind: 'native', ...common }, (path) => resolve(directory, path)),
  relocate: withWorkdir,
  recorded: {},
  conceal: (variant) => variant,
  usesFiles: () => true,
  exposes: () => [],
  foresee: async () => null,
  async makeExecutor(variant, environment) {
    const { makeNativeExecutor } = await import('./executor.ts');
    return makeNativeExecutor(variant, environment);
  },
  async removeLeft() {
    const { removeLeftGroups } = await import('./run-group.ts');
    removeLeftGroups();
    return [];
  },
};

function withWorkdir(variant: NativeVariant, moved: (path: string) => string): NativeVariant {
  const { workdir } = variant.workload;
  return { ...variant, workload: { ...variant.workload, workdir: workdir === null ? null : moved(workdir) } };
}
