import { readFileSync } from 'node:fs';
import { InputError } from '../errors.ts';
import { type Env, readEvent } from '../forge/event.ts';

/** Settings of the hooks that `runner-setup/install.sh` lays down: the owner's, whatever a job says. */
const POLICY = '/etc/joulediff/runner.conf';

/**
 * Refuses to measure for a fork's pull request where the owner of this machine has not allowed it, as the hook before a job does: Forgejo's
 * runner has no such hook, and Gitea's runs that of a container where the job brings one. Steps before this one have run by then. Throws InputError.
 */
export function refuseForks(env: Env, policy = POLICY): void {
  if (allowsForks(policy)) return;
  const { fork, problem } = readEvent(env);
  if (!fork && problem === null) return;
  const what = fork ? 'no pull request of a fork' : 'no job whose event it cannot read';
  throw new InputError(`This machine measures ${what}: its owner has not allowed it in ${policy}.`, {
    advice: fork
      ? 'What it does was not run by joulediff, but the steps before this one have run. Its owner may set ALLOW_FORKS=yes there; better, measure it after a review, from a branch of the repository.'
      : (problem ?? undefined),
  });
}

/** A machine without such settings was not set up by install.sh, and has no such rule. */
function allowsForks(policy: string): boolean {
  try {
    const settings = readFileSync(policy, 'utf8').matchAll(
      /^\s*(?:export\s+)?ALLOW_FORKS=(["']?)(.*?)\1\s*(?:#.*)?$/gm,
    );
    return [...settings].at(-1)?.[2] === 'yes';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}
