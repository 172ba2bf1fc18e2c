import * as z from 'zod';
import { map } from '../../input/leaves.ts';

/** A limit of setrlimit(2), in its own unit. */
export interface Ulimit {
  readonly soft: number | 'unlimited';
  readonly hard: number | 'unlimited';
}

const MAX_ULIMIT = Number.MAX_SAFE_INTEGER;
const ULIMIT = 'a whole number, "unlimited", or { soft: 1024, hard: 4096 }';
const ULIMITS = 'a map of limits, such as { nofile: 65536, memlock: unlimited }';
const ULIMIT_NAMES = [
  'core',
  'cpu',
  'data',
  'fsize',
  'locks',
  'memlock',
  'msgqueue',
  'nice',
  'nofile',
  'nproc',
  'rss',
  'rtprio',
  'rttime',
  'sigpending',
  'stack',
] as const;
const bound = z.union(
  [
    z.literal('unlimited', { error: ULIMIT }),
    z.int({ error: ULIMIT }).min(0, { error: ULIMIT }).max(MAX_ULIMIT, { error: ULIMIT }),
  ],
  { error: ULIMIT },
);
const SOFT = 'a map of soft and hard limits, of which the soft one is not the higher';
const ulimit = z
  .union(
    [
      bound,
      map({ soft: bound, hard: bound }, ULIMIT).refine(({ soft, hard }) => toBound(soft) <= toBound(hard), {
        error: SOFT,
      }),
    ],
    { error: ULIMIT },
  )
  .transform((given): Ulimit => (typeof given === 'object' ? given : { soft: given, hard: given }));

const toBound = (limit: number | 'unlimited'): number => (limit === 'unlimited' ? Number.POSITIVE_INFINITY : limit);

export const ulimitText = ({ soft, hard }: Ulimit): string => (soft === hard ? String(hard) : `${soft} to ${hard}`);

export const ulimits = map(
  Object.fromEntries(ULIMIT_NAMES.map((name) => [name, ulimit.optional()])) as Record<
    (typeof ULIMIT_NAMES)[number],
    z.ZodOptional<typeof ulimit>
  >,
  ULIMITS,
);

const recordedBound = z.union([z.int(), z.literal('unlimited')]);
export const recordedUlimits = z.record(z.string(), z.strictObject({ soft: recordedBound, hard: recordedBound }));
