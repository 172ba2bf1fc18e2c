import { resolve } from 'node:path';
import * as z from 'zod';
import type { VariantBase } from '../../contracts/variant.ts';
import type { Conflict } from '../../input/conflict.ts';
import { user } from '../../input/leaves.ts';
import { limitKeys } from '../../processes/limits.ts';
import { type EngineState, engineKey, engineProblem, recordedEngine, resolveEngine } from '../engine-key.ts';
import type { PlaceKind } from '../kind.ts';

export interface NativeVariant extends VariantBase {
  readonly kind: 'native';
  /** User of the workload; absent: the one who started joulediff. */
  readonly user?: string;
  /** Upper bound on processes; absent: MAX_PIDS. */
  readonly pids?: number;
  /** Memory limit, bytes; absent: the machine's memory without a reserve. */
  readonly memoryBytes?: number;
  /** State of Docker's engine during the runs; absent: as it is found. */
  readonly engine?: EngineState;
}

const keys = { user, engine: engineKey, ...limitKeys };

/** The host itself, for variants that name no other place. */
export const nativeKind: PlaceKind<NativeVariant, typeof keys> = {
  name: 'native',
  isHost: true,
  holdsPins: true,
  runsHooks: true,
  plural: 'the host',
  where: 'on the host',
  keys,
  selectedBy: [],
  advice: 'leave all keys of other places out',
  conflicts({ file, pathOf }) {
    const found: Conflict[] = [];
    const engine = file.engine === undefined ? null : engineProblem(file.engine);
    if (engine !== null) found.push({ path: pathOf('engine'), part: 'key', detail: engine, follows: [pathOf()] });
    if (file.user === undefined || !('revision' in file) || file.revision === undefined) return found;
    const detail =
      'user and revision were both given, and a checkout can be read only by the user who started joulediff; keep one';
    return [...found, { path: pathOf('user'), part: 'key', detail, follows: [pathOf()] }];
  },
  resolve(common, { user: given, pids, memory, engine }, directory) {
    const variant: NativeVariant = {
      kind: 'native',
      ...common,
      ...(given !== undefined && { user: given }),
      ...(pids !== undefined && { pids }),
      ...(memory !== undefined && { memoryBytes: memory }),
      ...(engine !== undefined && { engine: resolveEngine(engine) }),
    };
    return withWorkdir(variant, (path) => resolve(directory, path));
  },
  relocate: withWorkdir,
  recorded: {
    user: z.string().exactOptional(),
    pids: z.int().exactOptional(),
    memoryBytes: z.number().exactOptional(),
    engine: recordedEngine.exactOptional(),
  },
  conceal: (variant) => variant,
  usesFiles: () => true,
  exposes: () => [],
  hostPorts: (_variant, listened) => listened,
  hostUser: ({ user: given }) => given,
  stopsEngine: ({ engine }) => engine?.state === 'stopped',
  network: () => 'host',
  async foresee({ engine }) {
    const { foreseeEngine } = await import('../engine/engine.ts');
    return foreseeEngine(engine);
  },
  async makeExecutor(variant, environment) {
    if (environment.host !== undefined) {
      const { makeRemoteExecutor } = await import('../remote/executor.ts');
      return makeRemoteExecutor(variant, environment, environment.host);
    }
    const { makeNativeExecutor } = await import('./executor.ts');
    const executor = makeNativeExecutor(variant, environment);
    if (variant.engine === undefined) return executor;
    const { withEngine } = await import('../engine/engine.ts');
    return withEngine(executor, variant.engine, environment.experimentId);
  },
  async removeLeft(isAbandoned) {
    const { removeLeftGroups } = await import('../../processes/left-groups.ts');
    return removeLeftGroups(isAbandoned);
  },
};

function withWorkdir(variant: NativeVariant, moved: (path: string) => string): NativeVariant {
  const { workdir } = variant.workload;
  return { ...variant, workload: { ...variant.workload, workdir: workdir === null ? null : moved(workdir) } };
}
