import type { ProfilerName } from '../../../../contracts/profilers.ts';
import { go } from './go/go.ts';
import { jfr } from './jfr/jfr.ts';
import { node } from './node/node.ts';
import { postgres } from './postgres/postgres.ts';
import type { ProfilerKind } from './profiler.ts';
import { pySpy } from './py-spy/py-spy.ts';
import { redis } from './redis/redis.ts';

/** All profilers of runtimes, which are used if the experiment file names them. */
export const profilerKinds: { readonly [Name in ProfilerName]: ProfilerKind & { readonly name: Name } } = {
  node,
  jfr,
  'py-spy': pySpy,
  go,
  redis,
  postgres,
};
