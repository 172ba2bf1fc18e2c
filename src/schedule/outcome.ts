export const RUN_STATUSES = ['ok', 'warmup', 'failed', 'invalid'] as const;

/** How an execution of a planned run came out. */
export type RunStatus = (typeof RUN_STATUSES)[number];

export const REST_ENDS = ['settled', 'longest'] as const;

/** How a rest without a fixed length ended. */
export type RestEnd = (typeof REST_ENDS)[number];

export const RUN_CAUSES = [
  'exit-code',
  'signal',
  'timeout',
  'limit',
  'place',
  'hook',
  'place-lost',
  'meter-lost',
  'missing-readings',
  'service-died',
  'service-not-ready',
  'port-taken',
  'left-running',
  'suspended',
  'block-repeated',
  'stopped',
] as const;

/**
 * Why a run is not good. `limit`: it met a limit of processes or memory; `place`: preparing, starting or cleaning up failed; `hook`: a hook before or after it failed; `service-died`, `service-not-ready`, `port-taken`: a service that it needs was not there; `place-lost`: its place went away by itself; `left-running`: processes of it went on when it had ended;
 * `suspended`: the machine slept meanwhile; `block-repeated`: nothing is wrong with it, but with another run
 * of its block; `stopped`: the experiment was ended from outside, and nothing is wrong with the block.
 */
export type RunCause = (typeof RUN_CAUSES)[number];
