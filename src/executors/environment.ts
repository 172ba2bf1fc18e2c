import { ownerToken } from './leftovers/owner.ts';

/**
 * What of the caller's environment a workload must not see. Measured code may come from a pull request: it gets no token,
 * no input of the action, and no file through which a step speaks to its runner (a workload must not set outputs,
 * paths or variables of later steps). RUNNER_TRACKING_ID stays: by it the runner ends what a dead job left.
 *
 * This keeps secrets out of reach by accident, not by force: a native workload runs as the same user as joulediff.
 */
const WITHHELD: readonly RegExp[] = [
  /^INPUT_/, // the action's inputs, the token among them
  /^STATE_/, // what the action keeps for its post step
  /^ACTIONS_/, // runtime, cache, artifact and OIDC endpoints with their tokens
  /(^|_)TOKEN$/, // GITHUB_TOKEN, GH_TOKEN, NPM_TOKEN, ...
  /^GITHUB_(OUTPUT|ENV|PATH|STATE|STEP_SUMMARY|ARTIFACTS)$/, // the runner's command files
  /^JOULEDIFF_/, // marks of a joulediff around this one
];

/**
 * The caller's environment without tokens, inputs and the runner's command files.
 * A variable that a workload needs all the same is given to it by name, in the experiment file's `env`.
 */
export function scrubEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !WITHHELD.some((pattern) => pattern.test(name))) kept[name] = value;
  }
  return kept;
}

export type Stage = 'prepare' | 'run' | 'cleanup';

export interface RunIdentity {
  readonly experimentId: string;
  readonly runId: number;
  readonly variant: string;
}

/** Variables that tell a workload which run it is part of. They are how left-over processes are found again, too. */
export function runMarks(identity: RunIdentity, stage: Stage): Record<string, string> {
  return {
    JOULEDIFF_EXPERIMENT: identity.experimentId,
    JOULEDIFF_RUN: String(identity.runId),
    JOULEDIFF_VARIANT: identity.variant,
    JOULEDIFF_STAGE: stage,
  };
}

/** The marks of a process on the host, which name their owner so that a later start can tell whether anybody still waits for it. */
export function hostMarks(identity: RunIdentity, stage: Stage): Record<string, string> {
  return { ...runMarks(identity, stage), JOULEDIFF_OWNER: ownerToken() };
}
